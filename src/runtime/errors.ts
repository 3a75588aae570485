import { ProxySettingsError } from "../net/proxy.ts";
import { sentence } from "../text/sentence.ts";

/** The values of the output `errorKind`, and their words in headings and titles. */
export const KIND_WORDS = {
  "invalid-input": "invalid inputs",
  unauthorized: "the key was not accepted",
  forbidden: "the key lacks access",
  "rate-limited": "rate limit reached",
  "out-of-credits": "no credits are left",
  "bad-request": "the request was refused",
  "not-found": "not found",
  "create-uncertain": "the request may have been received",
  "invalid-response": "the service's answer could not be read",
  "service-unavailable": "the service is unavailable",
  timeout: "the time limit was reached",
  "stream-interrupted": "the answer was interrupted",
  "github-refused": "GitHub refused a request",
  "github-unavailable": "GitHub is unavailable",
  "job-failed": "the job failed",
  "build-failed": "the build failed",
  "no-changes": "completed without a pull request",
  cancelled: "cancelled",
  internal: "unexpected error",
};

export type ErrorKind = keyof typeof KIND_WORDS;

/** An error whose message is written for the person who reads the log: what happened, and what to do. */
export class ActionError extends Error {
  override readonly name = "ActionError";

  readonly kind: ErrorKind;
  readonly problem: string;
  /** What to do next; null if the problem is enough. */
  readonly advice: string | null;

  /**
   * @param problem what happened, in one sentence
   * @param advice what to do next; null if the first sentence is enough
   */
  constructor(
    kind: ErrorKind,
    problem: string,
    advice: string | null = null,
    options?: ErrorOptions,
  ) {
    super(advice === null ? problem : `${problem} ${advice}`, options);
    this.kind = kind;
    this.problem = problem;
    this.advice = advice;
  }
}

/** Anything that was thrown, as an {@link ActionError}: an unexpected error becomes `internal`, one line long. */
export function asActionError(thrown: unknown): ActionError {
  if (thrown instanceof ActionError) return thrown;
  if (thrown instanceof ProxySettingsError) {
    return new ActionError("invalid-input", thrown.message, null, { cause: thrown });
  }
  const line = errorMessage(thrown).replace(/[\r\n].*$/s, "");
  return new ActionError(
    "internal",
    sentence(`Unexpected error: ${line}`),
    "Run the workflow again with debug logging to see details.",
    { cause: thrown },
  );
}

/** The message of anything that was thrown. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** An invalid input that is found before anything is sent. @param problem begins with the input's name */
export function invalidInput(problem: string): ActionError {
  return new ActionError("invalid-input", problem, "Nothing was sent.");
}

/** A run that was cancelled. @param advice what is true of the action then; null if its results say it */
export function cancelledRun(advice: string | null = null): ActionError {
  return new ActionError("cancelled", "The workflow run was cancelled.", advice);
}

/** What a promise comes to: its value, or an error that is expected. @throws any other error */
export async function valueOrError<T, E extends Error>(
  promise: Promise<T>,
  expected: new (...parts: never[]) => E,
): Promise<T | E> {
  try {
    return await promise;
  } catch (error) {
    if (!(error instanceof expected)) throw error;
    return error;
  }
}

/** The value of a promise. @throws what `errorOf` makes of its error */
export async function orThrow<T>(
  promise: Promise<T>,
  errorOf: (error: unknown) => unknown,
): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw await errorOf(error);
  }
}
