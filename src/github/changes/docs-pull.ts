/** Reads a docs pull request with one GraphQL query. Anyone may have written its texts. */

import type { Octokit } from "@octokit/core";
import { owned } from "../api/rest.ts";
import type {
  CommentAnswer,
  DocsPullAnswer,
  PullRequestAnswer,
  ReviewAnswer,
  ThreadAnswer,
} from "./docs-pull-answer.ts";
import { askForPull, type CheckList, readAllChecks } from "./docs-pull-asking.ts";
import {
  emailOf,
  headsBeforeUpdates,
  idOf,
  isEditedByOthers,
  loginOf,
} from "./docs-pull-authors.ts";
import { type Check, checksOf, type UnfinishedRuns, unfinishedRuns } from "./docs-pull-checks.ts";

export interface DocsPull {
  /** `owner/name` */
  repository: string;
  number: number;
  /** Its ID in GraphQL. */
  id: string;
  /** Login of the token's account. */
  reader: string;
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
  isInMergeQueue: boolean;
  /** By GitHub's list, which may be behind. */
  changedFiles: number;
  reviews: Review[];
  openComments: OpenComment[];
  /** Whether `reviews` and `openComments` are complete. */
  hasAllWords: boolean;
  /** Those that count. */
  checks: Check[];
  /** How many of its checks were read; none if the token may not read them. */
  checksRead: "all" | "some" | "none";
  /** The workflows' runs on its head; null if they were not all read. */
  unfinishedRuns: UnfinishedRuns | null;
  /** Whether somebody else than its author and the allowed committers has committed to its branch. */
  isEditedByOthers: boolean;
  /** Its head, and the commits since which GitHub only merged its base into the branch. */
  headsBeforeUpdates: readonly string[];
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

/** A docs pull request to be read. */
interface DocsPullPlace {
  /** `owner/name` */
  repository: string;
  number: number;
  /** Logins whose commits count as the agent's. */
  allowedCommitters: readonly string[];
}

/** @throws the client's errors, or `UnusableAnswer` if the response is not a pull request */
export async function readDocsPull(
  github: Pick<Octokit, "graphql">,
  place: DocsPullPlace,
): Promise<DocsPull> {
  const { owner, repo: name } = owned(place);
  const variables = { owner, name, number: place.number };
  const { answer, mayReadChecks } = await askForPull(github, variables);
  const { pullRequest } = answer.repository;
  const checks = mayReadChecks ? await readAllChecks(github, pullRequest, variables) : null;
  return docsPullOf(answer, checks, place);
}

const STATES = { OPEN: "open", MERGED: "merged", CLOSED: "closed" } as const;

function docsPullOf(
  { viewer, repository: { pullRequest: answer } }: DocsPullAnswer,
  checks: CheckList | null,
  { repository, number, allowedCommitters }: DocsPullPlace,
): DocsPull {
  const author = loginOf(answer.author);
  const { base, head, commits } = answer;
  const firstAuthor = emailOf(commits.nodes[0]?.commit.author);
  const agent = { author, firstAuthor, allowedCommitters };
  return {
    repository,
    number,
    id: answer.id,
    reader: viewer.login,
    url: answer.url,
    isDraft: answer.isDraft,
    author,
    createdAt: answer.createdAt,
    state: STATES[answer.state],
    endedAt: answer.endedAt,
    head,
    branch: answer.branch,
    base,
    isConflicting:
      answer.isConflicting === "UNKNOWN" ? null : answer.isConflicting === "CONFLICTING",
    mergeState: answer.mergeState.toLowerCase(),
    hasMergeQueue: answer.hasMergeQueue,
    isInMergeQueue: answer.isInMergeQueue,
    changedFiles: answer.changedFiles,
    reviews: answer.reviews.nodes.map(reviewOf),
    openComments: answer.reviewThreads.nodes.flatMap(openCommentsOf),
    hasAllWords: hasAllWords(answer),
    checks: checksOf(checks?.nodes ?? []),
    checksRead: checks === null ? "none" : checks.isComplete ? "all" : "some",
    unfinishedRuns: unfinishedRuns(answer.headCommit.nodes[0]?.commit, head),
    isEditedByOthers: isEditedByOthers(commits, answer, agent),
    headsBeforeUpdates: headsBeforeUpdates(commits, answer),
    firstAuthor,
    lastActivityAt: timesOf(answer).toSorted().at(-1) ?? "",
  };
}

/** Whether all reviews, threads, and comments in those that nobody has resolved were read. */
function hasAllWords({ reviews, reviewThreads: threads }: PullRequestAnswer): boolean {
  const lists = [
    reviews,
    threads,
    ...threads.nodes.filter(({ isResolved }) => !isResolved).map(({ comments }) => comments),
  ];
  return lists.every(({ totalCount, nodes }) => nodes.length >= totalCount);
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

/** When somebody else than the token's account said or committed something, ISO 8601, in no order. */
function timesOf({ comments, reviews, reviewThreads, commits }: PullRequestAnswer): string[] {
  return [
    ...comments.nodes.filter((node) => !node.viewerDidAuthor).map((node) => node.createdAt),
    ...reviews.nodes.map(({ at }) => at),
    ...reviewThreads.nodes.flatMap((thread) => thread.comments.nodes.map(({ at }) => at)),
    ...commits.nodes.map(({ commit }) => commit.committedDate),
  ];
}
