import type { UpkeepInputs } from "../inputs/upkeep.ts";
import type { Outcome } from "../job/outcome.ts";
import { pollContinued, pollCreated } from "../job/poll.ts";
import { type WaitResult, wait } from "../job/wait.ts";
import type { Delivered } from "../ledger/run/deliver.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { ActionError } from "../runtime/errors.ts";
import type { Agent, JobReader } from "../service/agent.ts";
import { sentence } from "../text/sentence.ts";
import { waitErrorOf } from "./wait-error.ts";

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
      if (notice.type === "failing")
        log.warning(`${sentence(notice.error.message)} The action continues to poll.`);
    },
    onPending: () => {},
  });
  const error = waitErrorOf(outcomeOf(waited, job.id, timeout));
  return { endedJob: waited.type === "ended" ? job.id : null, error };
}

function outcomeOf(waited: WaitResult, id: string, timeout: number): Outcome {
  switch (waited.type) {
    case "ended":
      return { ...waited, id };
    case "timed-out":
      return { ...waited, id, timeout };
    case "given-up":
      return { ...waited, type: "error", id, request: "accepted" };
    case "stopped":
      return { ...waited, type: "cancelled", id, request: "accepted" };
  }
}
