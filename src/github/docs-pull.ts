import type { Octokit } from "@octokit/core";
import {
  type ActorAnswer,
  type Answer,
  type ContextAnswer,
  pullAnswer,
  QUERY,
} from "./docs-pull-query.ts";
import { owned } from "./rest.ts";

/** A check run or a commit status of a pull request's head. */
export interface Check {
  /** Names this result once and for all. */
  id: string;
  name: string;
  state: "green" | "red" | "pending";
  /** As GitHub calls it, in lower case: `failure`, `timed_out`, `error`, … */
  conclusion: string;
  /** What the check says of it. */
  text: string;
  /** The newest that GitHub gives, at most 50. */
  annotations: { path: string; line: number | null; message: string }[];
}

/** A review of a pull request. */
export interface Review {
  id: number;
  author: string;
  /** Whether the author has write permission. */
  mayWrite: boolean;
  state: "approved" | "changes-requested" | "commented" | "dismissed" | "pending";
  body: string;
  /** ISO 8601. */
  at: string;
  /** The head that it was given on. */
  head: string;
}

/** A comment on a line of a pull request, in a thread that nobody has resolved. */
export interface OpenComment {
  id: number;
  author: string;
  mayWrite: boolean;
  body: string;
  path: string;
  line: number | null;
  hunk: string;
  at: string;
}

/** All that is known of a pull request at one moment. Texts in it are anybody's. */
export interface DocsPull {
  number: number;
  title: string;
  url: string;
  state: "open" | "merged" | "closed";
  isDraft: boolean;
  author: string;
  createdAt: string;
  /** When it was merged or closed; empty: it is open. */
  endedAt: string;
  /** SHA and branch. */
  head: string;
  branch: string;
  base: string;
  /** Null: GitHub has not worked it out yet. */
  isConflicting: boolean | null;
  /** GitHub's `mergeStateStatus`, in lower case: `clean`, `blocked`, `behind`, … */
  mergeState: string;
  hasMergeQueue: boolean;
  changedFiles: number;
  deletedLines: number;
  /** Whether somebody else than its author has committed to its branch. */
  isEditedByOthers: boolean;
  /** E-mail address of whoever made its first commit; empty: it has none. */
  firstAuthor: string;
  checks: Check[];
  /** Whether `checks` are all that there are. */
  hasAllChecks: boolean;
  reviews: Review[];
  openComments: OpenComment[];
  /** When somebody else than the token's account last said or committed something; empty: nobody did. */
  lastWordAt: string;
}

/**
 * Reads all that there is to know of a pull request, in one request.
 *
 * @throws what GitHub refuses, or an answer that is not the pull request
 */
export async function readDocsPull(
  github: Octokit,
  repository: string,
  number: number,
): Promise<DocsPull> {
  const { owner, repo: name } = owned({ repository });
  const told = await github.graphql(QUERY, { owner, name, number });
  const pull = pullAnswer.parse(
    (told as { repository?: { pullRequest?: unknown } }).repository?.pullRequest,
  );
  const { commits, reviews, reviewThreads, statusCheckRollup } = pull;
  const contexts = statusCheckRollup?.contexts ?? { totalCount: 0, nodes: [] };
  const words = [
    ...pull.comments.nodes.filter((it) => !it.viewerDidAuthor).map((it) => it.createdAt),
    ...reviews.nodes.map((it) => it.submittedAt),
    ...reviewThreads.nodes.flatMap((it) => it.comments.nodes.map(({ createdAt }) => createdAt)),
    ...commits.nodes.map(({ commit }) => commit.committedDate),
  ];
  return {
    ...{ number, title: pull.title, url: pull.url, isDraft: pull.isDraft },
    state: stateOf(pull.state),
    ...{ author: pull.author?.login ?? "", createdAt: pull.createdAt },
    endedAt: pull.mergedAt || pull.closedAt,
    ...{ head: pull.headRefOid, branch: pull.headRefName, base: pull.baseRefName },
    isConflicting: pull.mergeable === "UNKNOWN" ? null : pull.mergeable === "CONFLICTING",
    mergeState: pull.mergeStateStatus.toLowerCase(),
    hasMergeQueue: pull.isMergeQueueEnabled,
    ...{ changedFiles: pull.changedFiles, deletedLines: pull.deletions },
    isEditedByOthers: isEditedByOthers(pull.author?.login ?? "", commits),
    firstAuthor: firstAuthorOf(commits),
    checks: contexts.nodes.map(checkOf),
    hasAllChecks: contexts.nodes.length === contexts.totalCount,
    reviews: reviews.nodes.map((it) => ({
      ...{ id: it.databaseId, author: it.author?.login ?? "", body: it.body, at: it.submittedAt },
      ...{ mayWrite: it.authorCanPushToRepository, state: REVIEWS[it.state] ?? "commented" },
      head: it.commit?.oid ?? "",
    })),
    openComments: reviewThreads.nodes.filter((it) => !it.isResolved).flatMap(commentsOf),
    lastWordAt: words.toSorted().at(-1) ?? "",
  };
}

