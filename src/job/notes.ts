/** Why a request goes to a new job instead of the conversation's. */
export type WhyNewJob =
  /** This run, or the one that started the job, uses version 1 of the agent interface. */
  | "runs-v1"
  | "started-by-v1"
  /** What the service says of the job, or answers to the message. */
  | "unknown"
  | "not-taken"
  | "busy"
  /** The job's pull request is merged or closed. */
  | "merged"
  | "closed";

const WHY: Record<WhyNewJob, string> = {
  "runs-v1": "cannot be sent a message by version 1 of the agent interface",
  "started-by-v1": "was started by version 1 of the agent interface",
  unknown: "is no longer known to the service",
  "not-taken": "did not take a further message",
  busy: "was still busy with the request before",
  merged: "has a pull request that is merged",
  closed: "has a pull request that is closed",
};

/** What a run notes when it starts a new job instead of going on with the conversation's. */
export function noteOfNewJob(why: WhyNewJob): string {
  return `The job of this conversation ${WHY[why]}, so a new one was started.`;
}

/** What a run notes when it cannot know whether an earlier attempt's request was received. */
export const NOTE_OF_SECOND_REQUEST =
  "An earlier attempt may have sent this request already; it was sent again. Look at the service's dashboard if you see two results.";
