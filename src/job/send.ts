import { loggedSleep } from "../runtime/clock.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Agent, CallOptions, Job } from "../service/agent.ts";
import {
  isPassing,
  isStatus,
  ServiceError,
  stoppedRequest,
  wasTurnedAway,
} from "../service/errors.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import { CREATE, explain, isStart, MESSAGE, type Operation } from "./failures.ts";
import { delayBefore, type PollPace } from "./poll.ts";

/** What a run requests from the service. */
export type JobTask =
  | { type: "create"; prompt: string }
  | { type: "follow-up"; jobId: string; prompt: string }
  /** A follow-up to the job of a conversation; a new job if that one does not accept it. */
  | { type: "continue"; jobId: string; prompt: string }
  /** No request: the run waits for an existing job. */
  | { type: "take-up"; jobId: string };

/**
 * The state of a run's request: `accepted` by the service; `refused`, or never sent, so that nothing was started;
 * `uncertain` if the service may have received it.
 */
export type RequestState = "accepted" | UnacceptedState;
export type UnacceptedState = "refused" | "uncertain";

/** Maximum number of repetitions of a request that cannot have been received. */
const MAX_UNRECEIVED = 5;
/** First delay after a 429 without `Retry-After`, and the largest, in milliseconds. */
const LIMITED = { initial: 5_000, max: 60_000 };
/** Minimum delay after a 429 or 409, even for a shorter `Retry-After`, in milliseconds. */
const LEAST_DELAY = 1_000;
/** Delay before a message is repeated to a busy job, in milliseconds. */
const BUSY_DELAY = 5_000;

export interface Sending<R> {
  send: (options: CallOptions) => Promise<R>;
  operation: Operation;
  /** The delays before a request that cannot have been received is repeated. Default: 1 s to 8 s. */
  pace?: PollPace;
  /** Nothing is repeated after this time, in milliseconds on the run's clock. */
  deadline: number;
  /** How long a message is repeated to a busy job, in milliseconds. Default: a minute. */
  busyLimit?: number;
  /** Called before each attempt, and after an attempt that certainly started nothing. */
  onRequest?: (state: UnacceptedState) => void;
}

/** What decides whether a request is repeated, and when. */
export type RetryRules = Omit<Sending<unknown>, "send" | "onRequest">;

/**
 * @param now milliseconds on the run's clock
 * @param random a number from 0 to 1
 * @returns the delay before the request is repeated, in milliseconds; null if it is not
 */
type RetryDelay = (error: ServiceError, now: number, random: number) => number | null;

/**
 * Counts the failures of one request, and decides after each of them. A request that starts something is repeated only
 * if it was not received, or was refused for now, so that one request never starts two jobs.
 */
export function retries({
  operation,
  pace = { initial: 1_000, max: 8_000 },
  deadline,
  busyLimit = 60_000,
}: RetryRules): RetryDelay {
  let unreceived = 0;
  let limited = 0;
  let busyUntil: number | null = null;

  return (error, now, random) => {
    const { failure, retryAfter } = error;
    const inTime = (after: number, until = deadline) => (now + after > until ? null : after);
    if (isStatus(failure, 429)) {
      const doubled = Math.min(LIMITED.max, LIMITED.initial * 2 ** limited);
      limited += 1;
      return inTime(Math.max(LEAST_DELAY, retryAfter ?? doubled));
    }
    // A job that is busy may take the message later.
    if (operation.starts === "message" && isStatus(failure, 409)) {
      busyUntil ??= Math.min(deadline, now + busyLimit);
      const delay = Math.min(BUSY_DELAY, pace.max);
      return inTime(Math.max(Math.min(LEAST_DELAY, delay), retryAfter ?? delay), busyUntil);
    }
    const isUnreceived = failure.type === "unreached" || wasTurnedAway(error);
    if (!isUnreceived && !(operation.isRepeatable && isPassing(error))) return null;
    unreceived += 1;
    if (unreceived > MAX_UNRECEIVED) return null;
    return inTime(Math.max(retryAfter ?? 0, delayBefore(unreceived, pace, random)));
  };
}

/** Minimum time for a question or a list, even at the deadline, in milliseconds. */
const LEAST_LIMIT = 2_000;

/** How long such a request may still take after a signal, so that its answer can name the job, in milliseconds. */
const GRACE = 1_200;

export type SendResult<R> =
  | { type: "accepted"; reply: R }
  | {
      type: "refused";
      request: UnacceptedState;
      error: ServiceError;
      explained: ActionError;
    };

