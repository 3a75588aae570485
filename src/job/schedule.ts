import type { Log } from "../runtime/log.ts";
import { isStatus, type ServiceError, wasTurnedAway } from "../service/errors.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";

/** How often a job is polled: both in milliseconds. */
export interface PollPace {
  /** Delay before the first poll. */
  initial: number;
  /** Largest delay between two polls. */
  max: number;
}

/**
 * Each delay is half as long again as the one before. With the defaults of 3 s and 15 s a short job is
 * noticed within seconds, and one of ten minutes is polled fewer than 50 times.
 */
const GROWTH = 1.5;
/** Every delay is stretched or shortened by up to a fifth, so that many runs do not poll in step. */
const SPREAD = 0.2;

/**
 * The delay before a poll.
 *
 * @param poll number of the poll, from 1
 * @param random a number from 0 to 1
 * @returns milliseconds: `min(max, initial × 1.5^(poll-1))`, times a factor from 0.8 to 1.2
 */
export function delayBefore(poll: number, { initial, max }: PollPace, random: number): number {
  // The exponent is bounded so that a long wait does not multiply infinity by zero.
  const grown = initial * GROWTH ** Math.min(poll - 1, 100);
  return Math.min(max, grown) * (1 - SPREAD + 2 * SPREAD * random);
}

/** How often a request is repeated that cannot have been received. */
const MAX_UNRECEIVED = 5;
/** First delay after a 429 without `Retry-After`, and the largest, in milliseconds. */
const LIMITED_FIRST = 5_000;
const LIMITED_MAX = 60_000;
/** Least delay after a refusal for now, whatever `Retry-After` says, in milliseconds. */
const LEAST_DELAY = 1_000;
/** How long a job that is busy is asked again, and how often, in milliseconds. */
const BUSY_LIMIT = 60_000;
const BUSY_DELAY = 5_000;

/** The failures of one request so far, by kind, and since when the job has been busy. */
export interface Tries {
  readonly unreceived: number;
  readonly limited: number;
  readonly busySince: number | undefined;
}

type Retry = { type: "again"; after: number; tries: Tries } | { type: "give-up" };

export interface RetryRules {
  pace: PollPace;
  /** Milliseconds on the run's clock: nothing is tried again past it. */
  deadline: number;
  /** Whether the request goes to a job, which a 409 says is busy. */
  isToJob?: boolean;
}

/** The state of a request that has not failed yet. */
export const NO_TRIES: Tries = { unreceived: 0, limited: 0, busySince: undefined };

/**
 * Whether a create or message request is sent once more, and after how many milliseconds. Only what
 * cannot have been received or was refused for now is repeated: never two jobs for one request.
 *
 * @param now milliseconds on the run's clock
 * @param random a number from 0 to 1
 */
export function retryAfterFailure(
  error: ServiceError,
  tries: Tries,
  rules: RetryRules,
  now: number,
  random: number,
): Retry {
  const again = (after: number, counted: Partial<Tries>): Retry =>
    now + after > rules.deadline
      ? { type: "give-up" }
      : { type: "again", after, tries: { ...tries, ...counted } };

  switch (received(error, rules)) {
    case "limited": {
      const doubled = Math.min(LIMITED_MAX, LIMITED_FIRST * 2 ** tries.limited);
      const after = Math.max(LEAST_DELAY, error.retryAfter ?? doubled);
      return again(after, { limited: tries.limited + 1 });
    }
    case "no": {
      const unreceived = tries.unreceived + 1;
      if (unreceived > MAX_UNRECEIVED) return { type: "give-up" };
      const backoff = delayBefore(unreceived, rules.pace, random);
      return again(Math.max(error.retryAfter ?? 0, backoff), { unreceived });
    }
    case "busy": {
      const busySince = tries.busySince ?? now;
      const delay = Math.min(BUSY_DELAY, rules.pace.max);
      const after = Math.max(Math.min(LEAST_DELAY, delay), error.retryAfter ?? delay);
      if (now + after > busySince + BUSY_LIMIT) return { type: "give-up" };
      return again(after, { busySince });
    }
    case "maybe":
      return { type: "give-up" };
  }
}

/** Logs that a failed request will be repeated. @param after milliseconds until then */
export function logRetry(log: Pick<Log, "info">, { message }: Error, after: number): void {
  log.info(`${sentence(message)} Trying again in ${duration(after)}.`);
}

/** Whether the service can have begun to act on a request that failed. */
function received(
  error: ServiceError,
  { isToJob = false }: RetryRules,
): "no" | "limited" | "busy" | "maybe" {
  const { failure } = error;
  if (failure.type === "unreached") return "no";
  if (isStatus(failure, 429)) return "limited";
  if (isToJob && isStatus(failure, 409)) return "busy";
  if (wasTurnedAway(error)) return "no";
  return "maybe";
}
