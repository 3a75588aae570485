import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Agent, CallOptions, Job } from "../service/agent.ts";
import { isStatus } from "../service/errors.ts";
import { type Sending, type SendResult, send } from "./send.ts";

/** What a run requests from the service. */
export type JobTask =
  | { type: "create"; prompt: string }
  | { type: "follow-up"; jobId: string; prompt: string }
  /** A follow-up to the job of a conversation; a new job if that one does not accept it. */
  | { type: "continue"; jobId: string; prompt: string }
  /** No request: the run waits for an existing job. */
  | { type: "take-up"; jobId: string };

/** Sends a prompt to a job. @param jobId null for a new job */
export function sendPrompt(
  agent: Agent,
  jobId: string | null,
  prompt: string,
  sending: Omit<Sending<Job>, "send" | "operation">,
  dependencies: Dependencies,
): Promise<SendResult<Job>> {
  const operation = jobId === null ? "create" : "message";
  const attempt = (options: CallOptions) => agent.send(jobId, prompt, options);
  return send({ ...sending, operation, send: attempt }, dependencies);
}

/** The result of a request in a run that does not wait. */
export type Sent =
  | { type: "accepted"; jobId: string; isFollowUp: boolean }
  /** Nothing was started. */
  | { type: "withdrawn" }
  | { type: "uncertain"; why: string };

/** For a warning, where the reason is `limited`. */
export const SERVICE_LIMIT =
  "The service's limit of 100 uses per project per hour is reached. What was not sent waits for a later run.";

/** The result of a request, for the ledger and for the step. */
export interface Delivered {
  sent: Sent;
  /** The job that accepted it; null if none did. */
  job: Job | null;
  /** Whether the job existed before. */
  isFollowUp: boolean;
  /** Why the step fails; null if it does not. */
  error: ActionError | null;
  /** Why nothing was sent, if a later run can send it. */
  reason: "limited" | "busy" | null;
  /** The service refused its content, or the job does not accept it. */
  refusal: "content" | "job" | null;
  /** The service has refused the key or the project. */
  isKeyRefused: boolean;
}

/** How long a run that does not wait repeats a request, in milliseconds. */
const PATIENCE = 8_000;
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
): Promise<Delivered> {
  const deadline = dependencies.clock.now() + PATIENCE;
  // A later run sends it to a job that is busy now.
  const sending = { pace: RETRY_PACE, deadline, busyLimit: 0 };
  const result = await sendPrompt(agent, jobId, prompt, sending, dependencies);
  const isFollowUp = jobId !== null;
  const delivered: Delivered = {
    ...{ sent: { type: "withdrawn" }, job: null, isFollowUp, error: null },
    ...{ reason: null, refusal: null, isKeyRefused: false },
  };
  if (result.type === "accepted") {
    const job = result.reply;
    return { ...delivered, job, sent: { type: "accepted", jobId: job.id, isFollowUp } };
  }
  const maybe = `The service may have received the request, so it is not sent again. ${ifUncertain}`;
  const isUncertain = result.request === "uncertain";
  if (result.type === "stopped") {
    const why = "The workflow run was cancelled";
    const advice = isUncertain ? maybe : "The request was not sent. The next run continues.";
    const error = new ActionError("cancelled", `${why} before the service answered.`, advice);
    return { ...delivered, error, ...(isUncertain && { sent: { type: "uncertain", why } }) };
  }
  const { error: cause, explained } = result;
  if (isUncertain) {
    const error = new ActionError(explained.kind, explained.what, maybe, { cause });
    return { ...delivered, error, sent: { type: "uncertain", why: cause.message } };
  }
  const { failure } = cause;
  if (isStatus(failure, 429)) return { ...delivered, reason: "limited" };
  if (isFollowUp && isStatus(failure, 409)) return { ...delivered, reason: "busy" };
  if (isFollowUp && isStatus(failure, 400, 404, 410)) return { ...delivered, refusal: "job" };
  const refusal = isStatus(failure, 400, 413, 422) ? "content" : null;
  const isKeyRefused = isStatus(failure, 401, 403, 404, 410);
  return { ...delivered, error: explained, refusal, isKeyRefused };
}
