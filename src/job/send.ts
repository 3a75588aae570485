import { loggedSleep } from "../runtime/clock.ts";
import { type Delivery, notSent, type PlainError } from "../runtime/delivery.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Agent, CallOptions, Job } from "../service/agent.ts";
import {
  type Failure,
  isFromBetween,
  isKeyRefused,
  isOutOfCredits,
  isStatus,
  isUnknown,
  orServiceError,
  ServiceError,
  stoppedRequest,
} from "../service/errors.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import { CREATE, explainFailure, isStart, MESSAGE, type Operation } from "./failures.ts";
import { decideRetry, NOTHING_FAILED, type RetryRules } from "./retry.ts";

/** What a run requests from the service. */
export type JobTask =
  | { type: "create"; prompt: string }
  | { type: "follow-up"; jobId: string; prompt: string }
  /** A follow-up to the job of a conversation; a new job if that one does not accept it. */
  | { type: "continue"; jobId: string; prompt: string }
  /**
   * No request: the run waits for an existing job. `oldEndSince`: when its last message was accepted, in milliseconds
   * since 1970, if its end may be from before that; null if not.
   */
  | { type: "take-up"; jobId: string; oldEndSince: number | null };

/**
 * The state of a run's request: `accepted` by the service; `refused`, or never sent, so that nothing was started;
 * `uncertain` if the service may have received it.
 */
export type RequestState = "accepted" | UnacceptedState;
export type UnacceptedState = "refused" | "uncertain";

export interface Sending<R> extends RetryRules {
  send: (options: CallOptions) => Promise<R>;
  /** Called before each attempt, and after an attempt that certainly started nothing. */
  onRequest?: (state: UnacceptedState) => void;
}

/** Minimum time for a question or a list, even at the deadline, in milliseconds. */
const LEAST_LIMIT = 2_000;

/** How long such a request may still take after a signal, so that its answer can name the job, in milliseconds. */
const GRACE = 1_200;

/**
 * `refused`: nothing was started. `uncertain`: the service may have received it. `explained`: the error for the step's
 * result.
 */
export type SendResult<R> =
  | { type: "accepted"; reply: R }
  | { type: UnacceptedState; error: ServiceError; explained: ActionError };

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
  const sleep = loggedSleep(clock, (remaining) => {
    log.info(`The service has not taken the request yet. Trying again in ${duration(remaining)}.`);
  });
  let failures = NOTHING_FAILED;
  while (!stop.aborted) {
    onRequest?.("uncertain");
    const remaining = Math.max(LEAST_LIMIT, deadline - clock.now());
    // The deadline is for repetitions. A request that is cut off leaves unknown whether a job exists.
    const limit = starts ? Number.POSITIVE_INFINITY : remaining;
    const reply = await orServiceError(sending.send({ limit, signal: abandon }));
    if (!(reply instanceof ServiceError)) return { type: "accepted", reply };
    const retry = decideRetry(failures, reply, sending, clock.now(), random());
    if (retry === null) return failedSend(reply, operation);
    onRequest?.("refused");
    const { delay } = retry;
    ({ failures } = retry);
    if (!stop.aborted) log.info(`${sentence(reply.message)} Trying again in ${duration(delay)}.`);
    await sleep(delay, stop);
  }
  return failedSend(stoppedRequest(false), operation);
}

/** If the answer is missing or cannot be read, it is unknown whether something was started. */
function failedSend(
  error: ServiceError,
  operation: Operation,
): Exclude<SendResult<never>, { type: "accepted" }> {
  const { failure } = error;
  const explained = explainFailure(error, operation);
  const isOpen = explained.kind === "create-uncertain" || failure.type === "unreadable";
  const isUncertain = failure.type === "stopped" ? failure.sent : isOpen;
  return { type: isUncertain ? "uncertain" : "refused", error, explained };
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

/** Whether a job takes no more messages, after the service has not known it for one: only if a poll says so, too. */
export async function isGone(
  agent: Pick<Agent, "get">,
  jobId: string,
  { cancellation }: Dependencies,
): Promise<boolean> {
  const polled = await orServiceError(agent.get(jobId, { signal: cancellation.stop }));
  if (polled instanceof ServiceError) return isUnknown(polled.failure);
  return polled.job.status === "archived";
}

/** For a warning, where a delivery is limited. */
export const SERVICE_LIMIT =
  "The service's limit of 100 uses per project per hour is reached. What was not sent waits for a later run.";

/** Why a request failed; null if it did not, or if there is nothing to say. */
export function errorOf(delivery: Delivery<unknown> | null): ActionError | null {
  if (delivery === null || !("error" in delivery) || delivery.error === null) return null;
  const { kind, problem, advice } = delivery.error;
  return new ActionError(kind, problem, advice);
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
  agent: Agent,
  jobId: string | null,
  prompt: string,
  ifUncertain: string,
  dependencies: Dependencies,
): Promise<Delivery<Job>> {
  const deadline = dependencies.clock.now() + DELIVERY_LIMIT;
  // A later run sends it to a job that is busy now.
  const sending = { pace: RETRY_PACE, deadline, busyLimit: 0 };
  const result = await sendPrompt(agent, jobId, prompt, sending, dependencies);
  if (result.type === "accepted") return { type: "accepted", value: result.reply };
  const { error: cause, explained } = result;
  const { kind, problem, advice } = explained;
  if (result.type === "uncertain") {
    const known = "The service may have received the request, so it is not sent again.";
    const error = { kind, problem, advice: `${known} ${ifUncertain}`.trim() };
    return { type: "uncertain", reason: saidIn(cause), error };
  }
  const { failure } = cause;
  const mayBeThere = jobId !== null && isUnknown(failure) && isStatus(failure, 404);
  if (mayBeThere && !(await isGone(agent, jobId, dependencies))) return { type: "busy" };
  const delivery = notAccepted(failure, jobId !== null, { kind, problem, advice });
  if (delivery.type !== "refused" || delivery.by !== "content") return delivery;
  return { ...delivery, error: { kind, problem: sentence(saidIn(cause)), advice } };
}

/** What happened, for people who do not need the request. */
const saidIn = ({ apart, message }: ServiceError) => apart?.said ?? message;

/** What became of a request that started nothing. */
function notAccepted(failure: Failure, isFollowUp: boolean, error: PlainError): Delivery<never> {
  if (isOutOfCredits(failure)) return { type: "refused", by: "credits", error };
  if (isStatus(failure, 429)) return { type: "limited" };
  if (isFollowUp && isStatus(failure, 409)) return { type: "busy" };
  if (isFollowUp && (isUnknown(failure) || isStatus(failure, 400, 413, 422))) {
    return { type: "refused", by: "job", error };
  }
  if (isFromBetween(failure) || isStatus(failure, 400, 413, 422)) {
    return { type: "refused", by: "content", error };
  }
  if (isKeyRefused(failure) || isUnknown(failure)) return { type: "refused", by: "key", error };
  return notSent("unreached", error);
}
