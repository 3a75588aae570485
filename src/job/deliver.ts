import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Agent, Job, Reply } from "../service/agent.ts";
import { isStatus } from "../service/errors.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import { explain } from "./failures.ts";
import type { PollPace } from "./schedule.ts";
import { type SendResult, send } from "./send.ts";

/** How long a request that was surely not received is tried again, in milliseconds: a run takes seconds. */
const PATIENCE = 8_000;
const RETRY_PACE: PollPace = { initial: 500, max: 2_000 };
/** After a signal, in milliseconds: how long a request may still bring the job's id. */
const GRACE = 1_200;

/** What became of a request that nobody waits for. */
export type Sent =
  | { type: "accepted"; jobId: string; isFollowUp: boolean }
  /** Nothing was started. */
  | { type: "withdrawn" }
  | { type: "uncertain"; why: string };

/** For a warning, where the reason is `limited`. */
export const SERVICE_LIMIT =
  "The service's limit of 100 uses per project per hour is reached. What was not sent waits for a later run.";

/** How a request came out, for whoever remembers it and for the step. */
export interface Delivered {
  sent: Sent;
  /** The job that took it; null: none did. */
  job: Job | null;
  /** Whether the job was there before. */
  isFollowUp: boolean;
  /** Why the step fails; null: it does not. */
  error: ActionError | null;
  /** Why nothing was sent, if that passes. */
  reason: "limited" | "busy" | null;
  /** The service refused it for what it holds, or the job does not take it. */
  refusal: "content" | "job" | null;
  /** The service has refused the key or the project. */
  isKeyRefused: boolean;
}

/**
 * Sends a prompt to a new job, or as a follow-up to one.
 *
 * @param jobId null for a new job
 */
export async function deliver(
  agent: Agent,
  jobId: string | null,
  prompt: string,
  { clock, random, log, cancellation }: Dependencies,
): Promise<Delivered> {
  const operation = jobId === null ? "create" : "message";
  const result = await send<Reply>({
    send: (options) =>
      jobId === null ? agent.create(prompt, options) : agent.message(jobId, prompt, options),
    explain: (error) => explain(error, operation),
    rules: { pace: RETRY_PACE, deadline: clock.now() + PATIENCE, isToJob: false },
    ...{ clock, random },
    stop: cancellation.stop,
    abandon: cancellation.after(GRACE),
    onRetry: (error, after) =>
      log.info(`${sentence(error.message)} Trying again in ${duration(after)}.`),
  });
  const isFollowUp = jobId !== null;
  if (result.type !== "accepted") {
    return {
      ...NOTHING,
      isFollowUp,
      ...(result.type === "stopped" ? stopped(result) : refused(result, isFollowUp)),
    };
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

function stopped({ uncertain }: Extract<SendResult<Reply>, { type: "stopped" }>) {
  const error = new ActionError(
    "cancelled",
    "The workflow run was cancelled before the service answered.",
    uncertain
      ? "The service may have received the request. Decide on the dashboard whether to send it again."
      : "The request was not sent. The next run continues.",
  );
  const why = "The workflow run was cancelled";
  return { error, ...(uncertain ? { sent: { type: "uncertain", why } as const } : {}) };
}

function refused(
  { error, explained }: Extract<SendResult<Reply>, { type: "refused" }>,
  isFollowUp: boolean,
): Partial<Delivered> {
  const { failure } = error;
  if (isStatus(failure, 429)) return { reason: "limited" };
  if (isFollowUp && isStatus(failure, 409)) return { reason: "busy" };
  if (isFollowUp && isStatus(failure, 400, 404, 410)) return { refusal: "job" };
  const isOpen = explained.kind === "create-uncertain" || failure.type === "unreadable";
  if (isOpen) return { error: explained, sent: { type: "uncertain", why: error.message } };
  const isContent = isStatus(failure, 400, 413, 422);
  const isKeyRefused = isStatus(failure, 401, 403, 404, 410);
  return { error: explained, refusal: isContent ? "content" : null, isKeyRefused };
}
