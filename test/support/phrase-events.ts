import type { RunOptions } from "../../emulator/runner/runner.ts";

/** An account in an event. */
export interface Account {
  login: string;
  type: string;
}

const WRITER: Account = { login: "writer", type: "User" };

/** Where and by whom a text was written. Everything has a default. */
export interface Writing {
  /** Issue or pull request. Default: 7. */
  number?: number;
  /** ID of the comment or review. Default: 555. */
  id?: number;
  /** Author. Default: `writer`. */
  by?: Account;
  /** Account that caused the event. Default: the author. */
  sender?: Account;
  /** The event's action. Default: the one that can make a request. */
  action?: string;
  onPullRequest?: boolean;
  /** More fields of the issue or pull request, such as its title. */
  subject?: Record<string, unknown>;
  /** More fields of the comment or review. */
  remark?: Record<string, unknown>;
  /** `owner/name` on this server. Default: `octo/docs` on https://github.com. */
  repository?: string;
  serverUrl?: string;
}

/** The field of issues and their comments, but not of reviews, that names the app that wrote them. */
const NO_APP = { performed_via_github_app: null };

type Trigger = Required<Pick<RunOptions, "eventName" | "event">>;

function parts(body: string, writing: Writing, kind: "issues" | "pull") {
  const { number = 7, id = 555, by = WRITER, sender = by } = writing;
  const { repository = "octo/docs", serverUrl = "https://github.com" } = writing;
  const page = `${serverUrl}/${repository}/${kind}/${number}`;
  const [owner = "", name = ""] = repository.split("/");
  return {
    subject: {
      number,
      title: "The webhooks are not documented",
      body: "Please describe them.",
      user: { login: "reporter", type: "User" },
      html_url: page,
      ...writing.subject,
    },
    remark: { id, body, user: by, html_url: `${page}#comment-${id}`, ...writing.remark },
    rest: { repository: { name, full_name: repository, owner: { login: owner } }, sender },
  };
}

/** A comment on an issue, or on a pull request. */
export function comment(body: string, writing: Writing = {}): Trigger {
  const onPullRequest = writing.onPullRequest ?? false;
  const { subject, remark, rest } = parts(body, writing, onPullRequest ? "pull" : "issues");
  const comment = { ...NO_APP, ...remark };
  const link = onPullRequest ? { pull_request: { html_url: subject.html_url } } : {};
  const action = writing.action ?? "created";
  const event = { action, issue: { ...subject, ...link }, comment, ...rest };
  return { eventName: "issue_comment", event };
}

/** A review comment on a line of a pull request. */
export function reviewComment(body: string, writing: Writing = {}): Trigger {
  const { subject, remark, rest } = parts(body, writing, "pull");
  const event = {
    action: writing.action ?? "created",
    pull_request: subject,
    comment: {
      path: "docs/webhooks.md",
      line: 12,
      diff_hunk: "@@ -1,2 +1,3 @@\n # Webhooks\n+They are sent twice.",
      ...remark,
    },
    ...rest,
  };
  return { eventName: "pull_request_review_comment", event };
}

/** A review of a pull request. */
export function review(body: string, writing: Writing = {}): Trigger {
  const { subject, remark, rest } = parts(body, writing, "pull");
  const event = {
    action: writing.action ?? "submitted",
    pull_request: subject,
    review: { node_id: "PRR_kwDOdocs", state: "commented", ...remark },
    ...rest,
  };
  return { eventName: "pull_request_review", event };
}

/** A new issue. */
export function newIssue(body: string, writing: Writing = {}): Trigger {
  const { subject, remark, rest } = parts(body, writing, "issues");
  const issue = { ...NO_APP, ...subject, body, user: remark.user };
  return { eventName: "issues", event: { action: writing.action ?? "opened", issue, ...rest } };
}

/** The options of a run that takes requests by the phrase `/docs`, and has no prompt input. */
export function byPhrase(
  trigger: Pick<RunOptions, "eventName" | "event">,
  inputs: Record<string, string> = {},
) {
  return { ...trigger, inputs: { prompt: "", "trigger-phrase": "/docs", ...inputs } };
}

/** The four events that can make a request by phrase. */
export const EVENTS: [string, (body: string, writing?: Writing) => Trigger][] = [
  ["a comment", comment],
  ["a review comment", reviewComment],
  ["a review", review],
  ["a new issue", newIssue],
];
