/** A pull request in GraphQL: with its checks, its reviews, and their threads. */

import type { Call } from "../call.ts";
import { reviewDecisionOf, shownMergeability } from "../merge.ts";
import { isQueued } from "../merge-queue.ts";
import { associationOf, committerRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { isBot, iso, isoOrNull, type Site } from "../site.ts";
import type { Comment, Pull, Review, ReviewComment } from "../state.ts";
import { fileRecord, linesOf } from "./commits.ts";
import { rollup, statusOf, suites } from "./graphql-checks.ts";
import { listed } from "./graphql-parts.ts";
import { filesOf } from "./pulls.ts";

/** An account; null if it was deleted. A bot's login is without `[bot]` here. */
function actorFields({ switches }: Site, login: string) {
  if (switches.ghosts.has(login)) return null;
  return { __typename: isBot(login) ? "Bot" : "User", login: login.replace("[bot]", "") };
}

export function commitFields(call: Call, repository: Repository, oid: string) {
  const { message, author, committer, parents = [], at = 0 } = repository.find(oid) ?? {};
  return {
    __typename: "Commit",
    oid,
    message,
    messageHeadline: message?.split("\n")[0],
    parents: listed(
      () => parents,
      (sha) => ({ oid: sha }),
    ),
    authoredDate: iso(author?.at ?? 0),
    author: gitActor(repository, author),
    committer: gitActor(repository, committer),
    committedDate: iso(at),
    checkSuites: listed(() => suites(call, repository, oid)),
    status: () => statusOf(call, repository, oid),
  };
}

/** Author or committer of a commit. A bot is no user. */
function gitActor({ site }: Repository, { name = "", email = "" } = {}) {
  const known = committerRecord(site, email);
  return {
    name,
    email,
    user: known && !isBot(known.login) ? actorFields(site, known.login) : null,
  };
}

export function pullIdOf({ id }: Pull): string {
  return `PR_${id}`;
}

export function pullFields(call: Call, repository: Repository, pull: Pull) {
  const { number, mergedAt } = pull;
  const state = shownMergeability(repository, pull, call.actor);
  const mergeable = state === "unknown" ? "UNKNOWN" : "MERGEABLE";
  const files = () =>
    filesOf(repository, pull).map((file) => fileRecord(repository, file, pull.head));
  return {
    id: pullIdOf(pull),
    number,
    title: pull.title,
    body: pull.body ?? "",
    url: `${repository.page}/pull/${number}`,
    state: mergedAt === null ? pull.state.toUpperCase() : "MERGED",
    isDraft: pull.isDraft,
    isCrossRepository: pull.forkOwner !== null,
    headRepositoryOwner: actorFields(call.site, pull.forkOwner ?? repository.owner),
    headRepository: { nameWithOwner: `${pull.forkOwner ?? repository.owner}/${repository.name}` },
    authorAssociation: associationOf(repository, pull.author),
    lastEditedAt: isoOrNull(pull.editedAt ?? null),
    locked: pull.isLocked,
    createdAt: iso(pull.createdAt),
    updatedAt: iso(pull.updatedAt),
    mergedAt: isoOrNull(mergedAt),
    closedAt: isoOrNull(pull.closedAt),
    author: actorFields(call.site, pull.author),
    headRefOid: pull.head,
    headRefName: pull.branch,
    baseRefName: pull.base,
    mergeable: state === "dirty" ? "CONFLICTING" : mergeable,
    mergeStateStatus: state.toUpperCase(),
    isMergeQueueEnabled: repository.mergeRule.queue === true,
    isInMergeQueue: isQueued(repository, pull),
    labels: listed(
      () => pull.labels,
      (name) => ({ name }),
    ),
    changedFiles: () => filesOf(repository, pull).length,
    additions: () => linesOf(files()).additions,
    deletions: () => linesOf(files()).deletions,
    files: listed(files, ({ filename: path, status, additions, deletions }) => ({
      path,
      changeType: status === "removed" ? "DELETED" : status.toUpperCase(),
      additions,
      deletions,
    })),
    commits: listed(
      () => repository.commitsOf(pull),
      ({ sha }) => ({ commit: commitFields(call, repository, sha) }),
    ),
    ...conversationFields(call, repository, pull),
    statusCheckRollup: () => rollup(call, repository, pull.head),
  };
}

/** What people and bots said about a pull request. */
function conversationFields(call: Call, repository: Repository, pull: Pull) {
  const { number } = pull;
  const reviews = repository.reviews.filter(
    ({ pull: of, ...review }) => of === number && isShown(call, review),
  );
  const threads = repository.reviewComments.filter((comment) => {
    return comment.pull === number && isFirst(comment) && isCommentShown(call, repository, comment);
  });
  return {
    reviewDecision: reviewDecisionOf(repository, pull),
    reviewRequests: listed(
      () => pull.reviewers,
      (login) => ({
        requestedReviewer: { ...actorFields(call.site, login) },
      }),
    ),
    timelineItems: listed(
      () => pull.baseChanges,
      (at) => ({ __typename: "BaseRefChangedEvent", createdAt: iso(at) }),
    ),
    comments: listed(
      () => repository.commentsOn(number).filter(({ author }) => isVisible(call, author)),
      (comment) => commentFields(call, repository, comment),
    ),
    reviews: listed(
      ({ states }: ReviewArguments) =>
        reviews.filter(({ state }) => states?.includes(state) ?? true),
      (review) => reviewFields(call, repository, review),
    ),
    latestOpinionatedReviews: listed(
      ({ writersOnly = false }: ReviewArguments) =>
        newestOpinions(reviews).filter(({ user }) => !writersOnly || repository.may(user, "write")),
      (review) => reviewFields(call, repository, review),
    ),
    reviewThreads: listed(
      () => threads,
      (comment) => threadFields(call, repository, comment),
    ),
  };
}

function commentFields(call: Call, repository: Repository, comment: Comment) {
  const { id, issue, createdAt, updatedAt, author, body } = comment;
  return {
    url: `${repository.page}/pull/${issue}#issuecomment-${id}`,
    createdAt: iso(createdAt),
    lastEditedAt: comment.editor === undefined ? null : iso(updatedAt),
    author: actorFields(call.site, author),
    authorAssociation: associationOf(repository, author),
    body,
    viewerDidAuthor: author === call.actor,
  };
}

/** Arguments of lists of reviews. */
interface ReviewArguments {
  states?: readonly string[];
  writersOnly?: boolean;
}

/** What hidden accounts wrote is missing for everybody else. */
function isVisible({ actor, site }: Call, author: string): boolean {
  return author === actor || !site.switches.hidden.has(author);
}

/** What was not submitted yet is seen only by who writes it. */
function isShown({ actor }: Call, { state, user }: Pick<Review, "state" | "user">): boolean {
  return state !== "PENDING" || user === actor;
}

function isCommentShown(
  call: Call,
  { reviews }: Repository,
  { pull_request_review_id }: ReviewComment,
): boolean {
  const review = reviews.find(({ id }) => id === pull_request_review_id);
  return review === undefined || isShown(call, review);
}

function isFirst({ in_reply_to_id }: ReviewComment): boolean {
  return in_reply_to_id === undefined;
}

const OPINIONS = ["APPROVED", "CHANGES_REQUESTED", "DISMISSED"];

/** The last opinion of each account. */
function newestOpinions(reviews: readonly Review[]): Review[] {
  const opinions = reviews.filter(({ state }) => OPINIONS.includes(state));
  return [...new Map(opinions.map((review) => [review.user, review])).values()];
}

export function threadIdOf(comment: number): string {
  return `PRRT_${comment}`;
}

/** A thread with this first comment, and the replies to that. */
export function threadFields(call: Call, repository: Repository, comment: ReviewComment) {
  const { id, isResolved, resolvedBy = "" } = comment;
  const comments = () =>
    repository.reviewComments.filter(
      (other) =>
        (other === comment || other.in_reply_to_id === id) &&
        isCommentShown(call, repository, other),
    );
  return {
    __typename: "PullRequestReviewThread",
    id: threadIdOf(id),
    isResolved,
    // GitHub names only people.
    resolvedBy:
      isResolved && resolvedBy !== "" && !isBot(resolvedBy)
        ? actorFields(call.site, resolvedBy)
        : null,
    path: comment.path,
    line: comment.line,
    comments: listed(comments, (other) => reviewCommentFields(call, repository, other)),
  };
}

function reviewFields(call: Call, repository: Repository, given: Review) {
  const { id, user, body, state, ...review } = given;
  return {
    id: `PRR_${id}`,
    databaseId: call.site.switches.hasNoDatabaseId ? null : id,
    fullDatabaseId: String(id),
    author: actorFields(call.site, user),
    body,
    state,
    authorCanPushToRepository: repository.may(user, "write"),
    submittedAt: review.submitted_at,
    commit: commitFields(call, repository, review.commit_id),
  };
}

function reviewCommentFields(call: Call, repository: Repository, comment: ReviewComment) {
  const { id, user, body, diff_hunk, created_at, pull_request_review_id } = comment;
  const review = repository.reviews.find(({ id: other }) => other === pull_request_review_id);
  return {
    id: `PRRC_${id}`,
    databaseId: call.site.switches.hasNoDatabaseId ? null : id,
    fullDatabaseId: String(id),
    author: actorFields(call.site, user),
    body,
    diffHunk: diff_hunk,
    createdAt: created_at,
    pullRequestReview: review === undefined ? null : reviewFields(call, repository, review),
  };
}
