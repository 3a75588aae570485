import type { UpkeepInputs } from "../inputs/upkeep.ts";
import { pollContinued, pollCreated } from "../job/poll.ts";
import { wait } from "../job/wait.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Agent, Job, JobReader } from "../service/agent.ts";

/**
 * Waits for the end of the batch that this run handed over.
 *
 * @returns how the waiting ended: `open` leaves the batch to a later run, and so does an error, which the
 * step reports
 */
export async function waitForBatch(
  job: Job,
  isFollowUp: boolean,
  agent: Agent & JobReader,
  { pace, timeout }: UpkeepInputs,
  { clock, random, log, cancellation }: Dependencies,
): Promise<"ended" | "open" | ActionError> {
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
      if (notice.type === "failing") log.warning(`${notice.error.message}. Polling goes on.`);
    },
    onPending: () => {},
  });
  switch (waited.type) {
    case "ended":
      return "ended";
    case "timed-out":
      log.info("The agent is still at work at the time limit. A later run finishes the batch.");
      return "open";
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