function stateOf(state: string): DocsPull["state"] {
  return state === "MERGED" ? "merged" : state === "CLOSED" ? "closed" : "open";
}

const REVIEWS: Record<string, Review["state"]> = {
  ...{ APPROVED: "approved", CHANGES_REQUESTED: "changes-requested", DISMISSED: "dismissed" },
  PENDING: "pending",
};

function commentsOf({ path, line, comments }: Answer["reviewThreads"]["nodes"][number]) {
  return comments.nodes.map((it) => ({
    ...{ id: it.databaseId, author: it.author?.login ?? "", body: it.body, at: it.createdAt },
    ...{ mayWrite: it.pullRequestReview?.authorCanPushToRepository ?? false },
    ...{ path, line, hunk: it.diffHunk },
  }));
}

/** Conclusions and states that keep nothing from being merged. */
const GREEN = ["SUCCESS", "NEUTRAL", "SKIPPED"];

function checkOf(it: ContextAnswer): Check {
  if (it.__typename === "StatusContext") {
    const isPending = it.state === "PENDING" || it.state === "EXPECTED";
    const state = isPending ? "pending" : it.state === "SUCCESS" ? "green" : "red";
    const { id, context: name, description } = it;
    return {
      id,
      name,
      state,
      conclusion: it.state.toLowerCase(),
      text: description,
      annotations: [],
    };
  }
  const isOver = it.status === "COMPLETED";
  const annotations = (it.annotations?.nodes ?? []).map(({ path, message, location }) => ({
    ...{ path, message, line: location.start.line },
  }));
  return {
    ...{ id: String(it.databaseId), name: it.name, annotations },
    state: isOver ? (GREEN.includes(it.conclusion) ? "green" : "red") : "pending",
    conclusion: (isOver ? it.conclusion : it.status).toLowerCase(),
    text: [it.title, it.summary].filter((part) => part !== "").join("\n\n"),
  };
}

/** GitHub's own, for commits that are made on its pages: the author of such a commit says who made it. */
const WEB_FLOW = "noreply@github.com";

function firstAuthorOf({ nodes: [first] }: Pick<Answer["commits"], "nodes">): string {
  return first?.commit.author?.email.toLowerCase() ?? "";
}

/**
 * Whether anybody else than the agent has committed: somebody who is neither the pull request's author nor
 * whoever made its first commit, which is the agent's. A history too long to be read may hold anything.
 */
function isEditedByOthers(author: string, { totalCount, nodes: list }: Answer["commits"]): boolean {
  const own = author.replace(/\[bot\]$/, "").toLowerCase();
  const first = firstAuthorOf({ nodes: list });
  const isOwn = (it: ActorAnswer) => {
    if (it === null) return false;
    const email = it.email.toLowerCase();
    const [, named = ""] = /^(?:\d+\+)?(.+)@users\.noreply\.github\.com$/.exec(email) ?? [];
    const name = (it.user?.login ?? named).replace(/\[bot\]$/, "").toLowerCase();
    return (name !== "" && name === own) || (email !== "" && email === first);
  };
  const isByAgent = ({ commit }: Answer["commits"]["nodes"][number]) =>
    isOwn(commit.author) && (commit.committer?.email === WEB_FLOW || isOwn(commit.committer));
  return totalCount > list.length || !list.every(isByAgent);
}
