/** Reads a docs pull request with one GraphQL query. Anyone may have written its texts. */

import type { Octokit } from "@octokit/core";
import { readAnswer } from "../api/answer.ts";
import { owned } from "../api/rest.ts";
import {
  type AnnotationAnswer,
  type CheckAnswer,
  type CommentAnswer,
  DOCS_PULL_QUERY,
  docsPullAnswer,
  type IdentifiedAnswer,
  type PullRequestAnswer,
  type ReviewAnswer,
  type ThreadAnswer,
} from "./docs-pull-answer.ts";
import { emailOf, isEditedByOthers, loginOf } from "./docs-pull-authors.ts";

export interface DocsPull {
  /** `owner/name` */
  repository: string;
  number: number;
  url: string;
  isDraft: boolean;
  /** Login; empty if the account was deleted. */
  author: string;
  createdAt: string;
  state: "open" | "merged" | "closed";
  /** When it was merged or closed; empty if it is open. */
  endedAt: string;
  /** SHA of its branch's tip. */
  head: string;
  branch: string;
  /** The branch that it is to be merged into. */
  base: string;
  /** Null if GitHub has not computed it yet. */
  isConflicting: boolean | null;
  /** `clean`, `blocked`, `behind`, … */
  mergeState: string;
  hasMergeQueue: boolean;
  changedFiles: number;
  deletedLines: number;
  reviews: Review[];
  openComments: OpenComment[];
  checks: Check[];
  /** Whether `checks` is complete. */
  hasAllChecks: boolean;
  /** Whether somebody else than its author has committed to its branch. */
  isEditedByOthers: boolean;
  /** E-mail address of its first commit's author; empty if there is none. */
  firstAuthor: string;
  /** Time of the last comment, review or commit, without the token's own comments; empty for none. */
  lastActivityAt: string;
}

/** A review of a pull request. */
export interface Review {
  /** Identifies it permanently. */
  id: string;
  /** Login; empty if the account was deleted. */
  author: string;
  body: string;
  /** When it was submitted. */
  at: string;
  /** Whether the author has write permission. */
  mayWrite: boolean;
  /** `approved`, `changes_requested`, `commented`, … */
  state: string;
  /** The head that it was given on; empty if that is gone. */
  head: string;
}

/** A comment on a line of a pull request, in a thread that nobody has resolved. */
export interface OpenComment {
  /** Identifies it permanently. */
  id: string;
  author: string;
  body: string;
  /** The lines of the diff that it is about. */
  hunk: string;
  at: string;
  /** Whether the author has write permission. */
  mayWrite: boolean;
  path: string;
  line: number | null;
}

/** A check run or a commit status of a pull request's head. */
export interface Check {
  /** Identifies this result permanently. */
  id: string;
  name: string;
  state: "pending" | "green" | "red";
  /** As GitHub calls it, in lower case: `failure`, `timed_out`, `error`, … */
  conclusion: string;
  text: string;
  /** The newest that GitHub gives, at most 50. */
  annotations: Annotation[];
}

/** A message of a check about a line of a file. */
export interface Annotation {
  path: string;
  message: string;
  line: number | null;
}

/** @throws the client's errors, or `UnusableAnswer` if the response is not a pull request */
export async function readDocsPull(
  github: Pick<Octokit, "graphql">,
  repository: string,
  number: number,
): Promise<DocsPull> {
  const { owner, repo: name } = owned({ repository });
  const answer = await github.graphql(DOCS_PULL_QUERY, { owner, name, number });
  const { pullRequest } = readAnswer(docsPullAnswer, answer).repository;
  return docsPullOf(pullRequest, repository, number);
}

const STATES = { OPEN: "open", MERGED: "merged", CLOSED: "closed" } as const;

