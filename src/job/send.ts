import { toldSleep } from "../runtime/clock.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Agent, CallOptions, Job, Reply } from "../service/agent.ts";
import { isStatus, ServiceError } from "../service/errors.ts";
import { duration } from "../text/markdown.ts";
import { explain } from "./failures.ts";
import { type PollState, pollContinued, pollCreated, TAKEN_UP } from "./poll.ts";
import { logRetry, NO_TRIES, type RetryRules, retryAfterFailure } from "./schedule.ts";
import type { Outcome } from "./step-result.ts";
import type { JobTask, RequestState, WhyNewJob } from "./task.ts";

/**
 * Minimum time for a request, even at the deadline, in milliseconds. After an abort, it would be unknown whether
 * there is a job.
 */
const LEAST_LIMIT = 2_000;
/** How long a request may still take after a signal, so that its answer can name the job, in milliseconds. */
const GRACE = 1_200;
/** How long a run that does not wait repeats a request, in milliseconds. */
const PATIENCE = 8_000;
const RETRY_PACE = { initial: 500, max: 2_000 };

/** A request that starts something. */
export interface Sending<R> {
  send: (options: CallOptions) => Promise<R>;
  /** Explains a failure that is not retried. */
  explain: (error: ServiceError) => ActionError;
  rules: RetryRules;
  /** Stops an unanswered request. It comes later than the end of the run, so that the answer can still name a job. */
  abandon: AbortSignal;
  /** Called before each attempt, and after an attempt that certainly started nothing. */
  onRequest?: ((state: RequestState) => void) | undefined;
}

export type SendResult<R> =
  | { type: "accepted"; reply: R }
  /** The run was cancelled; `uncertain`: the request was under way, and may have been received. */
  | { type: "stopped"; request: RequestState }
  | { type: "refused"; request: RequestState; error: ServiceError; explained: ActionError };

type SendDependencies = Pick<Dependencies, "clock" | "random" | "log" | "cancellation">;

