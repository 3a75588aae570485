import type { FeedbackPlan } from "../github/feedback.ts";
import type { CommentRef } from "../github/status-comment.ts";
import type { Policy } from "../job/step-result.ts";
import type { Agent } from "../service/agent.ts";

/** What a report and a poll need besides the key and the token. Plain data: it is saved for the post step. */
export interface RunSettings {
  api: Agent["version"];
  projectId: string;
  baseUrl: string;
  githubApiUrl: string;
  wait: boolean;
  policy: Policy;
  feedback: FeedbackPlan;
  /** Set when the job's pull request gets an invitation to go on there. */
  invitation: { phrase: string; askedIn: number | null } | null;
  /** Beginning of the run, in milliseconds since 1970. */
  startedAt: number;
}

/** What the main step leaves for its post step. */
export interface SavedRun {
  /** `starting`: a job may have been requested; `reported`: nothing is left to do. */
  phase: "starting" | "running" | "reported";
  /** Empty when there is none. */
  jobId: string;
  /** When the comment was written, in milliseconds since 1970: the time that its marker holds. */
  markedAt: number;
  comment: CommentRef | null;
  settings: RunSettings;
}