/** Sends a request, again where that is safe, until it is accepted or refused, or the run is cancelled. */
export async function send<R>(
  sending: Sending<R>,
  { clock, random, log, cancellation }: Dependencies,
): Promise<SendResult<R>> {
  const { operation, deadline, onRequest } = sending;
  // An unanswered list or question has no effects, so the run does not wait for it.
  const starts = isStart(operation);
  const abandon = starts ? cancellation.after(GRACE) : cancellation.stop;
  const { stop } = cancellation;
  const delayAfter = retries(sending);
  const sleep = loggedSleep(clock, (remaining) => {
    log.info(`The service has not taken the request yet. Trying again in ${duration(remaining)}.`);
  });
  const refused = (error: ServiceError): SendResult<R> => {
    const { failure } = error;
    const explained = explain(error, operation);
    // If the answer is missing or cannot be read, it is unknown whether something was started.
    const isOpen = explained.kind === "create-uncertain" || failure.type === "unreadable";
    const isUncertain = failure.type === "stopped" ? failure.sent : isOpen;
    return { type: "refused", request: isUncertain ? "uncertain" : "refused", error, explained };
  };
  while (!stop.aborted) {
    try {
      onRequest?.("uncertain");
      const remaining = Math.max(LEAST_LIMIT, deadline - clock.now());
      // The deadline is for repetitions. A request that is cut off leaves unknown whether a job exists.
      const limit = starts ? Number.POSITIVE_INFINITY : remaining;
      return { type: "accepted", reply: await sending.send({ limit, signal: abandon }) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const delay = delayAfter(error, clock.now(), random());
      if (delay === null) return refused(error);
      onRequest?.("refused");
      if (!stop.aborted) log.info(`${sentence(error.message)} Trying again in ${duration(delay)}.`);
      await sleep(delay, stop);
    }
  }
  return refused(stoppedRequest(false));
}

/** Sends a prompt to a job. @param jobId null for a new job */
export function sendPrompt(
  agent: Pick<Agent, "send">,
  jobId: string | null,
  prompt: string,
  sending: Omit<Sending<Job>, "send" | "operation">,
  dependencies: Dependencies,
): Promise<SendResult<Job>> {
  const operation = jobId === null ? CREATE : MESSAGE;
  const attempt = (options: CallOptions) => agent.send(jobId, prompt, options);
  return send({ ...sending, operation, send: attempt }, dependencies);
}

/** For a warning, where a delivery is limited. */
export const SERVICE_LIMIT =
  "The service's limit of 100 uses per project per hour is reached. What was not sent waits for a later run.";

/** The result of a request in a run that does not wait. */
export type Delivery =
  | { type: "accepted"; job: Job; isFollowUp: boolean }
  /** The service accepts no more requests for now. A later run can send it. */
  | { type: "limited" }
  /** The job accepts no message for now. A later run can send it. */
  | { type: "busy" }
  /** The job accepts no follow-up. */
  | { type: "refused"; by: "job" }
  /** The service refused the content. */
  | { type: "refused"; by: "content"; error: ActionError }
  /** The service refused the key or the project. */
  | { type: "refused"; by: "key"; error: ActionError }
  /** Nothing was started. */
  | { type: "withdrawn"; error: ActionError }
  /** The service may have received it. */
  | { type: "uncertain"; reason: string; error: ActionError };

/** Why a request failed; null if it did not, or if none was made. */
export function errorOf(
  delivery: { readonly type: string; readonly error?: ActionError } | null,
): ActionError | null {
  return delivery?.error ?? null;
}

/** How long a run that does not wait repeats a request, in milliseconds. */
const DELIVERY_LIMIT = 8_000;
const RETRY_PACE = { initial: 500, max: 2_000 };

/**
 * Sends a prompt to a new job, or as a follow-up, without waiting for the job.
 *
 * @param jobId null for a new job
 * @param ifUncertain advice for a request that the service may have received
 */
export async function deliver(
  agent: Pick<Agent, "send">,
  jobId: string | null,
  prompt: string,
  ifUncertain: string,
  dependencies: Dependencies,
): Promise<Delivery> {
  const deadline = dependencies.clock.now() + DELIVERY_LIMIT;
  // A later run sends it to a job that is busy now.
  const sending = { pace: RETRY_PACE, deadline, busyLimit: 0 };
  const result = await sendPrompt(agent, jobId, prompt, sending, dependencies);
  const isFollowUp = jobId !== null;
  if (result.type === "accepted") return { type: "accepted", job: result.reply, isFollowUp };
  const { request, error: cause, explained } = result;
  if (request === "uncertain") {
    const advice = `The service may have received the request, so it is not sent again. ${ifUncertain}`;
    const error = new ActionError(explained.kind, explained.problem, advice, { cause });
    return { type: "uncertain", reason: cause.message, error };
  }
  const { failure } = cause;
  if (isStatus(failure, 429)) return { type: "limited" };
  if (isFollowUp && isStatus(failure, 409)) return { type: "busy" };
  if (isFollowUp && isStatus(failure, 400, 404, 410)) return { type: "refused", by: "job" };
  if (isStatus(failure, 400, 413, 422)) return { type: "refused", by: "content", error: explained };
  const isKeyRefused = isStatus(failure, 401, 403, 404, 410);
  if (isKeyRefused) return { type: "refused", by: "key", error: explained };
  return { type: "withdrawn", error: explained };
}
