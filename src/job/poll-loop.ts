import { loggedSleep } from "../runtime/clock.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { type ActionError, cancelledRun } from "../runtime/errors.ts";
import type { CallOptions } from "../service/agent.ts";
import { ServiceError } from "../service/errors.ts";
import { duration } from "../text/markdown.ts";
import { capitalized } from "../text/sentence.ts";
import type { FailingPolls, PollDecision, PolledState } from "./failed-polls.ts";

/** Time limit of the last poll, in milliseconds. */
const LAST_POLL_LIMIT = 30_000;

/** What a run polls, and what each poll means. */
export interface Polling<State extends PolledState, Reply, End> {
  /** What is polled, within a sentence, such as `job 1`. */
  subject: string;
  /** Delay before the first poll, in milliseconds. */
  firstDelay: number;
  /** On the monotonic clock, in milliseconds. */
  deadline: number;
  /** Polls once. The service's failures are results. */
  poll(options: CallOptions): Promise<Reply | ServiceError>;
  /**
   * @param now milliseconds on the run's clock
   * @param random a number from 0 to 1, for the next delay
   */
  decide(
    state: State,
    polled: Reply | ServiceError,
    now: number,
    random: number,
  ): PollDecision<State, End>;
  /** The last status, for the log's line once a minute; null if it is not known. */
  statusOf(state: State): string | null;
  /** Called after each poll that another one follows. */
  onPending?: ((state: State) => void) | undefined;
}

/**
 * Polls until there is an end, the time limit is reached, polling is given up, or the run is cancelled.
 *
 * @returns `stopped`: polling was given up, or the run was cancelled
 */
export async function pollUntilEnd<State extends PolledState, Reply, End>(
  first: State,
  polling: Polling<State, Reply, End>,
  { clock, random, log, cancellation }: Dependencies,
): Promise<
  | { type: "ended"; end: End }
  | { type: "time-limit"; state: State }
  | { type: "stopped"; state: State; error: ActionError }
> {
  const { subject, firstDelay, deadline, poll, decide, statusOf, onPending } = polling;
  const { stop } = cancellation;
  const begun = clock.now();
  let state = first;
  const sleep = loggedSleep(clock, (remaining) => {
    const now = clock.now();
    const line = waitLine(subject, statusOf(state), state.failing, begun, now);
    log.info(`${line} Next poll in ${duration(remaining)}.`);
  });
  let delay = firstDelay;
  for (;;) {
    const remaining = deadline - clock.now();
    const isLast = delay >= remaining;
    await sleep(Math.max(0, Math.min(delay, remaining)), stop);
    const limit = isLast ? LAST_POLL_LIMIT : Math.max(1, deadline - clock.now());
    const polled = stop.aborted ? null : await poll({ limit, signal: stop });
    const isFailed = polled instanceof ServiceError;
    if (polled === null || (isFailed && stop.aborted)) {
      return { type: "stopped", state, error: cancelledRun() };
    }
    // The time limit cut this poll off, not the service. The poll at the limit decides.
    if (isFailed && !isLast && clock.now() >= deadline) {
      delay = 0;
      continue;
    }
    const decision = decide(state, polled, clock.now(), random());
    for (const [level, text] of decision.notices) log[level](text);
    if (decision.type === "ended") return { type: "ended", end: decision.end };
    if (decision.type === "given-up") return { type: "stopped", state, error: decision.error };
    ({ state, delay } = decision);
    if (isLast) return { type: "time-limit", state };
    onPending?.(state);
  }
}

/**
 * The log's line once a minute.
 *
 * @param status null if it is not known
 * @param begun when the wait began, in milliseconds on the run's clock
 */
function waitLine(
  subject: string,
  status: string | null,
  failing: FailingPolls | null,
  begun: number,
  now: number,
): string {
  if (failing !== null) {
    return `Polls of ${subject} have failed for ${duration(now - failing.since)}.`;
  }
  const waited = duration(now - begun);
  if (status === null) return `Still waiting for ${subject} after ${waited}.`;
  return `${capitalized(subject)} is still ${status} after ${waited}.`;
}
