import { ActionError } from "../../runtime/errors.ts";

/** A run that was cancelled before it sent anything, or after all that it sent is recorded. */
export function cancelledRun(cause?: unknown): ActionError {
  return new ActionError(
    "cancelled",
    "The workflow run was cancelled.",
    "What was sent is recorded; the next run goes on.",
    { cause },
  );
}

/**
 * What a cancelled run reports in place of what the cancellation has led to, such as a request to GitHub
 * that was broken off.
 */
export function asCancelled(error: unknown, { aborted }: AbortSignal): unknown {
  const isEffect = error instanceof ActionError && error.kind === "github-unavailable";
  return aborted && isEffect ? cancelledRun(error) : error;
}

/** Does the work of a run, and throws what {@link asCancelled} makes of what it throws. */
export async function orCancelled<T>(stop: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asCancelled(error, stop);
  }
}
