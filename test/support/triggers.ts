import type { Named } from "../../src/github/trigger/permission.ts";
import type { RunContext } from "../../src/github/trigger/run-context.ts";
import { readCausers, readRequesters, readTrigger } from "../../src/github/trigger/trigger.ts";

export const WRITER = { login: "writer", type: "User" };
export const BOT = { login: "renovate[bot]", type: "Bot" };
export const BODY = "/docs explain retries";
export const NOBODY: Named = { allowedUsers: [], allowedBots: [] };

/** What an event asks for, with whom the workflow names. */
export async function triggerOf(
  context: RunContext,
  phrase: string | null = "/docs",
  named = NOBODY,
) {
  if (phrase === null) return withoutPost(readCausers(context, named));
  const trigger = await readTrigger(context, phrase);
  if (trigger.type === "caused") return withoutPost(readCausers(context, named));
  if (trigger.type !== "request") return trigger;
  const { request, doubt } = trigger;
  const requesters = readRequesters(trigger.post, context.payload, phrase, named);
  return { request, doubt, ...withoutPost(requesters) };
}

function withoutPost(requesters: ReturnType<typeof readCausers>) {
  if (requesters.type !== "people") return requesters;
  const { type, people } = requesters;
  return { type, people };
}

/** The four events that carry text, with the action that asks. */
export const ASKING: [string, string, string][] = [
  ["issue_comment", "created", "comment"],
  ["pull_request_review_comment", "created", "comment"],
  ["pull_request_review", "submitted", "review"],
  ["issues", "opened", "issue"],
];

export function said(kind: string, action: string, more: Record<string, unknown> = {}) {
  return { action, [kind]: { body: BODY, user: WRITER, ...more }, sender: WRITER };
}

export const OTHER_ACTIONS: [string, string, string][] = [
  ["issue_comment", "edited", "comment"],
  ["issue_comment", "deleted", "comment"],
  ["pull_request_review_comment", "edited", "comment"],
  ["pull_request_review_comment", "deleted", "comment"],
  ["pull_request_review", "edited", "review"],
  ["pull_request_review", "dismissed", "review"],
  ["issues", "edited", "issue"],
  ["issues", "closed", "issue"],
  ["issues", "reopened", "issue"],
  ["issues", "unlabeled", "issue"],
  ["issues", "created", "issue"],
  ["issue_comment", "submitted", "comment"],
  ["issue_comment", "", "comment"],
];

/** A run for which nobody needs the permission. */
export const asIs = { type: "unguarded" };
export const PULL = { body: BODY, user: WRITER };

export function runBefore(event: string, more: object = {}) {
  return { event, head_repository: { full_name: "Octo/docs" }, ...more };
}

/** Events that are no request, each with its payload. */
export const CLOSED: [event: string, payload: object][] = [
  ["pull_request", { action: "opened", pull_request: PULL }],
  ["pull_request", { action: "synchronize", pull_request: PULL }],
  ["pull_request", { action: "closed", pull_request: PULL }],
  ["pull_request", { action: "closed", pull_request: { ...PULL, merged: false } }],
  ["pull_request_target", { action: "opened", pull_request: PULL }],
  ["pull_request_target", { action: "closed", pull_request: { ...PULL, merged: "true" } }],
  ["pull_request_target", { action: "edited", pull_request: { ...PULL, merged: true } }],
  ["issues", { ...said("issue", "closed"), pull_request: { merged: true } }],
  ["pull_request_review_thread", { action: "resolved" }],
  ["discussion", { action: "created", discussion: { body: BODY, user: WRITER } }],
  ["discussion", { action: "labeled", discussion: { body: BODY, user: WRITER } }],
  ["discussion_comment", said("comment", "created")],
  ["commit_comment", said("comment", "created")],
  ["fork", {}],
  ["watch", { action: "started" }],
  ["gollum", { pages: [] }],
  ["milestone", { action: "created" }],
  ["label", { action: "created" }],
  ["check_run", { action: "completed" }],
  ["check_suite", { action: "completed" }],
  ["deployment_status", { action: "created" }],
  ["status", {}],
  // GitHub never sends this one: a called workflow has its caller's event.
  ["workflow_call", {}],
  ["", {}],
  ["constructor", {}],
];
