import { invalidInput } from "../../runtime/errors.ts";

/** The event, the repository and the workflow run that a step belongs to. */
export interface RunContext {
  eventName: string;
  payload: Payload;
  /** `owner/name`; null outside of a repository. */
  repository: string | null;
  /** GitHub's ID of the repository, which it keeps when it is renamed or transferred; null if it is not known. */
  repositoryId: number | null;
  /** Path of the workflow's file, such as `.github/workflows/docs.yml`; null if it is not known. */
  workflow: string | null;
  /** The job's name in that file; of a called workflow, in its own. Null if it is not known. */
  job: string | null;
  /** The commit that triggered the run; on a pull request, of its trial merge. Null if it is not known. */
  sha: string | null;
  /** The branch that the run is on; null for another ref, such as a tag or a pull request. */
  branch: string | null;
  /** Null if it is not known. */
  runId: string | null;
  /** From 1; more when the run was attempted again. */
  attempt: number;
  /** Which of the workflow run's steps this is, the same in every attempt. */
  step: string;
  /** `owner/name` of the repository that the workflow uses the action from; null for a path of its own. */
  actionRepository: string | null;
  /** Address of GitHub for people, such as https://github.com. */
  serverUrl: string;
  /** Address of the workflow run's page; null if it is not known. */
  runUrl: string | null;
  workspace: string;
  /** Address of GitHub's API, for when the input is empty. */
  apiUrl: string;
}

/** The context of a step that needs the repository it runs in. */
export interface RepositoryContext extends RunContext {
  repository: string;
}

/** @throws ActionError `invalid-input` outside of a repository */
export function inRepository(context: RunContext): RepositoryContext {
  const { repository } = context;
  if (repository !== null) return { ...context, repository };
  throw invalidInput("GITHUB_REPOSITORY is not set, and this step needs a repository to run in.");
}

/** Where the action is at home. */
const HOME = "OWNER/docs-agent-action";

/**
 * Address of the folder with the action's pages, in the repository that the workflow uses the action from: a copy of
 * it has them, too.
 */
export function pagesAddress({ actionRepository }: RunContext): string {
  return `https://github.com/${actionRepository ?? HOME}/blob/main/docs`;
}

/** Address of the page of one attempt of a workflow run. */
export function runAddress(
  serverUrl: string,
  repository: string,
  runId: string,
  attempt: number,
): string {
  return `${serverUrl}/${repository}/actions/runs/${runId}/attempts/${attempt}`;
}

/**
 * The parts of event payloads that the action reads; an event may lack any of them. Nobody has checked their types:
 * {@link textOf}, {@link textIn} and {@link numberOrNull} read those with which another type would break something.
 */
export interface Payload {
  action?: string;
  sender?: Account;
  repository?: { id?: number; default_branch?: unknown };
  /** After an edit: the earlier text. After a transfer: the issue in its old repository. */
  changes?: { body?: { from?: string | null }; old_issue?: unknown };
  issue?: Subject;
  pull_request?: Subject;
  discussion?: Subject;
  comment?: Post & { path?: string; line?: number | null; diff_hunk?: string };
  review?: Post & { node_id?: string };
  release?: {
    tag_name?: string;
    name?: string | null;
    html_url?: string;
    body?: string | null;
    author?: Account | null;
  };
  /** For a merge queue: its temporary branch, and that branch's base and head. */
  merge_group?: { head_ref?: string; base_sha?: string; head_sha?: string };
  /** The run after which this one began. */
  workflow_run?: {
    event?: string;
    head_sha?: string;
    pull_requests?: { number?: number }[];
    /** Null if the fork was deleted. */
    head_repository?: { full_name?: string } | null;
    /** Who started its first attempt, and this one. */
    actor?: Account | null;
    triggering_actor?: Account | null;
  };
  /** Of a push. */
  ref?: string;
  compare?: string;
  before?: string;
  after?: string;
  commits?: {
    id?: string;
    message?: string;
    /** `username`: the account that GitHub knows by the author's address. */
    author?: { username?: string };
  }[];
}

export interface Account {
  login?: string;
  type?: string;
}

interface Subject extends Post {
  number?: number;
  title?: string;
  /** Set on an issue that is a pull request. */
  pull_request?: unknown;
  merged?: boolean;
  /** Of a pull request in an event of its own. */
  head?: { sha?: string };
}

/** What somebody wrote: a comment, a review, or an issue. */
export interface Post {
  id?: number;
  body?: string | null;
  html_url?: string;
  user?: Account | null;
  /** The app that wrote it in the person's name. */
  performed_via_github_app?: { slug?: string | undefined } | null;
}

/** A text of an event; null if it is something else. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A text of an event; empty if it is something else. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A number of an event, such as that of an issue; null if it is something else. */
export function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** The issue or pull request that triggered the run, if one did. */
export function triggeringSubject({ payload }: { payload: Payload }): Subject | null {
  return payload.issue ?? payload.pull_request ?? null;
}

/** Whether the run was triggered on a pull request. */
export function isOnPullRequest({ payload }: { payload: Payload }): boolean {
  return payload.pull_request !== undefined || payload.issue?.pull_request !== undefined;
}

/** What a reaction is added to: by its API path below the repository, or by its GraphQL node id. */
export type ReactionTarget = { path: string } | { node: string };

/** The comment, review, issue or pull request that triggered the run, for a reaction; null for none. */
export function reactionTarget({ eventName, payload }: RunContext): ReactionTarget | null {
  const { comment, review } = payload;
  const number = triggeringSubject({ payload })?.number;
  const node = textOf(review?.node_id);
  const targets = new Map([
    ["issue_comment", { kind: "issues/comments", id: comment?.id }],
    ["pull_request_review_comment", { kind: "pulls/comments", id: comment?.id }],
    ["issues", { kind: "issues", id: number }],
    ["pull_request", { kind: "issues", id: number }],
    ["pull_request_target", { kind: "issues", id: number }],
  ]);
  if (eventName === "pull_request_review") return node ? { node } : null;
  const { kind, id } = targets.get(eventName) ?? {};
  return numberOrNull(id) === null ? null : { path: `${kind}/${id}` };
}
