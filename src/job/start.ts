import { ActionError } from "../runtime/errors.ts";
import type { Agent, Job, Reply } from "../service/agent.ts";
import { isStatus } from "../service/errors.ts";
import { type PollState, pollContinued, pollCreated, TAKEN_UP } from "./poll.ts";
import {
  type RetryRules,
  type SendDependencies,
  type Sending,
  type SendResult,
  send,
} from "./send.ts";
import type { Outcome } from "./step-result.ts";

/** What a run requests from the service. */
export type JobTask =
  | { type: "create"; prompt: string }
  | { type: "follow-up"; jobId: string; prompt: string }
  /** A follow-up to the job of a conversation; a new job if that one does not accept it. */
  | { type: "continue"; jobId: string; prompt: string }
  /** No request: the run waits for an existing job. */
  | { type: "take-up"; jobId: string };

/** Reasons for a new job instead of the conversation's, in the words of a note. */
const WHY_NEW_JOB = {
  "runs-v1": "cannot receive messages through version 1 of the agent API",
  "started-by-v1": "was started with version 1 of the agent API",
  // From the service's record of the job, or its answer to the message.
  unknown: "is no longer known to the service",
  "not-taken": "did not accept another message",
  busy: "was still busy with the previous request",
  merged: "has a merged pull request",
  closed: "has a closed pull request",
};

export type WhyNewJob = keyof typeof WHY_NEW_JOB;

/** The note about a new job instead of the conversation's. */
export function noteOfNewJob(why: WhyNewJob): string {
  return `The job of this conversation ${WHY_NEW_JOB[why]}, so a new job was started.`;
}

/** How long a request may still take after a signal, so that its answer can name the job, in milliseconds. */
const GRACE = 1_200;

/** Sends a prompt to a job. @param jobId null for a new job */
function sendPrompt(
  agent: Agent,
  jobId: string | null,
  prompt: string,
  sending: Pick<Sending<Reply>, "rules" | "onRequest">,
  dependencies: SendDependencies,
): Promise<SendResult<Reply>> {
  const isNew = jobId === null;
  const create: Sending<Reply>["send"] = (options) =>
    isNew ? agent.create(prompt, options) : agent.message(jobId, prompt, options);
  const abandon = dependencies.cancellation.after(GRACE);
  const operation = isNew ? "create" : "message";
  return send<Reply>({ ...sending, send: create, operation, abandon }, dependencies);
}

export interface StartOptions {
  agent: Agent;
  rules: RetryRules;
  /** Called before and after each attempt with the state of the request. */
  onRequest: Sending<Reply>["onRequest"];
  /** Called before a new job is started because a job does not accept the message. */
  onNewJob: (why: WhyNewJob) => void;
}

/** A job that this run waits for. */
export interface Running {
  id: string;
  state: PollState;
}

/** Statuses that mean that the job will not accept a message. */
const NOT_TAKEN: Record<number, WhyNewJob> = {
  400: "not-taken",
  404: "unknown",
  409: "busy",
  410: "unknown",
};

/** Creates a job, sends a follow-up, or continues an existing job. */
export async function start(
  task: JobTask,
  { agent, rules, onRequest, onNewJob }: StartOptions,
  dependencies: SendDependencies,
): Promise<{ running: Running } | { outcome: Outcome }> {
  if (task.type === "take-up") return { running: { id: task.jobId, state: TAKEN_UP } };
  const { prompt } = task;
  let jobId = task.type === "create" ? null : task.jobId;
  const attempt = () => {
    const sending = { rules: { ...rules, isToJob: jobId !== null }, onRequest };
    return sendPrompt(agent, jobId, prompt, sending, dependencies);
  };
  let sent = await attempt();
  const failure = sent.type === "refused" ? sent.error.failure : null;
  const why = failure?.type === "status" ? NOT_TAKEN[failure.status] : undefined;
  if (task.type === "continue" && why !== undefined) {
    onNewJob(why);
    jobId = null;
    sent = await attempt();
  }
  if (sent.type === "accepted") {
    const { job } = sent.reply;
    const now = dependencies.clock.now();
    return jobId === null
      ? { running: { id: job.id, state: pollCreated(job, now) } }
      : { running: { id: jobId, state: pollContinued(job, now) } };
  }
  const fields = { id: jobId ?? "", job: null, request: sent.request };
  return sent.type === "stopped"
    ? { outcome: { type: "cancelled", ...fields } }
    : { outcome: { type: "error", ...fields, error: sent.explained } };
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
  dependencies: SendDependencies,
): Promise<Delivered> {
  const rules = { pace: RETRY_PACE, deadline: dependencies.clock.now() + PATIENCE };
  const result = await sendPrompt(agent, jobId, prompt, { rules }, dependencies);
  const isFollowUp = jobId !== null;
  if (result.type !== "accepted") {
    return { ...NOTHING, isFollowUp, ...notAccepted(result, isFollowUp, ifUncertain) };
  }
  const job = { ...result.reply.job, id: jobId ?? result.reply.job.id };
  const sent = { type: "accepted", jobId: job.id, isFollowUp } as const;
  return { ...NOTHING, isFollowUp, job, sent };
}

const NOTHING = {
  ...{ sent: { type: "withdrawn" } as Sent, job: null, isFollowUp: false, error: null },
  ...{ reason: null, refusal: null, isKeyRefused: false },
} satisfies Delivered;

function notAccepted(
  result: Exclude<SendResult<Reply>, { type: "accepted" }>,
  isFollowUp: boolean,
  ifUncertain: string,
): Partial<Delivered> {
  const isUncertain = result.request === "uncertain";
  const maybe = `The service may have received the request, so it is not sent again. ${ifUncertain}`;
  if (result.type === "stopped") {
    const why = "The workflow run was cancelled";
    const advice = isUncertain ? maybe : "The request was not sent. The next run continues.";
    const error = new ActionError("cancelled", `${why} before the service answered.`, advice);
    return isUncertain ? { error, sent: { type: "uncertain", why } } : { error };
  }
  const { error: cause, explained } = result;
  const { failure } = cause;
  if (isUncertain) {
    const error = new ActionError(explained.kind, explained.what, maybe, { cause });
    return { error, sent: { type: "uncertain", why: cause.message } };
  }
  if (isStatus(failure, 429)) return { reason: "limited" };
  if (isFollowUp && isStatus(failure, 409)) return { reason: "busy" };
  if (isFollowUp && isStatus(failure, 400, 404, 410)) return { refusal: "job" };
  const refusal = isStatus(failure, 400, 413, 422) ? "content" : null;
  return { error: explained, refusal, isKeyRefused: isStatus(failure, 401, 403, 404, 410) };
}
