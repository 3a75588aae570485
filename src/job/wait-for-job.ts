import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Log } from "../runtime/log.ts";
import type { Agent, Job } from "../service/agent.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import type { Outcome } from "./outcome.ts";
import { type PollNotice, pollContinued, pollCreated } from "./poll.ts";
import type { PollPace } from "./schedule.ts";
import type { Running } from "./start.ts";
import { resultOf } from "./step-result.ts";
import { wait } from "./wait.ts";

const LATER = "A later run finishes the batch.";
const AGAIN =
  "Check the job on the service's dashboard. The next run hands its changes over again, up to `max-attempts` times in total; after that, they need a decision.";

export interface WaitOptions {
  pace: PollPace;
  /** On the monotonic clock, in milliseconds. */
  deadline: number;
  /** What people are told of that, in milliseconds. */
  timeout: number;
  /** Told of each poll that brought no end: the newest record, if there is one. */
  onPending: (job: Job | null) => void;
}

/** Waits for the end of a job, and tells the log how it goes. */
export async function waitForEnd(
  { id, job, state }: Running,
  agent: Agent,
  { clock, random, log, cancellation }: Dependencies,
  { pace, deadline, timeout, onPending }: WaitOptions,
): Promise<Extract<Outcome, { type: "ended" | "timed-out" | "error" | "cancelled" }>> {
  const waited = await wait({
    ...{ agent, id, state, clock, random, pace, deadline },
    stop: cancellation.stop,
    pollFirst: job === null,
    onNotice: (notice) => logNotice(notice, log),
    onPending,
  });

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
  dependencies: Dependencies,
): Promise<{ job: Job | null; error: ActionError | null }> {
  const now = dependencies.clock.now();
  const state = isFollowUp ? pollContinued(job, now) : pollCreated(job, now);
  const options = { pace, timeout, deadline: now + timeout, onPending: () => {} };
  const outcome = await waitForEnd({ id: job.id, job, state }, agent, dependencies, options);
  const { kind, quote, what, advice } = resultOf(outcome, {
    ...{ ifTimeout: "error", ifNoChanges: "ignore" },
  });
  const said = [sentence(quote), what].filter((part) => part !== "").join(" ");
  const next = outcome.type === "ended" ? AGAIN : kind === "unauthorized" ? advice : LATER;
  return {
    job: outcome.type === "ended" ? outcome.job : null,
    error: kind === "" ? null : new ActionError(kind, said, next),
  };
}

function logNotice(notice: PollNotice, log: Log): void {
  switch (notice.type) {
    case "status":
      log.info(`Job ${notice.job.id} is ${notice.job.status}.`);
      break;
    case "old-end":
      log.info(
        `The job's status is still ${notice.status}, possibly from before the follow-up. The action keeps waiting until the job's record changes, or until ${duration(notice.limit)} have passed since the follow-up.`,
      );
      break;
    case "unknown-status":
      log.warning(
        `The job has the status ${JSON.stringify(notice.status)}, which this version of the action does not know. The action continues to poll.`,
      );
      break;
    case "failing":
      log.warning(
        `${sentence(notice.error.message)} The action continues to poll while it waits, and gives up after polls have failed for 5 minutes.`,
      );
      break;
    case "recovered":
      log.warning("The service is responding normally again.");
  }
}
