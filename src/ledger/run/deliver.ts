import { explain } from "../../job/failures.ts";
import type { PollPace } from "../../job/schedule.ts";
import { send } from "../../job/send.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import { ActionError } from "../../runtime/errors.ts";
import type { Agent, Job, Reply } from "../../service/agent.ts";
import { isStatus, type ServiceError } from "../../service/errors.ts";
import { duration } from "../../text/markdown.ts";
import { sentence } from "../../text/sentence.ts";
import type { SendResult } from "../protocol/effects.ts";

/** How long a request that was surely not received is tried again, in milliseconds: a run takes seconds. */
const PATIENCE = 8_000;
const RETRY_PACE: PollPace = { initial: 500, max: 2_000 };
/** After a signal, in milliseconds: how long a request may still bring the job's id. */
const GRACE = 1_200;

/** Where a batch goes. */
export type Target = { type: "new" } | { type: "job"; jobId: string };

/** How a request came out, for the ledger and for the step. */
export interface Delivered {
  sent: SendResult;
  /** The job that took it; null when none did. */
  job: Job | null;
  /** Whether the job was there before. */
  isFollowUp: boolean;
  /** What the step makes of it; null: it succeeds. */
  error: ActionError | null;
  /** Set when nothing was sent for a reason that passes. */
  reason: "limited" | "busy" | null;
}

/** How a request came out, and what a refusal says of it. */
interface DeliveredOrNot extends Delivered {
  /** The service no longer knows the job. */
  isGone: boolean;
  /** The service refused the request for what it holds. */
  isRejected: boolean;
}

/** Sends a prompt to a new job, or as a follow-up to one. */
export async function deliver(
  agent: Agent,
  target: Target,
  prompt: string,
  { clock, random, log, cancellation }: Dependencies,
): Promise<DeliveredOrNot> {
  const isFollowUp = target.type === "job";
  const operation = isFollowUp ? "message" : "create";
  const outcome = await send<Reply>({
    send: (options) =>
      isFollowUp ? agent.message(target.jobId, prompt, options) : agent.create(prompt, options),
    explain: (error) => explain(error, operation),
    rules: { pace: RETRY_PACE, deadline: clock.now() + PATIENCE, isToJob: false },
    ...{ clock, random },
    stop: cancellation.stop,
    abandon: cancellation.after(GRACE),
    onRetry: (error, after) =>
      log.info(`${sentence(error.message)} Trying again in ${duration(after)}.`),
  });
  const plain = { job: null, isFollowUp, error: null, reason: null };
  const flags = { isGone: false, isRejected: false };
  switch (outcome.type) {
    case "accepted": {
      const { job } = outcome.reply;
      const jobId = isFollowUp ? target.jobId : job.id;
      return { ...plain, ...flags, job: { ...job, id: jobId }, sent: { type: "accepted", jobId } };
    }
    case "stopped": {
      const why = "the workflow run was cancelled";
      const type = outcome.uncertain ? "uncertain" : "refused";
      const error = new ActionError(
        "cancelled",
        "The workflow run was cancelled before the service answered.",
        outcome.uncertain
          ? "The service may have received the request. Decide on the dashboard whether to send it again."
          : "The request was not sent. The next run continues.",
      );
      return { ...plain, ...flags, error, sent: { type, why } };
    }
    case "refused":
      return { ...plain, ...refused(outcome.error, outcome.explained, isFollowUp) };
  }
}

function refused(
  error: ServiceError,
  explained: ActionError,
  isFollowUp: boolean,
): Omit<DeliveredOrNot, "job" | "isFollowUp"> {
  const { failure } = error;
  const why = error.message;
  const isGone = isFollowUp && isStatus(failure, 404, 410);
  const isRejected = isStatus(failure, 400, 413, 422);
  const withdrawn = { sent: { type: "refused", why } as const, isGone, isRejected };
  if (isGone) return { ...withdrawn, error: null, reason: null };
  if (isStatus(failure, 429)) return { ...withdrawn, error: null, reason: "limited" };
  if (isFollowUp && isStatus(failure, 409)) return { ...withdrawn, error: null, reason: "busy" };
  const isOpen = explained.kind === "create-uncertain" || failure.type === "unreadable";
  if (!isOpen) return { ...withdrawn, error: explained, reason: null };
  return { ...withdrawn, sent: { type: "uncertain", why }, error: explained, reason: null };
}
