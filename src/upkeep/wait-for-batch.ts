import type { UpkeepInputs } from "../inputs/upkeep.ts";
import { pollContinued, pollCreated } from "../job/poll.ts";
import { type WaitResult, wait } from "../job/wait.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Agent, Job, JobReader } from "../service/agent.ts";
import { duration } from "../text/markdown.ts";

/** How the waiting ended. */
export interface Waited {
  /** The job is at its end; else a later run finishes the batch. */
  isEnded: boolean;
  /** Why the step fails; null: it succeeds. */
  error: ActionError | null;
}

/**
 * Waits for the end of the batch that this run handed over. Like the root action, the step then fails if
 * the job failed or is still at work at the time limit; whatever comes of it, a later run goes on.
 */
export async function waitForBatch(
  job: Job,
  isFollowUp: boolean,
  agent: Agent & JobReader,
  { pace, timeout }: UpkeepInputs,
  { clock, random, log, cancellation }: Dependencies,
): Promise<Waited> {
  const now = clock.now();
  const waited = await wait({
    ...{ agent, clock, random, pace },
    id: job.id,
    state: isFollowUp ? pollContinued(job, now) : pollCreated(job, now),
    pollFirst: false,
    deadline: now + timeout,
    stop: cancellation.stop,
    onNotice: (notice) => {
      if (notice.type === "status") log.info(`Job ${notice.job.id} is ${notice.job.status}.`);
      if (notice.type === "failing")
        log.warning(`${notice.error.message}. The action continues to poll.`);
    },
    onPending: () => {},
  });
  if (waited.type === "ended") return { isEnded: true, error: errorOf(waited.job) };
  return { isEnded: false, error: errorOfOpen(waited, timeout) };
}

/** What a job's end means for the step. */
function errorOf({ status }: Job): ActionError | null {
  if (status !== "failed") return null;
  return new ActionError(
    "job-failed",
    "The job failed.",
    "Check it on the service's dashboard. The next run hands its changes over again, up to `max-attempts` times in total; after that, they need a decision.",
  );
}

function errorOfOpen(waited: Exclude<WaitResult, { type: "ended" }>, timeout: number): ActionError {
  switch (waited.type) {
    case "timed-out": {
      const limit = `${duration(timeout)}, the limit set by \`timeout-minutes\``;
      const what =
        waited.known === "running"
          ? `The agent was still working after ${limit}.`
          : `After ${limit}, it is unknown whether the agent has finished.`;
      return new ActionError("timeout", what, "A later run finishes the batch.");
    }
    case "given-up":
      return waited.error;
    case "stopped":
      return new ActionError(
        "cancelled",
        "The workflow run was cancelled while it waited for the agent.",
        "The agent continues. A later run finishes the batch.",
      );
  }
}
