/** Records of a repository besides its git objects. Times in milliseconds since 1970 are in whole seconds. */

export interface Issue {
  id: number;
  number: number;
  title: string;
  body: string | null;
  /** Login, as in every field that names a person. */
  author: string;
  labels: readonly string[];
  assignees: readonly string[];
  state: "open" | "closed";
  isLocked: boolean;
  createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  closedBy: string | null;
  /** Who edited the text last, and when. */
  editor?: string;
  editedAt?: number;
  /** Its path after a transfer; empty if it was deleted or converted to a discussion. */
  movedTo?: string;
}

/** A pull request is an issue, too. */
export interface Pull extends Issue {
  /** Names of the branches that it goes from and to. */
  branch: string;
  base: string;
  /** When its branch last moved: its tip, its own commits (SHAs, oldest first), and where it forked from its base. */
  head: string;
  commits: readonly string[];
  fork: string;
  isDraft: boolean;
  /** Login of the owner of the fork that its branch is in; null for a branch of this repository. */
  forkOwner: string | null;
  mergedAt: number | null;
  mergedBy: string | null;
  /** The commit that the merge made, the last one of a rebase; empty if it is not merged. */
  mergeSha: string;
  /** SHAs of the commits that the merge put on the base, oldest first. */
  landed: readonly string[];
  /** When it was aimed at another base, in milliseconds since 1970, oldest first. */
  baseChanges: readonly number[];
  /** Who was asked for a review: logins, and slugs of teams. */
  reviewers: readonly string[];
  teams: readonly string[];
}

export function isPull(issue: Issue | undefined): issue is Pull {
  return issue !== undefined && "branch" in issue;
}

export interface Comment {
  id: number;
  issue: number;
  body: string;
  author: string;
  createdAt: number;
  updatedAt: number;
  editor?: string;
}

/** A check run, as GitHub returns it, with a login in place of its app. */
export interface CheckRun {
  id: number;
  name: string;
  head_sha: string;
  app: string;
  status: string;
  conclusion: string | null;
  started_at: string;
  completed_at: string | null;
  details_url: string | null;
  external_id: string;
  output: { title: string | null; summary: string | null; text: string | null };
  annotations: readonly Annotation[];
  /** ID of its suite. */
  suite: number;
  /** The job in its workflow, which is run again by itself. Several jobs may have one name. */
  job: string;
  /** When it can be seen, in milliseconds since 1970. */
  shownAt: number;
}

/** The check runs of an app, or of one run of a workflow, for a commit. */
export interface CheckSuite {
  id: number;
  sha: string;
  /** Login of the app. */
  app: string;
  /** The event of the workflow's run; null if the app itself reports. */
  event: string | null;
  /** Name of the workflow; empty if the app itself reports. */
  workflow: string;
  /** Whether the run waits for somebody's approval. */
  isHeld: boolean;
  created_at: string;
}

/** A run of a workflow that its schedule started. */
export interface ScheduledRun {
  id: number;
  /** Path of the workflow's file. */
  path: string;
  conclusion: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

export interface Annotation {
  path: string;
  message?: string;
  start_line?: number;
  end_line?: number;
  annotation_level?: string;
}

export interface Status {
  id: number;
  sha: string;
  /** Login. */
  creator: string;
  state: string;
  context: string;
  created_at: string;
  description: string | null;
  target_url: string | null;
}

export interface Deployment {
  id: number;
  sha: string;
  ref: string;
  task: string;
  payload: unknown;
  environment: string;
  description: string | null;
  /** Login. */
  creator: string;
  created_at: string;
  updated_at: string;
  transient_environment: boolean;
  production_environment: boolean;
  /** Oldest first. */
  statuses: DeploymentStatus[];
}

export interface DeploymentStatus {
  id: number;
  state: string;
  /** Login. */
  creator: string;
  description: string;
  environment: string;
  environment_url: string;
  log_url: string;
  created_at: string;
}

export interface Review {
  id: number;
  /** The number of its pull request. */
  pull: number;
  /** Login. */
  user: string;
  body: string;
  /** `PENDING` until it is submitted. */
  state: string;
  commit_id: string;
  /** Null until it is submitted. */
  submitted_at: string | null;
}

/** A comment on a line of a pull request. */
export interface ReviewComment {
  id: number;
  /** The number of its pull request. */
  pull: number;
  /** Login. */
  user: string;
  body: string;
  path: string;
  line: number;
  side: string;
  diff_hunk: string;
  commit_id: string;
  isResolved: boolean;
  /** Login of who resolved its thread last. */
  resolvedBy?: string;
  pull_request_review_id: number;
  /** The first comment of its thread, if it is not that itself. */
  in_reply_to_id?: number;
  created_at: string;
  updated_at: string;
}

export interface Reaction {
  id: number;
  /** The path of what was reacted to, for example `issues/1`; for a review, its node ID. */
  subject: string;
  login: string;
  content: string;
  created_at: string;
}

export interface Release {
  id: number;
  tag_name: string;
  target_commitish: string;
  /** Login. */
  author: string;
  draft: boolean;
  name: string | null;
  body: string | null;
  prerelease: boolean;
  created_at: string;
  /** Null for a draft. */
  published_at: string | null;
}