function docsPullOf(answer: PullRequestAnswer, repository: string, number: number): DocsPull {
  const author = loginOf(answer.author);
  const contexts = answer.statusCheckRollup?.contexts ?? { totalCount: 0, nodes: [] };
  const firstAuthor = emailOf(answer.commits.nodes[0]?.commit.author);
  return {
    repository,
    number,
    url: answer.url,
    isDraft: answer.isDraft,
    author,
    createdAt: answer.createdAt,
    state: STATES[answer.state],
    endedAt: answer.endedAt,
    head: answer.head,
    branch: answer.branch,
    base: answer.base,
    isConflicting:
      answer.isConflicting === "UNKNOWN" ? null : answer.isConflicting === "CONFLICTING",
    mergeState: answer.mergeState.toLowerCase(),
    hasMergeQueue: answer.hasMergeQueue,
    changedFiles: answer.changedFiles,
    deletedLines: answer.deletedLines,
    reviews: answer.reviews.nodes.map(reviewOf),
    openComments: answer.reviewThreads.nodes.flatMap(openCommentsOf),
    checks: contexts.nodes.map(checkOf),
    hasAllChecks: contexts.nodes.length === contexts.totalCount,
    isEditedByOthers: isEditedByOthers(author, firstAuthor, answer.commits, answer.url),
    firstAuthor,
    lastActivityAt: timesOf(answer).toSorted().at(-1) ?? "",
  };
}

/** The ID in the REST API, which ledgers contain; if there is none, the one in GraphQL. */
function idOf({ id, databaseId }: IdentifiedAnswer): string {
  return String(databaseId ?? id);
}

function reviewOf(answer: ReviewAnswer): Review {
  return {
    id: idOf(answer),
    author: loginOf(answer.author),
    body: answer.body,
    at: answer.at,
    mayWrite: answer.mayWrite,
    state: answer.state.toLowerCase(),
    head: answer.head?.oid ?? "",
  };
}

/** The comments of a thread; none if it is resolved. */
function openCommentsOf({ isResolved, path, line, comments }: ThreadAnswer): OpenComment[] {
  return isResolved ? [] : comments.nodes.map((comment) => openCommentOf(comment, path, line));
}

function openCommentOf(answer: CommentAnswer, path: string, line: number | null): OpenComment {
  return {
    id: idOf(answer),
    author: loginOf(answer.author),
    body: answer.body,
    hunk: answer.hunk,
    at: answer.at,
    mayWrite: answer.mayWrite?.authorCanPushToRepository ?? false,
    path,
    line,
  };
}

/** Conclusions and states that do not prevent a merge. */
const GREEN = ["success", "neutral", "skipped"];
/** States of a commit status without a result. */
const UNDECIDED = ["pending", "expected"];

function checkOf(answer: CheckAnswer): Check {
  const { conclusion, isPending } = resultOf(answer);
  const end = GREEN.includes(conclusion) ? "green" : "red";
  return {
    id: idOf(answer),
    name: answer.name,
    state: isPending ? "pending" : end,
    conclusion,
    text: [answer.title, answer.summary, answer.description].filter(Boolean).join("\n\n"),
    annotations: (answer.annotations?.nodes ?? []).map(annotationOf),
  };
}

/** The state of a commit status, or the conclusion of a check run; its status until then. */
function resultOf(answer: CheckAnswer): { conclusion: string; isPending: boolean } {
  const state = answer.state.toLowerCase();
  if (state !== "") return { conclusion: state, isPending: UNDECIDED.includes(state) };
  const status = answer.status.toLowerCase();
  const isPending = status !== "completed";
  return { conclusion: isPending ? status : answer.conclusion.toLowerCase(), isPending };
}

function annotationOf({ path, message, location }: AnnotationAnswer): Annotation {
  return {
    path,
    message,
    line: location?.start.line ?? null,
  };
}

/** When somebody else than the token's account said or committed something, ISO 8601, in no order. */
function timesOf({ comments, reviews, reviewThreads, commits }: PullRequestAnswer): string[] {
  return [
    ...comments.nodes.filter((node) => !node.viewerDidAuthor).map((node) => node.createdAt),
    ...reviews.nodes.map(({ at }) => at),
    ...reviewThreads.nodes.flatMap((thread) => thread.comments.nodes.map(({ at }) => at)),
    ...commits.nodes.map(({ commit }) => commit.committedDate),
  ];
}
