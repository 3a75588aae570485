/** Whether a request that failed is repeated, and when. */

import {
  isOutOfCredits,
  isPassing,
  isStatus,
  type ServiceError,
  wasTurnedAway,
} from "../service/errors.ts";
import type { Operation } from "./failures.ts";
import { delayBefore, type PollPace } from "./poll.ts";

/** Maximum number of repetitions of a request that cannot have been received. */
const MAX_UNRECEIVED = 5;
/** First and largest delay after a 429, in milliseconds. A longer `Retry-After` counts in place of it. */
const LIMITED = { initial: 5_000, max: 60_000 };
/**
 * First delay before a message is repeated to a busy job, in milliseconds. A longer `Retry-After` counts in place of it.
 */
const BUSY_DELAY = 5_000;

/** What decides whether a request is repeated, and when. */
export interface RetryRules {
  operation: Operation;
  /** The delays before a request that cannot have been received is repeated. Default: {@link DEFAULT_PACE}. */
  pace?: PollPace;
  /** Nothing is repeated after this time, in milliseconds on the run's clock. */
  deadline: number;
  /** How long a message is repeated to a busy job, in milliseconds. Default: {@link BUSY_LIMIT}. */
  busyLimit?: number;
}

/** The failures of a request, as far as they decide whether it is repeated. */
export interface RequestFailures {
  /** How often it was not received. */
  readonly unreceived: number;
  /** How often it was over the service's limit. */
  readonly limited: number;
  /** How often the job was busy. */
  readonly busy: number;
  /** When it is no longer repeated to a busy job, on the run's clock; null if the job was not busy. */
  readonly busyUntil: number | null;
}

export const NOTHING_FAILED: RequestFailures = {
  unreceived: 0,
  limited: 0,
  busy: 0,
  busyUntil: null,
};

/** The delays before a request that cannot have been received is repeated, unless its rules have others. */
const DEFAULT_PACE = { initial: 1_000, max: 8_000 };
/** How long a message is repeated to a busy job, unless its rules say otherwise, in milliseconds. */
export const BUSY_LIMIT = 60_000;

/**
 * Decides after a failure. A request that starts something is repeated only if it was not received, or was refused for
 * now, so that one request never starts two jobs.
 *
 * @param now milliseconds on the run's clock
 * @param random a number from 0 to 1
 * @returns the delay before the next attempt, in milliseconds, and the failures so far; null if it is not repeated
 */
export function decideRetry(
  before: RequestFailures,
  error: ServiceError,
  rules: RetryRules,
  now: number,
  random: number,
): { delay: number; failures: RequestFailures } | null {
  const { operation, deadline, pace = DEFAULT_PACE, busyLimit = BUSY_LIMIT } = rules;
  const { failure, retryAfter } = error;
  const retry = (delay: number, change: Partial<RequestFailures>, until = deadline) =>
    now + delay > until ? null : { delay, failures: { ...before, ...change } };
  if (isOutOfCredits(failure)) return null;
  if (isStatus(failure, 429)) {
    const doubled = Math.min(LIMITED.max, LIMITED.initial * 2 ** before.limited);
    const delay = Math.max(doubled, retryAfter ?? 0);
    return retry(delay, { limited: before.limited + 1 });
  }
  // A job that is busy may take the message later.
  if (operation.starts === "message" && isStatus(failure, 409)) {
    const busyUntil = before.busyUntil ?? Math.min(deadline, now + busyLimit);
    const usual = Math.min(BUSY_DELAY * 2 ** before.busy, pace.max);
    const delay = Math.max(usual, retryAfter ?? 0);
    return retry(delay, { busy: before.busy + 1, busyUntil }, busyUntil);
  }
  const isUnreceived = failure.type === "unreached" || wasTurnedAway(error);
  if (!isUnreceived && !(operation.isRepeatable && isPassing(error))) return null;
  const unreceived = before.unreceived + 1;
  if (unreceived > MAX_UNRECEIVED) return null;
  const delay = Math.max(retryAfter ?? 0, delayBefore(unreceived, pace, random));
  return retry(delay, { unreceived });
}
