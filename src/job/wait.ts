import type { Dependencies } from "../runtime/dependencies.ts";
import type { Agent, EndedJob, JobReply, PolledJob } from "../service/agent.ts";
import { isStatus, orServiceError, ServiceError } from "../service/errors.ts";
import { sentence } from "../text/sentence.ts";
import { explainFailure, POLL } from "./failures.ts";
import {
  decideAfterPoll,
  delayBefore,
  isKnown,
  type PollPace,
  type PollState,
  unknownStatusText,
} from "./poll.ts";
import { type Polling, pollUntilEnd } from "./poll-loop.ts";
import { type Outcome, warnOfHiddenLink } from "./step-result.ts";

/** Time limit of a poll of a run that does not wait, in milliseconds. */
const POLL_LIMIT = 30_000;

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
  if (polled.type === "ended") return { type: "ended", job: polled.end };
  const { job, failing } = polled.state;
  if (polled.type === "stopped") {
    return { type: "error", job, request: "accepted", error: polled.error };
  }
  // While an end may be the old one, the job has no status.
  const isRunning = job !== null && job.status !== null && failing === null;
  return { type: isRunning ? "running" : "unknown", job };
}

/** Polls of a run that does not wait. None is repeated, and they end at a rate limit or many failures. */
export class SinglePolls {
  readonly #dependencies: Dependencies;
  readonly #mostFailed: number;
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
    if (this.#isOver) return null;
    const { log, cancellation } = this.#dependencies;
    const polled = await orServiceError(
      agent.get(id, { limit: POLL_LIMIT, signal: cancellation.stop }),
    );
    if (!(polled instanceof ServiceError)) {
      this.#failed = 0;
      this.#report(id, polled.job);
      return polled.job;
    }
    if (isStatus(polled.failure, 404, 410)) {
      this.#failed = 0;
      log.info(`Job ${id} is unknown to the service.`);
      return polled;
    }
    const { failure, message } = polled;
    const isRedirect = failure.type === "status" && failure.status < 400;
    if (isRedirect || isStatus(failure, 401, 403)) throw explainFailure(polled, POLL);
    // A poll that was stopped says nothing about the service.
    if (this.#isOver || failure.type === "stopped") return null;
    this.#failed += 1;
    this.#isOver = isStatus(failure, 429) || this.#failed === this.#mostFailed;
    const nextPolls = this.#isOver ? "it and the jobs not polled yet" : "it again";
    const problem = `Job ${id} could not be polled: ${sentence(message)}`;
    log.warning(`${problem} The next run polls ${nextPolls}.`);
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
