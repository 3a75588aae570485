/** Records of issues, pull requests and comments, with the fields that the pages show. */

import type { Mergeability } from "../../emulator/github/merge.ts";

export interface IssueRecord {
  number: number;
  title: string;
  body: string | null;
  state: string;
  user: { login: string };
  labels: { name: string }[];
  assignees: { login: string }[];
  created_at: string;
  html_url: string;
  pull_request?: object;
}

export interface PullRecord extends IssueRecord {
  merged_at: string | null;
  draft: boolean;
  head: { ref: string; sha: string };
  base: { ref: string };
  requested_reviewers: { login: string }[];
  /** Of a pull request by itself, not in a list: `clean`, for example. */
  mergeable_state?: Mergeability["state"];
}

export interface CommentRecord {
  id: number;
  html_url: string;
  body: string;
  user: { login: string };
  created_at: string;
  updated_at: string;
}

export interface ReviewCommentRecord extends CommentRecord {
  pull_request_review_id: number | null;
  path: string;
  line: number;
  diff_hunk: string;
}

export interface ReviewRecord {
  id: number;
  body: string;
  /** `APPROVED`, for example. */
  state: string;
  user: { login: string };
  commit_id: string;
  submitted_at: string;
}

export interface FileRecord {
  filename: string;
  status: string;
  patch?: string;
}

export interface CommitRecord {
  sha: string;
  commit: { message: string; author: { name: string; date: string } };
  files: FileRecord[];
}

export interface CheckRunRecord {
  id: number;
  name: string;
  status: string;
  conclusion: string | null;
  output: { title: string | null; annotations_count: number };
}

export interface AnnotationRecord {
  path: string;
  start_line: number;
  message: string;
}

export interface Check {
  name: string;
  /** `success`, `failure` or `in_progress`, for example. */
  result: string;
  title: string;
  annotations: AnnotationRecord[];
}

export interface DeploymentRecord {
  id: number;
  environment: string;
}

export interface DeploymentStatusRecord {
  state: string;
  description: string;
  environment_url: string;
}

/** A deployment of a pull request's head. */
export interface Deployment {
  environment: string;
  /** `success`, `failure` or `in_progress`, for example. */
  state: string;
  description: string;
  /** Empty if it links to nothing. */
  url: string;
}

export interface PullFacts {
  pull: PullRecord;
  checks: Check[];
  /** Of the head, the newest first. */
  deployments: Deployment[];
  reviews: ReviewRecord[];
}

/** A description, a comment, or a review. */
export interface Post {
  /** `issue`, or as GitHub's pages call the place: `issuecomment-5`. */
  id: string;
  author: string;
  /** What the author did with it: `commented`, for example. */
  verb: string;
  body: string;
  createdAt: string;
  /** The person who edited it last; undefined if nobody did, or an app did. */
  editor?: string | undefined;
  /** How many reacted with each name, such as `eyes`. */
  reactions: Record<string, number>;
  /** Of a comment on a line: the lines that it is about. */
  hunk?: string;
}

/** An issue or a pull request with all of its posts. */
export interface Thread {
  issue: IssueRecord;
  facts: PullFacts | undefined;
  files: FileRecord[];
  posts: Post[];
}

/** Whether an account is an app's. */
export function isBot(login: string): boolean {
  return login.endsWith("[bot]");
}
