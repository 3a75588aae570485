import type { Clock } from "../runtime/clock.ts";
import type { ActionError } from "../runtime/errors.ts";
import type { CallOptions } from "../service/agent.ts";
import { ServiceError } from "../service/errors.ts";
import type { RequestState } from "./request-state.ts";
import { NO_TRIES, type RetryRules, retryAfterFailure } from "./retry.ts";

/**
 * What a request is given even at the end of the time, in milliseconds: cut off, nobody would know
 * whether there is a job.
 */
const LEAST_LIMIT = 2_000;

/** A request that starts something, and what its answer is. */
export interface Sending<R> {
  send: (options: CallOptions) => Promise<R>;
  /** A failure that is not tried again, in the words of the action. */
  explain: (error: ServiceError) => ActionError;
  rules: RetryRules;
  clock: Clock;
  random: () => number;
  /** Stops the delays between two tries. */
  stop: AbortSignal;
  /** Stops a request that is under way: later than `stop`, so that its answer can still tell a job's id. */
  abandon: AbortSignal;
  /** Told before each repeated try: milliseconds until then. */
  onRetry: (error: ServiceError, after: number) => void;
  /** Told before each try, and when a try is known to have started nothing. */
  onRequest?: (state: RequestState) => void;
}

export type SendResult<R> =
  | { type: "accepted"; reply: R }
  /** `uncertain`: the request was under way, and may have been received. */
  | { type: "stopped"; uncertain: boolean }
  | { type: "refused"; error: ServiceError; explained: ActionError };

/** Sends a request, again where that is safe, until it is accepted, refused or stopped. */
export async function send<R>(sending: Sending<R>): Promise<SendResult<R>> {
  const { explain, rules, clock, random, stop, abandon, onRetry, onRequest } = sending;
  let tries = NO_TRIES;
  while (!stop.aborted) {
    try {
      onRequest?.("uncertain");
      const limit = Math.max(LEAST_LIMIT, rules.deadline - clock.now());
      return { type: "accepted", reply: await sending.send({ limit, signal: abandon }) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.failure.type === "stopped")
        return { type: "stopped", uncertain: error.failure.sent };
      const next = retryAfterFailure(error, tries, rules, clock.now(), random());
      if (next.type === "give-up") {
        return { type: "refused", error, explained: explain(error) };
      }
      tries = next.tries;
      onRequest?.("refused");
      if (!stop.aborted) onRetry(error, next.after);
      await clock.sleep(next.after, stop);
    }
  }
  return { type: "stopped", uncertain: false };
}
