/** Reads a docs pull request with one GraphQL query. Anyone may have written its texts. */

import { readAnswer } from "../api/answer.ts";
import type { ReadingClient } from "../api/repository.ts";
import { owned } from "../api/rest.ts";
import {
  type AnnotationAnswer,
  type CheckAnswer,
  DOCS_PULL_QUERY,
  docsPullAnswer,
  type PullRequestAnswer,
  type RepositoryAnswer,
} from "./docs-pull-answer.ts";
import { emailOf, isEditedByOthers, loginOf } from "./docs-pull-authors.ts";
import { withFurtherPages } from "./docs-pull-rest.ts";
import { fullLogin, idOf, type PullWords, wordsOf } from "./docs-pull-words.ts";

export interface DocsPull extends PullWords {
  /** `owner/name`: the present one, if it was renamed. */
  repository: string;
  /** The repository's ID in the REST API; null if GitHub does not tell it. */
  repositoryId: number | null;
  number: number;
  url: string;
  isDraft: boolean;
  /** Whether its conversation is locked, so that it may take no comments. */
  isLocked: boolean;
  /** Login, of a bot with `[bot]`; empty if the account was deleted. */
  author: string;
  isByPerson: boolean;
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
  /** Paths of its files, from a list that may be behind; null if it lacks any of them. */
  listedPaths: readonly string[] | null;
  checks: Check[];
  /** Whether `checks` is complete. */
  hasAllChecks: boolean;
  /** Whether somebody else than its author has committed to its branch. */
  isEditedByOthers: boolean;
  /** E-mail address of its first commit's author; empty if there is none. */
  firstAuthor: string;
  /** Time of the last comment, review or commit, without land's own comments; empty for none. */
  lastActivityAt: string;
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
  github: Pick<ReadingClient, "graphql">,
  repository: string,
  number: number,
): Promise<DocsPull> {
  const { owner, repo: name } = owned({ repository });
  const answer = await github.graphql(DOCS_PULL_QUERY, { owner, name, number });
  const read = readAnswer(docsPullAnswer, answer).repository;
  const pullRequest = await withFurtherPages(read.pullRequest, github, { repository, number });
  return docsPullOf({ ...read, pullRequest }, number);
}

const STATES = { OPEN: "open", MERGED: "merged", CLOSED: "closed" } as const;

function docsPullOf(
  { databaseId = null, nameWithOwner: repository, pullRequest: answer }: RepositoryAnswer,
  number: number,
): DocsPull {
  const author = loginOf(answer.author);
  const contexts = answer.statusCheckRollup?.contexts ?? { totalCount: 0, nodes: [] };
  const firstAuthor = emailOf(answer.commits.nodes[0]?.commit.author);
  return {
    repository,
    repositoryId: databaseId,
    number,
    url: answer.url,
    isDraft: answer.isDraft,
    isLocked: answer.isLocked,
    author: fullLogin(answer.author),
    isByPerson: answer.author?.__typename === "User",
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
    listedPaths: listedPaths(answer),
    ...wordsOf(answer, author),
    checks: contexts.nodes.map(checkOf),
    hasAllChecks: contexts.nodes.length === contexts.totalCount,
    isEditedByOthers: isEditedByOthers(author, firstAuthor, answer.commits),
    firstAuthor,
    lastActivityAt: timesOf(answer).toSorted().at(-1) ?? "",
  };
}

/** GraphQL does not tell the former names of files, and lists 100 of them at once. */
function listedPaths({ files = null }: PullRequestAnswer): string[] | null {
  const isMoved = ({ changeType }: { changeType: string }) =>
    changeType === "RENAMED" || changeType === "COPIED";
  if (files === null || files.nodes.some(isMoved)) return null;
  return files.nodes.length === files.totalCount ? files.nodes.map(({ path }) => path) : null;
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

/** The beginning of the comments that land writes, whoever's token it uses. */
export const LAND_MARK = "docs-agent-land:";

/** When somebody else than land said or committed something, ISO 8601, in no order. */
function timesOf({ comments, newestReviews, reviewThreads, commits }: PullRequestAnswer): string[] {
  const others = comments.nodes.filter(({ body }) => !body.startsWith(`<!-- ${LAND_MARK}`));
  return [
    ...others.map(({ createdAt }) => createdAt),
    ...newestReviews.nodes.map(({ at }) => at),
    ...reviewThreads.nodes.flatMap((thread) => thread.comments.nodes.map(({ at }) => at)),
    ...commits.nodes.map(({ commit }) => commit.committedDate),
  ];
}
