/** What needs a person's decision: batches, and docs pull requests. */

import { isOverdue } from "../waits.ts";
import type { Batch, FailedBatch, InReview } from "./ledger.ts";
import { type BatchRevision, needsDecision } from "./revision.ts";

/** Batches that wait for a person, and docs pull requests that cannot be read, each in the form of a batch. */
export function undecidedBatches(revision: BatchRevision): Batch[] {
  const batches = revision.ledger.batches.filter((batch) => needsDecision(revision, batch));
  return [...batches, ...unreadReviews(revision)];
}

/** The docs pull requests about which a person decides, because GitHub has failed to show them for too long. */
function unreadReviews(revision: BatchRevision): Batch[] {
  return revision.ledger.reviews.flatMap((review) => {
    const { unread, prLink } = review;
    if (unread === null || !unread.isPassing) return [];
    const { since } = unread;
    if (!isOverdue("docs-pull-unread", since, revision)) return [];
    return [undecidedReview(review, { code: "docs-pull-unread", prLink, since })];
  });
}

/** The changes of a docs pull request, as an entry that needs a decision. */
export function undecidedReview(
  { prLink, jobId, changes, endedAt }: InReview,
  reason: FailedBatch["reason"],
): FailedBatch {
  const id = reviewId(prLink);
  return {
    id,
    changes,
    origin: { id, hasSucceeded: false },
    followUp: null,
    isOutdated: false,
    attempt: 1,
    at: endedAt,
    state: "failed",
    job: {
      id: jobId,
      acceptedAt: endedAt,
      isFollowUp: false,
      prLink,
      missingSince: null,
      withoutPullSince: null,
      isTooLate: false,
    },
    reason,
  };
}

/** The ID by which a person decides about the changes of a docs pull request. */
export function reviewId(prLink: string): string {
  return `docs:${prLink}`;
}
