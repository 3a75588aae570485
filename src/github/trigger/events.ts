/** Which events start a run, and whose permission they need. The table in docs/security.md is made of this one. */

import type { Payload } from "./run-context.ts";

/** What a run of an event needs. */
export type EventRule =
  /** With a phrase, a request by its author; without one, the permission of its author and its sender. */
  | "asks"
  /** Nothing: only somebody with access to the repository, or nobody, can cause it. */
  | "runs"
  /** The permission of its sender, with a phrase or without. */
  | "sender"
  /** What the run before it needs. */
  | "after-run"
  /** With a phrase, there is none; without one, the permission of its sender. */
  | "closed";

/** One kind of events that is not closed. */
export interface EventRow {
  event: string;
  /** Null for any. */
  action: string | null;
  /** Whether only a pull request that was merged counts. */
  isMerged: boolean;
  rule: Exclude<EventRule, "closed">;
}

function row(event: string, action: string | null, rule: EventRow["rule"]): EventRow {
  return { event, action, isMerged: action === "closed", rule };
}

/** Every event that may start a run. All others are closed. A called workflow has its caller's event. */
export const EVENT_ROWS: readonly EventRow[] = [
  row("issue_comment", "created", "asks"),
  row("pull_request_review_comment", "created", "asks"),
  row("pull_request_review", "submitted", "asks"),
  row("issues", "opened", "asks"),
  row("schedule", null, "runs"),
  row("push", null, "runs"),
  row("release", null, "runs"),
  row("workflow_dispatch", null, "runs"),
  row("repository_dispatch", null, "runs"),
  row("pull_request", "closed", "runs"),
  row("pull_request_target", "closed", "runs"),
  // An issue form sets labels in the name of whoever opens the issue.
  row("issues", "labeled", "sender"),
  row("pull_request", "labeled", "sender"),
  row("pull_request_target", "labeled", "sender"),
  row("workflow_run", null, "after-run"),
];

/** What a run of an event needs. */
export function ruleOf(
  eventName: string,
  { action, pull_request: pull }: Pick<Payload, "action" | "pull_request">,
): EventRule {
  const found = EVENT_ROWS.find(
    (row) =>
      row.event === eventName &&
      (row.action === null || row.action === action) &&
      (!row.isMerged || pull?.merged === true),
  );
  return found?.rule ?? "closed";
}

/** The events of a run, in this repository, after which another one starts as it is. */
export const RUNS_BEFORE: readonly string[] = [
  "push",
  "pull_request",
  "schedule",
  "workflow_dispatch",
  "repository_dispatch",
  "release",
  "merge_group",
];
