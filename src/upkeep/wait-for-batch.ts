import type { UpkeepInputs } from "../inputs/upkeep.ts";
import { pollContinued, pollCreated } from "../job/poll.ts";
import { type WaitResult, wait } from "../job/wait.ts";
import type { Delivered } from "../ledger/deliver.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Agent, Job, JobReader } from "../service/agent.ts";
import { duration } from "../text/markdown.ts";

/** How the waiting ended. */
export interface Waited {
  /** Id of the job, if it is at its end; else null: a later run finishes the batch. */
  endedJob: string | null;
  /** Why the step fails; null: it succeeds. */
  error: ActionError | null;
}

/**
 * Waits for the end of the batch that this run handed over, if it did and the workflow wants that. Like the
 * root action, the step then fails if the job failed or is still at work at the time limit; whatever comes
 * of it, a later run goes on.
 */
export async function waitForBatch(
  delivered: Pick<Delivered, "job" | "isFollowUp"> | null,
  agent: Agent & JobReader,
  { wait: isWanted, pace, timeout }: Pick<UpkeepInputs, "wait" | "pace" | "timeout">,
  { clock, random, log, cancellation }: Dependencies,
): Promise<Waited> {
  const job = delivered?.job ?? null;
  if (!isWanted || delivered === null || job === null) return { endedJob: null, error: null };
  const now = clock.now();
  const waited = await wait({
    ...{ agent, clock, random, pace },
    id: job.id,
    state: delivered.isFollowUp ? pollContinued(job, now) : pollCreated(job, now),
    pollFirst: false,
    deadline: now + timeout,
    stop: cancellation.stop,
    onNotice: (notice) => {
      if (notice.type === "status") log.info(`Job ${notice.job.id} is ${notice.job.status}.`);
      if (notice.type === "failing") log.warning(`${notice.error.message}. Polling goes on.`);
    },
    onPending: () => {},
  });
  if (waited.type === "ended") return { endedJob: job.id, error: errorOf(waited.job) };
  return { endedJob: null, error: errorOfOpen(waited, timeout) };
}

/** What a job's end means for the step. */
function errorOf({ status }: Job): ActionError | null {
  if (status !== "failed") return null;
  return new ActionError(
    "job-failed",
    "The job failed.",
    "Look at it on the service's dashboard. The next run hands its changes over again, up to `max-attempts` times; then they need a decision.",
  );
}

function errorOfOpen(waited: Exclude<WaitResult, { type: "ended" }>, timeout: number): ActionError {
  switch (waited.type) {
    case "timed-out": {
      const limit = `${duration(timeout)}, the limit that \`timeout-minutes\` sets`;
      const what =
        waited.known === "running"
          ? `The agent was still at work after ${limit}.`
          : `After ${limit}, it is not known whether the agent is done.`;
      return new ActionError("timeout", what, "A later run finishes the batch.");
    }
    case "given-up":
      return waited.error;
    case "stopped":
      return new ActionError(
        "cancelled",
        "The workflow run was cancelled while it waited for the agent.",
        "The agent goes on. A later run finishes the batch.",
      );
  }
}
