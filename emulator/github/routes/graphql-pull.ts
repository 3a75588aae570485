/** A pull request in GraphQL: with its checks, its reviews, and their threads. */

import type { GraphQLResolveInfo } from "graphql";
import type { Call } from "../call.ts";
import { shownMergeability } from "../merge.ts";
import { committerRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { isBot, iso, isoOrNull, type Scope } from "../site.ts";
import type { CheckRun, Pull, Review, ReviewComment, Status } from "../state.ts";
import { latestRuns, latestStatuses } from "./checks.ts";
import { fileRecord, linesOf } from "./commits.ts";
import { filesOf } from "./pulls.ts";

/** An entry of `errors`, with GitHub's `type`. */
export class GraphQLRefusal extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

export function notAccessible(): GraphQLRefusal {
  return new GraphQLRefusal("FORBIDDEN", "Resource not accessible by integration");
}

type Page = { first?: number; last?: number; after?: string };

/** Resolves a field that is a list. A record is made only if its page is asked for. */
export function listed<T>(
  read: (args: object) => readonly T[],
  record: (item: T) => unknown = (item) => item,
) {
  return (args: Page, _context: unknown, { fieldName }: GraphQLResolveInfo) => {
    const count = args.first ?? args.last;
    if (count === undefined || count > 100) {
      const message = `The \`${fieldName}\` connection needs \`first\` or \`last\`, of at most 100.`;
      throw new GraphQLRefusal("EXCESSIVE_PAGINATION", message);
    }
    const all = read(args);
    const after = Number(args.after ?? 0);
    const start = args.first === undefined ? Math.max(0, all.length - count) : after;
    const end = Math.min(all.length, start + count);
    const pageInfo = { hasNextPage: end < all.length, endCursor: String(end) };
    return { nodes: all.slice(start, end).map(record), pageInfo, totalCount: all.length };
  };
}

/** An account. A bot's login is without `[bot]` here. */
function actorFields(login: string) {
  return { __typename: isBot(login) ? "Bot" : "User", login: login.replace("[bot]", "") };
}

export function commitFields(repository: Repository, oid: string) {
  const { message, author, committer, at = 0 } = repository.find(oid) ?? {};
  return {
    __typename: "Commit",
    oid,
    message,
    authoredDate: iso(author?.at ?? 0),
    author: gitActor(repository, author),
    committer: gitActor(repository, committer),
    committedDate: iso(at),
  };
}

/** Author or committer of a commit. A bot is no user. */
function gitActor({ site }: Repository, { name = "", email = "" } = {}) {
  const known = committerRecord(site, email);
  return { name, email, user: known && !isBot(known.login) ? actorFields(known.login) : null };
}

export function pullFields(call: Call, repository: Repository, pull: Pull) {
  const { number, mergedAt } = pull;
  const state = shownMergeability(repository, pull);
  const mergeable = state === "unknown" ? "UNKNOWN" : "MERGEABLE";
  const files = () =>
    filesOf(repository, pull).map((file) => fileRecord(repository, file, pull.head));
  const reviews = repository.reviews.filter(
    ({ pull: of, state: at, user }) => of === number && (at !== "PENDING" || user === call.actor),
  );
  return {
    number,
    title: pull.title,
    url: `${repository.page}/pull/${number}`,
    state: mergedAt === null ? pull.state.toUpperCase() : "MERGED",
    isDraft: pull.isDraft,
    createdAt: iso(pull.createdAt),
    mergedAt: isoOrNull(mergedAt),
    closedAt: isoOrNull(pull.closedAt),
    author: actorFields(pull.author),
    headRefOid: pull.head,
    headRefName: pull.branch,
    baseRefName: pull.base,
    mergeable: state === "dirty" ? "CONFLICTING" : mergeable,
    mergeStateStatus: state.toUpperCase(),
    isMergeQueueEnabled: repository.mergeRule.queue === true,
    changedFiles: () => filesOf(repository, pull).length,
    deletions: () => linesOf(files()).deletions,
    commits: listed(
      () => repository.commitsOf(pull),
      ({ sha }) => ({ commit: commitFields(repository, sha) }),
    ),
    comments: listed(
      () => repository.commentsOn(number),
      ({ createdAt, author }) => ({
        createdAt: iso(createdAt),
        viewerDidAuthor: author === call.actor,
      }),
    ),
    reviews: listed(
      () => reviews,
      (review) => reviewFields(repository, review),
    ),
    reviewThreads: listed(
      () => repository.reviewComments.filter((comment) => comment.pull === number),
      (comment) => threadFields(repository, comment),
    ),
    statusCheckRollup: () => rollup(call, repository, pull.head),
  };
}

function reviewFields(repository: Repository, { id, user, body, state, ...review }: Review) {
  return {
    id: `PRR_${id}`,
    databaseId: id,
    author: actorFields(user),
    body,
    state,
    authorCanPushToRepository: repository.may(user, "write"),
    submittedAt: state === "PENDING" ? null : review.submitted_at,
    commit: commitFields(repository, review.commit_id),
  };
}

function threadFields(repository: Repository, comment: ReviewComment) {
  const { id, isResolved, resolvedBy, path, line } = comment;
  return {
    id: threadIdOf(id),
    isResolved,
    resolvedBy: personFields(resolvedBy),
    path,
    line,
    comments: listed(() => [reviewCommentFields(repository, comment)]),
  };
}

export function threadIdOf(comment: number): string {
  return `PRRT_${comment}`;
}

/** A `User`, which an app is not. */
function personFields(login: string | null) {
  return login === null || isBot(login) ? null : actorFields(login);
}

function reviewCommentFields(repository: Repository, comment: ReviewComment) {
  const { id, user, body, diff_hunk, created_at, pull_request_review_id } = comment;
  const review = repository.reviews.find(({ id: other }) => other === pull_request_review_id);
  return {
    id: `PRRC_${id}`,
    databaseId: id,
    author: actorFields(user),
    body,
    diffHunk: diff_hunk,
    createdAt: created_at,
    pullRequestReview: review === undefined ? null : reviewFields(repository, review),
  };
}

/** The checks and statuses of a commit; null if it has none. If the token may not read one kind, it is an error. */
function rollup(call: Call, repository: Repository, sha: string) {
  const readable = (scope: Scope) => call.site.permissions.get(call.actor)?.[scope] !== "none";
  const [mayRuns, mayStatuses] = [readable("checks"), readable("statuses")];
  if (!mayRuns && !mayStatuses) throw notAccessible();
  const all = [
    ...latestRuns(repository, sha).map((run) => (mayRuns ? runFields(run) : notAccessible())),
    ...latestStatuses(repository, sha).map((status) =>
      mayStatuses ? statusFields(status) : notAccessible(),
    ),
  ];
  return all.length === 0 ? null : { contexts: listed(() => all) };
}

function runFields({ id, name, status, conclusion, output, annotations }: CheckRun) {
  return {
    __typename: "CheckRun",
    id: `CR_${id}`,
    databaseId: id,
    name,
    status: status.toUpperCase(),
    conclusion: conclusion?.toUpperCase() ?? null,
    title: output.title,
    summary: output.summary,
    annotations: listed(
      () => annotations,
      ({ path, message = "", start_line = 1, end_line = start_line }) => ({
        path,
        message,
        location: { start: { line: start_line }, end: { line: end_line } },
      }),
    ),
  };
}

function statusFields({ id, context, state, description }: Status) {
  return {
    __typename: "StatusContext",
    id: `SC_${id}`,
    context,
    state: state.toUpperCase(),
    description,
  };
}
