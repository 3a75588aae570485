/**
 * What became of the request of a run: `accepted` by the service; `refused`, or never sent, so that nothing
 * was started; `uncertain` when it may have been received.
 */
export type RequestState = "accepted" | "refused" | "uncertain";

/** What a run asks of the service. */
export type JobTask =
  | { type: "create"; prompt: string }
  | { type: "follow-up"; jobId: string; prompt: string }
  /** A follow-up to the job of a conversation; a new job, should that one not take it. */
  | { type: "continue"; jobId: string; prompt: string }
  /** No request: the job is there, and is waited for. */
  | { type: "take-up"; jobId: string };

/** Why a request goes to a new job instead of the conversation's. */
export type WhyNewJob =
  /** This run, or the one that started the job, uses version 1 of the agent API. */
  | "runs-v1"
  | "started-by-v1"
  /** From the service's record of the job, or its answer to the message. */
  | "unknown"
  | "not-taken"
  | "busy"
  /** The job's pull request is merged or closed. */
  | "merged"
  | "closed";

const WHY: Record<WhyNewJob, string> = {
  "runs-v1": "cannot receive messages through version 1 of the agent API",
  "started-by-v1": "was started with version 1 of the agent API",
  unknown: "is no longer known to the service",
  "not-taken": "did not accept another message",
  busy: "was still busy with the previous request",
  merged: "has a merged pull request",
  closed: "has a closed pull request",
};

/** What a run notes when it starts a new job instead of continuing that of the conversation. */
export function noteOfNewJob(why: WhyNewJob): string {
  return `The job of this conversation ${WHY[why]}, so a new job was started.`;
}

/** What a run notes when it cannot know whether an earlier attempt's request was received. */
export const NOTE_OF_SECOND_REQUEST =
  "An earlier attempt may already have sent this request, and it was sent again. If you see two results, check the service's dashboard.";
