/** A pull request, as GraphQL tells it: with its checks, its reviews, and their threads. */

import type { Call } from "../call.ts";
import { shownMergeability } from "../merge.ts";
import type { Repository } from "../repository.ts";
import { iso, isoOrNull, type Scope } from "../site.ts";
import type { CheckRun, Comment, Pull, Review, ReviewComment, Status } from "../state.ts";
import { latestRuns, latestStatuses } from "./checks.ts";
import { fileRecord, linesOf } from "./commits.ts";
import { actorFields, listed, notAccessible, objectFields } from "./graphql-records.ts";
import { filesOf } from "./pulls.ts";

export function pullFields(call: Call, repository: Repository, pull: Pull) {
  const { number, mergedAt } = pull;
  const state = shownMergeability(repository, pull);
  const mergeable = state === "unknown" ? "UNKNOWN" : "MERGEABLE";
  const lines = () =>
    linesOf(filesOf(repository, pull).map((file) => fileRecord(repository, file, pull.head)));
  const reviews = repository.reviews.filter(
    ({ pull: of, state: at, user }) => of === number && (at !== "PENDING" || user === call.actor),
  );
  return {
    ...{ id: `PR_${pull.id}`, number, title: pull.title, url: `${repository.page}/pull/${number}` },
    ...{ state: mergedAt === null ? pull.state.toUpperCase() : "MERGED", isDraft: pull.isDraft },
    ...{ createdAt: iso(pull.createdAt), mergedAt: isoOrNull(mergedAt) },
    ...{ closedAt: isoOrNull(pull.closedAt), author: actorFields(pull.author) },
    ...{ headRefOid: pull.head, headRefName: pull.branch, baseRefName: pull.base },
    mergeable: state === "dirty" ? "CONFLICTING" : mergeable,
    mergeStateStatus: state.toUpperCase(),
    isMergeQueueEnabled: repository.mergeRule.queue === true,
    changedFiles: () => filesOf(repository, pull).length,
    additions: () => lines().additions,
    deletions: () => lines().deletions,
    commits: listed(
      () => repository.commitsOf(pull),
      ({ sha }) => ({ commit: objectFields(repository, sha) }),
    ),
    comments: listed(
      () => repository.commentsOn(number),
      (comment) => commentFields(call, comment),
    ),
    reviews: listed(
      () => reviews,
      (review) => reviewFields(repository, review),
    ),
    reviewThreads: listed(
      () => repository.reviewComments.filter((one) => one.pull === number && !isReply(one)),
      (thread) => threadFields(repository, thread),
    ),
    statusCheckRollup: () => rollup(call, repository, pull.head),
  };
}

function commentFields(call: Call, { id, author, body, createdAt }: Comment) {
  return {
    ...{ id: `IC_${id}`, databaseId: id, author: actorFields(author), body },
    ...{ createdAt: iso(createdAt), viewerDidAuthor: author === call.actor },
  };
}

function reviewFields(repository: Repository, { id, user, body, state, ...review }: Review) {
  return {
    ...{ id: `PRR_${id}`, databaseId: id, author: actorFields(user), body, state },
    authorCanPushToRepository: repository.may(user, "write"),
    submittedAt: state === "PENDING" ? null : review.submitted_at,
    commit: objectFields(repository, review.commit_id),
  };
}

function isReply({ in_reply_to_id }: ReviewComment): boolean {
  return in_reply_to_id !== undefined;
}

/** @param thread the comment that it begins with */
export function threadFields(repository: Repository, thread: ReviewComment) {
  const { id, isResolved, path, line } = thread;
  const isOf = (one: ReviewComment) => one.id === id || one.in_reply_to_id === id;
  return {
    ...{ id: `PRRT_${id}`, isResolved, path, line },
    comments: listed(
      () => repository.reviewComments.filter(isOf),
      (comment) => reviewCommentFields(repository, comment),
    ),
  };
}

function reviewCommentFields(repository: Repository, comment: ReviewComment) {
  const { id, user, body, diff_hunk, created_at, pull_request_review_id } = comment;
  const review = repository.reviews.find((one) => one.id === pull_request_review_id);
  return {
    ...{ id: `PRRC_${id}`, databaseId: id, author: actorFields(user), body },
    ...{ diffHunk: diff_hunk, createdAt: created_at },
    pullRequestReview: review === undefined ? null : reviewFields(repository, review),
  };
}

/** The checks and statuses of a commit; null: it has none. What a token may not read is an error in its place. */
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
    ...{ __typename: "CheckRun", id: `CR_${id}`, databaseId: id, name },
    ...{ status: status.toUpperCase(), conclusion: conclusion?.toUpperCase() ?? null },
    ...{ title: output.title, summary: output.summary },
    annotations: listed(
      () => annotations,
      ({ path, message = "", start_line = 1, end_line = start_line }) => ({
        ...{ path, message },
        location: { start: { line: start_line }, end: { line: end_line } },
      }),
    ),
  };
}

function statusFields({ id, context, state, description }: Status) {
  const shown = { id: `SC_${id}`, context, state: state.toUpperCase(), description };
  return { __typename: "StatusContext", ...shown };
}
