import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Agent, Job } from "../service/agent.ts";
import { sentence } from "../text/sentence.ts";
import type { Outcome } from "./outcome.ts";
import { pollContinued, pollCreated } from "./poll.ts";
import type { PollPace } from "./schedule.ts";
import { resultOf } from "./step-result.ts";
import { type WaitResult, wait } from "./wait.ts";

const LATER = "A later run finishes the batch.";
const AGAIN =
  "Check the job on the service's dashboard. The next run hands its changes over again, up to `max-attempts` times in total; after that, they need a decision.";

/**
 * Waits for the end of the job that took a batch. As in the root action, the step fails if the job failed or is
 * still at work at the time limit; a later run goes on.
 *
 * @returns the job at its end, or null; and why the step fails, or null
 */
export async function waitForJob(
  job: Job,
  isFollowUp: boolean,
  agent: Agent,
  { pace, timeout }: { pace: PollPace; timeout: number },
  { clock, random, log, cancellation }: Dependencies,
): Promise<{ job: Job | null; error: ActionError | null }> {
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
        log.warning(`${sentence(notice.error.message)} The action continues to poll.`);
    },
    onPending: () => {},
  });
  const outcome = outcomeOf(waited, job.id, timeout);
  const { kind, quote, what, advice } = resultOf(outcome, {
    ...{ ifTimeout: "error", ifNoChanges: "ignore" },
  });
  const said = [sentence(quote), what].filter((part) => part !== "").join(" ");
  const next = waited.type === "ended" ? AGAIN : kind === "unauthorized" ? advice : LATER;
  return {
    job: waited.type === "ended" ? waited.job : null,
    error: kind === "" ? null : new ActionError(kind, said, next),
  };
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
