import type { FeedbackPlan } from "../github/feedback.ts";
import type { StepMarker } from "../github/markers.ts";
import type { CommentRef } from "../github/status-comment.ts";
import type { Policy } from "../job/step-result.ts";
import type { RequestState } from "../job/task.ts";
import type { Agent } from "../service/agent.ts";

/** What a report and a poll need besides the key and the token. Plain data: it is saved for the post step. */
export interface ReportSettings {
  api: Agent["version"];
  projectId: string;
  baseUrl: string;
  githubApiUrl: string;
  wait: boolean;
  /** Longest wait, in milliseconds. */
  timeout: number;
  /** Whether somebody asked by phrase. */
  isByPhrase: boolean;
  policy: Policy;
  feedback: FeedbackPlan;
  /** Set if the run comments on the job's pull request to invite further requests. */
  invitation: { phrase: string; requestedIn: number | null } | null;
  step: StepMarker;
  /** Beginning of the run, in milliseconds since 1970. */
  startedAt: number;
}

/** What the main step leaves for its post step until it has reported its outcome. */
export interface SavedRun {
  /** Empty if there is none. Of a follow-up, it is always known. */
  jobId: string;
  request: RequestState;
  comment: CommentRef | null;
  /** When a follow-up was accepted whose job may still show its previous end; null if it does not. */
  oldEndSince: number | null;
  settings: ReportSettings;
}
