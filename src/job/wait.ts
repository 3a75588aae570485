import { toldSleep } from "../runtime/clock.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Log } from "../runtime/log.ts";
import type { Agent, Job, JobReader } from "../service/agent.ts";
import { ServiceError } from "../service/errors.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import {
  decideAfterPoll,
  knownOf,
  type PollNotice,
  type PollResult,
  type PollState,
  pollContinued,
  pollCreated,
} from "./poll.ts";
import { delayBefore, type PollPace } from "./schedule.ts";
import type { Running } from "./send.ts";
import { type Outcome, resultOf } from "./step-result.ts";

/** How long the poll at the time limit may itself take, in milliseconds. */
const LAST_POLL_LIMIT = 5_000;

const LATER = "A later run finishes the batch.";
const AGAIN =
  "Check the job on the service's dashboard. The next run hands its changes over again, up to `max-attempts` times in total; after that, they need a decision.";

interface WaitOptions {
  pace: PollPace;
  /** On the monotonic clock, in milliseconds. */
  deadline: number;
  /** The time limit in messages, in milliseconds. */
  timeout: number;
  /** Called after each poll if the job goes on, with the newest record, if there is one. */
  onPending: (job: Job | null) => void;
}

type WaitDependencies = Pick<Dependencies, "clock" | "random" | "log" | "cancellation">;

/**
 * Polls a job until it has ended, the time is up, polling on is pointless, or the run is cancelled. Logs each
 * change of its status, and a line a minute. A job of which nothing is known yet is polled at once.
 */
export async function waitForEnd(
  { id, state: first }: Running,
  agent: Agent,
  { clock, random, log, cancellation }: WaitDependencies,
  { pace, deadline, timeout, onPending }: WaitOptions,
): Promise<Extract<Outcome, { type: "ended" | "timed-out" | "error" | "cancelled" }>> {
  const { stop } = cancellation;
  const request = "accepted";
  let state = first;
  const begun = clock.now();
  const sleep = toldSleep(clock, (left) => {
    const now = clock.now();
    log.info(
      `${stillWaiting(id, state, now)} ${duration(now - begun)}. Next poll in ${duration(left)}.`,
    );
  });
  let delay = state.job === null ? 0 : delayBefore(1, pace, random());
  for (;;) {
    const left = deadline - clock.now();
    const isLast = delay >= left;
    await sleep(Math.max(0, Math.min(delay, left)), stop);
    if (stop.aborted) return { type: "cancelled", id, job: state.job, request };

    const limit = isLast ? LAST_POLL_LIMIT : Math.max(1, deadline - clock.now());
    const result = await poll(agent, id, { limit, signal: stop });
    if ("error" in result) {
      if (stop.aborted) return { type: "cancelled", id, job: state.job, request };
      // The time limit cut this poll off, not the service. The poll at the limit decides.
      if (!isLast && clock.now() >= deadline) {
        delay = 0;
        continue;
      }
    }

    const decision = decideAfterPoll(state, result, pace, clock.now(), random());
    for (const notice of decision.notices) logNotice(notice, log);
    if (decision.type === "ended") return { type: "ended", id, job: decision.job };
    if (decision.type === "given-up") {
      return { type: "error", id, job: state.job, request, error: decision.error };
    }
    ({ state, delay } = decision);
    const { job } = state;
    if (isLast) return { type: "timed-out", id, job, known: knownOf(state), timeout };
    onPending(job);
  }
}

/** The line of a minute, without its end: how long. */
function stillWaiting(id: string, { job, failing }: PollState, now: number): string {
  if (failing !== undefined) {
    return `Polls of job ${id} have failed for ${duration(now - failing.since)}. Waiting for`;
  }
  const status = job?.status ?? "";
  return status === ""
    ? `Job ${id} is still waited for after`
    : `Job ${id} is still ${status} after`;
}

/** Polls a job once: the service's failures are results. */
export async function poll(
  reader: JobReader,
  ...call: Parameters<JobReader["get"]>
): Promise<PollResult> {
  try {
    return { reply: await reader.get(...call) };
  } catch (error) {
    if (error instanceof ServiceError) return { error };
    throw error;
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
  const outcome = await waitForEnd({ id: job.id, state }, agent, dependencies, options);
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
