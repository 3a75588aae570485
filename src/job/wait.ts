import type { Dependencies } from "../runtime/dependencies.ts";
import type { Agent, EndedJob, JobReply, PolledJob } from "../service/agent.ts";
import {
  isKeyRefused,
  isStatus,
  isUnknown,
  orServiceError,
  ServiceError,
} from "../service/errors.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import { explainFailure, POLL } from "./failures.ts";
import {
  decideAfterPoll,
  delayBefore,
  hasEnded,
  isKnown,
  mayGetLink,
  type PollPace,
  type PollState,
  unknownStatusText,
} from "./poll.ts";
import { type Polling, pollUntilEnd } from "./poll-loop.ts";
import { type Outcome, warnOfHiddenLink } from "./step-result.ts";

/** Time limit of a poll of a run that does not wait, in milliseconds. */
const POLL_LIMIT = 30_000;
/** Maximum number of polls at the same time. */
export const MOST_POLLS = 16;

/**
 * Polls a job until it ends, the time limit is reached, polling is given up, or the run is cancelled. It logs each
 * change of the status, and one line a minute. A job without a known record is polled at once.
 *
 * @param deadline on the monotonic clock, in milliseconds
 * @param onPending called after each poll while the job continues
 */
export async function waitForEnd(
  first: PollState,
  agent: Agent,
  dependencies: Dependencies,
  {
    pace,
    deadline,
    onPending,
  }: { pace: PollPace; deadline: number; onPending?: (state: PollState) => void },
): Promise<Outcome> {
  const { id } = first;
  const polling: Polling<PollState, JobReply, EndedJob> = {
    subject: `job ${id}`,
    firstDelay: first.job === null ? 0 : delayBefore(1, pace, dependencies.random()),
    deadline,
    poll: (options) => orServiceError(agent.get(id, options)),
    decide: (state, polled, now, random) => decideAfterPoll(state, polled, pace, now, random),
    statusOf: ({ job }) => job?.status ?? null,
    onPending,
  };
  const polled = await pollUntilEnd(first, polling, dependencies);
  if (polled.type === "ended") return { type: "ended", job: polled.end, mayGetPull: false };
  const { job, failing, missingSince } = polled.state;
  if (polled.type === "stopped") {
    return { type: "error", job, request: "accepted", error: polled.error };
  }
  // The time limit left no minute for a second poll.
  if (job !== null && hasEnded(job)) return endAfterOnePoll(job);
  // While an end may be the old one, the job has no status.
  const isRead = job !== null && job.status !== null && failing === null && missingSince === null;
  return { type: isRead ? "running" : "unknown", job };
}

/** The outcome of a job that was found at its end by one poll. */
export function endAfterOnePoll(job: EndedJob): Outcome {
  return { type: "ended", job, mayGetPull: mayGetLink(job) };
}

/**
 * How long all polls of a run that does not wait may take together, in milliseconds, so that it ends within two
 * minutes.
 */
const POLLS_LIMIT = 100_000;

/**
 * Polls of a run that does not wait. They end after a time, at a rate limit that lasts longer, and after many failures.
 * A shorter limit is waited out; nothing else is repeated.
 */
export class SinglePolls {
  readonly #dependencies: Dependencies;
  readonly #mostFailed: number;
  /** How many polls are under way, and since when there is any, on the monotonic clock. */
  #underWay = { count: 0, since: 0 };
  /** How long earlier polls took together, in milliseconds. */
  #spent = 0;
  /** No poll is made before this time, on the monotonic clock. */
  #resumeAt = 0;
  #failed = 0;
  /** The jobs whose status the log warns of. */
  readonly #unknown = new Set<string>();
  #isOver = false;

  /** @param mostFailed after this many failed polls in a row, the run makes no more */
  constructor(dependencies: Dependencies, mostFailed = Number.POSITIVE_INFINITY) {
    this.#dependencies = dependencies;
    this.#mostFailed = mostFailed;
  }

  /** Whether no more polls are made. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * @returns the error for a job that the service does not know; null if nothing could be read
   * @throws ActionError if the key is refused, or the service is not at this address
   */
  async poll(agent: Pick<Agent, "get">, id: string): Promise<PolledJob | ServiceError | null> {
    const { clock } = this.#dependencies;
    if (this.#underWay.count === 0) this.#underWay.since = clock.now();
    this.#underWay.count += 1;
    try {
      return await this.#poll(agent, id);
    } finally {
      this.#underWay.count -= 1;
      if (this.#underWay.count === 0) this.#spent += clock.now() - this.#underWay.since;
    }
  }

  async #poll(agent: Pick<Agent, "get">, id: string): Promise<PolledJob | ServiceError | null> {
    const { clock, log, cancellation } = this.#dependencies;
    const { stop } = cancellation;
    // Polls that are under way at the same time take time once.
    const end = this.#underWay.since + POLLS_LIMIT - this.#spent;
    await this.#waitOutLimit();
    if (this.#isOver) return null;
    const left = end - clock.now();
    if (left <= 0) return this.#endAll(log);
    const polled = await orServiceError(
      agent.get(id, { limit: Math.min(POLL_LIMIT, left), signal: stop }),
    );
    if (!(polled instanceof ServiceError)) {
      this.#failed = 0;
      this.#report(id, polled.job);
      return polled.job;
    }
    if (isUnknown(polled.failure)) {
      this.#failed = 0;
      log.info(`Job ${id} is unknown to the service.`);
      return polled;
    }
    const { failure, message } = polled;
    const isRedirect = failure.type === "status" && failure.status < 400;
    if (isRedirect || isKeyRefused(failure)) throw explainFailure(polled, POLL);
    // A poll that was stopped says nothing about the service.
    if (this.#isOver || failure.type === "stopped") return null;
    const { retryAfter } = polled;
    if (isStatus(failure, 429) && retryAfter !== null && clock.now() + retryAfter < end) {
      this.#resumeAt = Math.max(this.#resumeAt, clock.now() + retryAfter);
      log.info(`${sentence(message)} Jobs are polled again in ${duration(retryAfter)}.`);
      return await this.#poll(agent, id);
    }
    this.#failed += 1;
    this.#isOver = isStatus(failure, 429) || this.#failed === this.#mostFailed;
    const nextPolls = this.#isOver ? "it and the jobs not polled yet" : "it again";
    const problem = `Job ${id} could not be polled: ${sentence(message)}`;
    log.warning(`${problem} The next run polls ${nextPolls}.`);
    return null;
  }

  /** Others may meet a limit meanwhile. */
  async #waitOutLimit(): Promise<void> {
    const { clock, cancellation } = this.#dependencies;
    for (;;) {
      const delay = this.#resumeAt - clock.now();
      if (delay <= 0 || this.#isOver || cancellation.stop.aborted) return;
      await clock.sleep(delay, cancellation.stop);
    }
  }

  /** Makes no more polls, because they have taken too long. */
  #endAll(log: Dependencies["log"]): null {
    this.#isOver = true;
    const limit = duration(POLLS_LIMIT);
    log.warning(`The polls of this run took ${limit}. The next run polls the other jobs.`);
    return null;
  }

  /** A job may be polled for several reasons in one run. */
  #report(id: string, job: PolledJob): void {
    const { log } = this.#dependencies;
    const { status } = job;
    if (isKnown(status)) log.info(`Job ${id} is ${status}.`);
    else if (!this.#unknown.has(id)) {
      this.#unknown.add(id);
      const next = "It counts as running, and the next run polls it again.";
      log.warning(unknownStatusText(job, next));
    }
    warnOfHiddenLink(job, log);
  }
}
