import { loggedSleep } from "../runtime/clock.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Agent, Job, JobReader } from "../service/agent.ts";
import { isStatus, ServiceError } from "../service/errors.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import { explain } from "./failures.ts";
import {
  decideAfterPoll,
  delayBefore,
  knownOf,
  type PollPace,
  type PollResult,
  pollContinued,
  pollCreated,
} from "./poll.ts";
import type { SendDependencies } from "./send.ts";
import type { Running } from "./start.ts";
import { type Outcome, resultOf } from "./step-result.ts";

/** Time limit of the last poll, in milliseconds. */
const LAST_POLL_LIMIT = 5_000;

interface WaitOptions {
  pace: PollPace;
  /** On the monotonic clock, in milliseconds. */
  deadline: number;
  /** The time limit in messages, in milliseconds. */
  timeout: number;
  /** Called after each poll while the job continues, with the newest record, if any. */
  onPending?: (job: Job | null) => void;
}

/**
 * Polls a job until it ends, the time limit is reached, polling is given up, or the run is cancelled. It logs each change
 * of the status, and one line a minute. A job without a known record is polled at once.
 */
export async function waitForEnd(
  { id, state: first }: Running,
  agent: Agent,
  { clock, random, log, cancellation: { stop } }: SendDependencies,
  { pace, deadline, timeout, onPending }: WaitOptions,
): Promise<Exclude<Outcome, { type: "not-waited" }>> {
  const request = "accepted";
  let state = first;
  const begun = clock.now();
  const sleep = loggedSleep(clock, (left) => {
    const status = state.failing ? "not answered for" : state.job?.status || "waited for";
    const waited = duration(clock.now() - begun);
    log.info(`Job ${id} is still ${status} after ${waited}. Next poll in ${duration(left)}.`);
  });
  let delay = state.job === null ? 0 : delayBefore(1, pace, random());
  for (;;) {
    const left = deadline - clock.now();
    const isLast = delay >= left;
    await sleep(Math.max(0, Math.min(delay, left)), stop);
    const limit = isLast ? LAST_POLL_LIMIT : Math.max(1, deadline - clock.now());
    const result = stop.aborted ? null : await poll(agent, id, { limit, signal: stop });
    if (result === null || ("error" in result && stop.aborted)) {
      return { type: "cancelled", id, job: state.job, request };
    }
    // The time limit cut this poll off, not the service. The poll at the limit decides.
    if ("error" in result && !isLast && clock.now() >= deadline) {
      delay = 0;
      continue;
    }
    const decision = decideAfterPoll(state, result, pace, clock.now(), random());
    for (const [level, text] of decision.notices) log[level](text);
    if (decision.type === "ended") return { type: "ended", id, job: decision.job };
    if (decision.type === "given-up") {
      return { type: "error", id, job: state.job, request, error: decision.error };
    }
    ({ state, delay } = decision);
    const { job } = state;
    if (isLast) return { type: "timed-out", id, job, known: knownOf(state), timeout };
    onPending?.(job);
  }
}

/** Polls a job once. The service's failures are results. */
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

/** How long a poll of a run that does not wait may take, in milliseconds. */
const SINGLE_POLL_LIMIT = 15_000;

/** Polls of a run that does not wait. None is repeated, and they end at a rate limit or many failures. */
export class SinglePolls {
  readonly #dependencies: Pick<Dependencies, "log" | "cancellation">;
  readonly #mostFailed: number;
  #failed = 0;
  /** Whether no more polls are made. */
  isOver = false;

  /** @param mostFailed after this many failed polls in a row, the run makes no more */
  constructor(
    dependencies: Pick<Dependencies, "log" | "cancellation">,
    mostFailed = Number.POSITIVE_INFINITY,
  ) {
    this.#dependencies = dependencies;
    this.#mostFailed = mostFailed;
  }

  /**
   * @returns the error for a job that the service does not know; null if nothing could be read
   * @throws ActionError if the key is refused, or the service is not at this address
   */
  async poll(reader: JobReader, id: string): Promise<Job | ServiceError | null> {
    if (this.isOver) return null;
    const { log, cancellation } = this.#dependencies;
    const result = await poll(reader, id, { limit: SINGLE_POLL_LIMIT, signal: cancellation.stop });
    if ("reply" in result) {
      const { job } = result.reply;
      this.#failed = 0;
      log.info(`Job ${id} is ${job.status}.`);
      return job;
    }
    const { failure, message } = result.error;
    if (isStatus(failure, 404, 410)) {
      this.#failed = 0;
      log.info(`Job ${id} is unknown to the service.`);
      return result.error;
    }
    if (isStatus(failure, 401, 403) || failure.type === "redirect") {
      throw explain(result.error, "poll");
    }
    // A poll that was stopped says nothing about the service.
    if (this.isOver || failure.type === "stopped") return null;
    this.#failed += 1;
    this.isOver = isStatus(failure, 429) || this.#failed === this.#mostFailed;
    const which = this.isOver ? "it and the jobs not polled yet" : "it again";
    log.warning(`Job ${id} could not be polled: ${sentence(message)} The next run polls ${which}.`);
    return null;
  }
}

const LATER = "A later run finishes the batch.";
const AGAIN =
  "Check the job on the service's dashboard. The next run hands its changes over again, up to `max-attempts` times in total; after that, they need a decision.";

/**
 * Waits for the end of a batch's job. As in the root action, the step fails if the job failed or is still running at the
 * time limit. A later run continues.
 *
 * @returns the job at its end, or null; and why the step fails, or null
 */
export async function waitForJob(
  job: Job,
  isFollowUp: boolean,
  agent: Agent,
  { pace, timeout }: Pick<WaitOptions, "pace" | "timeout">,
  dependencies: SendDependencies,
): Promise<{ job: Job | null; error: ActionError | null }> {
  const now = dependencies.clock.now();
  const state = isFollowUp ? pollContinued(job, now) : pollCreated(job, now);
  const options = { pace, timeout, deadline: now + timeout };
  const outcome = await waitForEnd({ id: job.id, state }, agent, dependencies, options);
  const policy = { ifTimeout: "error", ifNoChanges: "ignore" } as const;
  const { kind, quote, what, advice } = resultOf(outcome, policy);
  const reason = [sentence(quote), what].filter((part) => part !== "").join(" ");
  const next = outcome.type === "ended" ? AGAIN : kind === "unauthorized" ? advice : LATER;
  return {
    job: outcome.type === "ended" ? outcome.job : null,
    error: kind === "" ? null : new ActionError(kind, reason, next),
  };
}