/** Sends a request, again where that is safe, until it is accepted, refused or stopped. */
export async function send<R>(
  sending: Sending<R>,
  { clock, random, log, cancellation: { stop } }: SendDependencies,
): Promise<SendResult<R>> {
  const { explain, rules, abandon, onRequest } = sending;
  let tries = NO_TRIES;
  const sleep = toldSleep(clock, (left) => {
    log.info(`The service has not taken the request yet. Trying again in ${duration(left)}.`);
  });
  while (!stop.aborted) {
    try {
      onRequest?.("uncertain");
      const limit = Math.max(LEAST_LIMIT, rules.deadline - clock.now());
      return { type: "accepted", reply: await sending.send({ limit, signal: abandon }) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { failure } = error;
      if (failure.type === "stopped") {
        return { type: "stopped", request: failure.sent ? "uncertain" : "refused" };
      }
      const next = retryAfterFailure(error, tries, rules, clock.now(), random());
      if (next.type === "give-up") {
        const explained = explain(error);
        // If the answer is missing or cannot be read, it is unknown whether something was started.
        const isOpen = explained.kind === "create-uncertain" || failure.type === "unreadable";
        return { type: "refused", request: isOpen ? "uncertain" : "refused", error, explained };
      }
      tries = next.tries;
      onRequest?.("refused");
      if (!stop.aborted) logRetry(log, error, next.after);
      await sleep(next.after, stop);
    }
  }
  return { type: "stopped", request: "refused" };
}

/** Sends a prompt to a job. @param jobId null for a new job */
function sendPrompt(
  agent: Agent,
  jobId: string | null,
  prompt: string,
  { rules, onRequest }: Pick<Sending<Reply>, "rules" | "onRequest">,
  dependencies: SendDependencies,
): Promise<SendResult<Reply>> {
  return send<Reply>(
    {
      send: (options) =>
        jobId === null ? agent.create(prompt, options) : agent.message(jobId, prompt, options),
      explain: (error) => explain(error, jobId === null ? "create" : "message"),
      rules: { isToJob: jobId !== null, ...rules },
      abandon: dependencies.cancellation.after(GRACE),
      onRequest,
    },
    dependencies,
  );
}

export interface StartOptions {
  agent: Agent;
  rules: RetryRules;
  /** Called before and after each attempt with the state of the request. */
  onRequest: (state: RequestState) => void;
  /** Called before a new job is started because a job does not accept the message. */
  onNewJob: (why: WhyNewJob) => void;
}

/** A job that this run is to wait for. */
export interface Running {
  id: string;
  state: PollState;
}

type Started = { type: "running"; running: Running } | { type: "over"; outcome: Outcome };

/** Statuses that mean that the job will not accept a message. */
const NOT_TAKEN: Record<number, WhyNewJob> = {
  400: "not-taken",
  404: "unknown",
  409: "busy",
  410: "unknown",
};

/** Creates a job, sends a follow-up to one, or takes one up, as the task says. */
export async function start(
  task: JobTask,
  options: StartOptions,
  dependencies: SendDependencies,
): Promise<Started> {
  if (task.type === "take-up") {
    return { type: "running", running: { id: task.jobId, state: TAKEN_UP } };
  }
  const { prompt } = task;
  const jobId = task.type === "create" ? null : task.jobId;
  const sent = await sendPrompt(options.agent, jobId, prompt, options, dependencies);
  if (sent.type === "accepted") {
    return { type: "running", running: runningAfter(sent.reply, jobId, dependencies) };
  }
  const why = sent.type === "refused" ? notTaken(sent.error) : undefined;
  if (task.type === "continue" && why !== undefined) {
    options.onNewJob(why);
    return await start({ type: "create", prompt }, options, dependencies);
  }
  const known = { id: jobId ?? "", job: null, request: sent.request };
  return sent.type === "stopped"
    ? { type: "over", outcome: { type: "cancelled", ...known } }
    : { type: "over", outcome: { type: "error", ...known, error: sent.explained } };
}

function runningAfter(
  { job }: Reply,
  jobId: string | null,
  { clock }: Pick<SendDependencies, "clock">,
): Running {
  return jobId === null
    ? { id: job.id, state: pollCreated(job, clock.now()) }
    : { id: jobId, state: pollContinued(job, clock.now()) };
}

function notTaken({ failure }: ServiceError): WhyNewJob | undefined {
  return failure.type === "status" ? NOT_TAKEN[failure.status] : undefined;
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
  /** Whether the job was there before. */
  isFollowUp: boolean;
  /** Why the step fails; null: it does not. */
  error: ActionError | null;
  /** Why nothing was sent, if that passes. */
  reason: "limited" | "busy" | null;
  /** The service refused its content, or the job does not accept it. */
  refusal: "content" | "job" | null;
  /** The service has refused the key or the project. */
  isKeyRefused: boolean;
}

/**
 * Sends a prompt to a new job, or as a follow-up to one, and leaves.
 *
 * @param jobId null for a new job
 * @param ifUncertain what a person does about a request that the service may have received
 */
export async function deliver(
  agent: Agent,
  jobId: string | null,
  prompt: string,
  ifUncertain: string,
  dependencies: SendDependencies,
): Promise<Delivered> {
  const deadline = dependencies.clock.now() + PATIENCE;
  const rules = { pace: RETRY_PACE, deadline, isToJob: false };
  const result = await sendPrompt(agent, jobId, prompt, { rules }, dependencies);
  const isFollowUp = jobId !== null;
  if (result.type !== "accepted") {
    const end =
      result.request === "uncertain" ? uncertain(result, ifUncertain) : refused(result, isFollowUp);
    return { ...NOTHING, isFollowUp, ...end };
  }
  const { job } = result.reply;
  const id = jobId ?? job.id;
  const sent = { type: "accepted", jobId: id, isFollowUp } as const;
  return { ...NOTHING, isFollowUp, job: { ...job, id }, sent };
}

const NOTHING = {
  ...{ sent: { type: "withdrawn" } as Sent, job: null, isFollowUp: false, error: null },
  ...{ reason: null, refusal: null, isKeyRefused: false },
} satisfies Delivered;

type NotAccepted = Exclude<SendResult<Reply>, { type: "accepted" }>;

function uncertain(result: NotAccepted, ifUncertain: string): Partial<Delivered> {
  const advice = `The service may have received the request, so it is not sent again. ${ifUncertain}`;
  if (result.type === "stopped") {
    const why = "The workflow run was cancelled";
    return { error: cancelled(advice), sent: { type: "uncertain", why } };
  }
  const { error: cause, explained } = result;
  const error = new ActionError(explained.kind, explained.what, advice, { cause });
  return { error, sent: { type: "uncertain", why: cause.message } };
}

function refused(result: NotAccepted, isFollowUp: boolean): Partial<Delivered> {
  if (result.type === "stopped") {
    return { error: cancelled("The request was not sent. The next run continues.") };
  }
  const { failure } = result.error;
  if (isStatus(failure, 429)) return { reason: "limited" };
  if (isFollowUp && isStatus(failure, 409)) return { reason: "busy" };
  if (isFollowUp && isStatus(failure, 400, 404, 410)) return { refusal: "job" };
  const isContent = isStatus(failure, 400, 413, 422);
  const isKeyRefused = isStatus(failure, 401, 403, 404, 410);
  return { error: result.explained, refusal: isContent ? "content" : null, isKeyRefused };
}

function cancelled(advice: string): ActionError {
  const what = "The workflow run was cancelled before the service answered.";
  return new ActionError("cancelled", what, advice);
}
