/** What a repository keeps besides its git objects. Times in milliseconds since 1970 are in whole seconds. */

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
  isLocked: boolean;
  createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  closedBy: string | null;
  /** Who edited the text last. */
  editor?: string;
  /** Path where it is now, after a transfer; empty: deleted, or converted to a discussion. */
  movedTo?: string;
}

/** A pull request is an issue, too. */
export interface Pull extends Issue {
  /** Names of the branches that it goes from and to. */
  branch: string;
  base: string;
  /** As its branch moved last: its tip, its own commits (SHAs, oldest first), and where it left its base. */
  head: string;
  commits: readonly string[];
  fork: string;
  isDraft: boolean;
  mergedAt: number | null;
  mergedBy: string | null;
  /** The commit that merging made, with a rebase the last; empty: it is not merged. */
  mergeSha: string;
  /** SHAs of the commits that merging put on the base, oldest first. */
  landed: readonly string[];
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

/** A check of a commit, as GitHub tells it, but for a login in place of its app. */
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
}

export interface Annotation {
  path: string;
  message?: string;
  start_line?: number;
  end_line?: number;
  annotation_level?: string;
}
