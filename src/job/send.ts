import { loggedSleep } from "../runtime/clock.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { ActionError } from "../runtime/errors.ts";
import type { CallOptions } from "../service/agent.ts";
import { isPassing, isStatus, ServiceError, wasTurnedAway } from "../service/errors.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import { explain, isStart, type Operation } from "./failures.ts";
import { delayBefore, type PollPace } from "./poll.ts";

/**
 * The state of a run's request: `accepted` by the service; `refused`, or never sent, so that nothing was started;
 * `uncertain` if the service may have received it.
 */
export type RequestState = "accepted" | "refused" | "uncertain";

/** Maximum number of repetitions of a request that cannot have been received. */
const MAX_UNRECEIVED = 5;
/** First delay after a 429 without `Retry-After`, and the largest, in milliseconds. */
const LIMITED = { initial: 5_000, max: 60_000 };
/** Minimum delay after a 429 or 409, even for a shorter `Retry-After`, in milliseconds. */
const LEAST_DELAY = 1_000;
/** How long a message is repeated to a busy job, and the delay between two, in milliseconds. */
const BUSY_LIMIT = 60_000;
const BUSY_DELAY = 5_000;

export interface Sending<R> {
  send: (options: CallOptions) => Promise<R>;
  operation: Operation;
  /** The delays before a request that cannot have been received is repeated. */
  pace: PollPace;
  /** Nothing is repeated after this time, in milliseconds on the run's clock. */
  deadline: number;
  /** Called before each attempt, and after an attempt that certainly started nothing. */
  onRequest?: (state: RequestState) => void;
}

/** The failures of one request so far, by kind, and since when the job has been busy. */
export const NO_TRIES = { unreceived: 0, limited: 0, busySince: undefined as number | undefined };

type Tries = Readonly<typeof NO_TRIES>;

/**
 * The delay before a request is repeated, in milliseconds; null if it is not. A request that starts something is repeated
 * only if it was not received, or was refused for now, so that one request never starts two jobs.
 *
 * @param now milliseconds on the run's clock
 * @param random a number from 0 to 1
 */
export function retryAfterFailure(
  error: ServiceError,
  tries: Tries,
  { operation, pace, deadline }: Pick<Sending<unknown>, "operation" | "pace" | "deadline">,
  now: number,
  random: number,
): { after: number; tries: Tries } | null {
  const { failure, retryAfter } = error;
  const again = (after: number, counted: Partial<Tries>, until = deadline) =>
    now + after > until ? null : { after, tries: { ...tries, ...counted } };

  if (isStatus(failure, 429)) {
    const doubled = Math.min(LIMITED.max, LIMITED.initial * 2 ** tries.limited);
    return again(Math.max(LEAST_DELAY, retryAfter ?? doubled), { limited: tries.limited + 1 });
  }
  // A job that is busy may take the message later.
  if (operation === "message" && isStatus(failure, 409)) {
    const busySince = tries.busySince ?? now;
    const delay = Math.min(BUSY_DELAY, pace.max);
    const after = Math.max(Math.min(LEAST_DELAY, delay), retryAfter ?? delay);
    return again(after, { busySince }, Math.min(deadline, busySince + BUSY_LIMIT));
  }
  const isUnreceived = failure.type === "unreached" || wasTurnedAway(error);
  // A list starts nothing, so it can be repeated even if the request was received.
  if (!isUnreceived && !(operation === "list" && isPassing(error))) return null;
  const unreceived = tries.unreceived + 1;
  if (unreceived > MAX_UNRECEIVED) return null;
  const after = Math.max(retryAfter ?? 0, delayBefore(unreceived, pace, random));
  return again(after, { unreceived });
}

/** Minimum time for a request, even at the deadline, in milliseconds: after an abort, a job may exist or not. */
const LEAST_LIMIT = 2_000;

/** How long such a request may still take after a signal, so that its answer can name the job, in milliseconds. */
const GRACE = 1_200;

export type SendResult<R> =
  | { type: "accepted"; reply: R }
  /** The run was cancelled; `uncertain`: the request was under way, and may have been received. */
  | { type: "stopped"; request: RequestState }
  | { type: "refused"; request: RequestState; error: ServiceError; explained: ActionError };

/** Sends a request, again where that is safe, until it is accepted, refused or stopped. */
export async function send<R>(
  sending: Sending<R>,
  { clock, random, log, cancellation }: Dependencies,
): Promise<SendResult<R>> {
  const { operation, deadline, onRequest } = sending;
  // An unanswered list or question has no effects, so the run does not wait for it.
  const abandon = isStart(operation) ? cancellation.after(GRACE) : cancellation.stop;
  const { stop } = cancellation;
  let tries = NO_TRIES;
  const sleep = loggedSleep(clock, (left) => {
    log.info(`The service has not taken the request yet. Trying again in ${duration(left)}.`);
  });
  while (!stop.aborted) {
    try {
      onRequest?.("uncertain");
      const limit = Math.max(LEAST_LIMIT, deadline - clock.now());
      return { type: "accepted", reply: await sending.send({ limit, signal: abandon }) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { failure } = error;
      if (failure.type === "stopped") {
        return { type: "stopped", request: failure.sent ? "uncertain" : "refused" };
      }
      const next = retryAfterFailure(error, tries, sending, clock.now(), random());
      if (next === null) {
        const explained = explain(error, operation);
        // If the answer is missing or cannot be read, it is unknown whether something was started.
        const isOpen = explained.kind === "create-uncertain" || failure.type === "unreadable";
        return { type: "refused", request: isOpen ? "uncertain" : "refused", error, explained };
      }
      ({ tries } = next);
      onRequest?.("refused");
      const { after } = next;
      if (!stop.aborted) log.info(`${sentence(error.message)} Trying again in ${duration(after)}.`);
      await sleep(after, stop);
    }
  }
  return { type: "stopped", request: "refused" };
}
