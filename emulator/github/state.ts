/** What a repository keeps besides its git objects. All times are milliseconds since 1970, in whole seconds. */

export interface Issue {
  id: number;
  number: number;
  title: string;
  body: string | null;
  /** Login, as wherever somebody is named. */
  author: string;
  labels: readonly string[];
  assignees: readonly string[];
  state: "open" | "closed";
  stateReason: "completed" | "not_planned" | "reopened" | null;
  isLocked: boolean;
  createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  closedBy: string | null;
  /** Path where it is now, after a transfer; empty: deleted, or converted to a discussion. */
  movedTo?: string;
}

/** A pull request is an issue, too. */
export interface Pull extends Issue {
  /** Names of the branches that it goes from and to. */
  branch: string;
  base: string;
  /** The tip of its branch; what that was, once the branch is gone. */
  head: string;
  isDraft: boolean;
  mergedAt: number | null;
  mergedBy: string | null;
  /** The commit that merging made; with a rebase, the last. Before: that of a trial. */
  mergeSha: string;
  /** SHAs, oldest first, of its own commits as its branch moved last; and of those that merging put on the base. */
  commits: readonly string[];
  landed: readonly string[];
  /** Where it left its base, as its branch moved last. */
  fork: string;
  /** Who was asked for a review: logins, and slugs of teams. */
  reviewers: readonly string[];
  teams: readonly string[];
}

export function isPull(issue: Issue | undefined): issue is Pull {
  return issue !== undefined && "branch" in issue;
}

export interface Comment {
  id: number;
  /** Number of its issue. */
  issue: number;
  body: string;
  author: string;
  createdAt: number;
  updatedAt: number;
}

export type ReviewState = "PENDING" | "COMMENTED" | "APPROVED" | "CHANGES_REQUESTED" | "DISMISSED";

export interface Review {
  id: number;
  pull: number;
  author: string;
  body: string;
  state: ReviewState;
  /** The head that it was given on. */
  commit: string;
  at: number;
}

/** A comment on a line of a pull request. */
export interface ReviewComment extends Omit<Comment, "issue"> {
  pull: number;
  review: number | null;
  path: string;
  line: number;
  side: "LEFT" | "RIGHT";
  hunk: string;
  commit: string;
  /** The first comment of its thread; null: this is the first. */
  replyTo: number | null;
  /** Of the first comment: whether its thread is resolved. */
  isResolved: boolean;
}

export interface Annotation {
  path: string;
  start_line: number;
  end_line: number;
  annotation_level: string;
  message: string;
  title?: string;
  raw_details?: string;
}

export interface CheckRun {
  id: number;
  name: string;
  sha: string;
  /** The app's account. */
  author: string;
  status: string;
  conclusion: string | null;
  startedAt: number;
  completedAt: number | null;
  detailsUrl: string | null;
  externalId: string;
  output: { title: string | null; summary: string | null; text: string | null };
  annotations: readonly Annotation[];
}

export interface Status {
  id: number;
  sha: string;
  author: string;
  state: "error" | "failure" | "pending" | "success";
  context: string;
  description: string | null;
  targetUrl: string | null;
  at: number;
}

export interface Release {
  id: number;
  tag: string;
  target: string;
  name: string | null;
  body: string | null;
  author: string;
  isDraft: boolean;
  isPrerelease: boolean;
  createdAt: number;
  publishedAt: number | null;
}

export interface Reaction {
  id: number;
  /** Path of what was reacted to, for example `issues/1`; of a review, its node id. */
  subject: string;
  login: string;
  content: string;
  at: number;
}
