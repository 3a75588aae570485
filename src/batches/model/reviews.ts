/** What becomes of docs pull requests in review. */

import type { PullState } from "../../github/changes/pull-state.ts";
import { withFields } from "../../ledger/file.ts";
import type { Fact, Unread } from "../../runtime/fact.ts";
import { isOverdue } from "../waits.ts";
import type { Batch, Change, Finished, InReview, Ledger, Reviewed } from "./ledger.ts";
import {
  addDone,
  type BatchRevision,
  countedDays,
  countOf,
  timeOf,
  withEvent,
} from "./revision.ts";
import { reviewId, undecidedReview } from "./undecided.ts";

/**
 * Records the state of a docs pull request.
 *
 * @param closedBy who closed it, if that was `land` or a bot, so that a person decides; null for a person
 */
export function takeReview(
  revision: BatchRevision,
  prLink: string,
  read: Fact<PullState>,
  closedBy: string | null = null,
): BatchRevision {
  const { reviews } = revision.ledger;
  const review = reviews.find((other) => other.prLink === prLink);
  if (review === undefined) return revision;
  const known =
    read.type === "known" ? { ...review, unread: null } : unreadReview(revision, review, read);
  const end = read.type === "known" ? read.value : isGivenUp(revision, known) ? "unread" : "open";
  if (end === "open") {
    const after = reviews.map((other) => (other === review ? known : other));
    return withFields(revision, { reviews: after });
  }
  const words = { merged: "was merged", closed: "was closed", unread: "cannot be read" };
  const ended = withEvent(
    withoutReview(revision, review),
    `Docs pull request ${prLink} ${words[end]}`,
  );
  if (end !== "closed" || closedBy === null) {
    return addDone(ended, { result: end, prLink }, review.changes);
  }
  if (review.changes.length === 0) return ended;
  const entry = undecidedReview(review, { code: "docs-pull-closed", prLink, by: closedBy });
  return withFields(ended, { batches: [...ended.ledger.batches, entry] });
}

/** Takes a docs pull request out of those in review. The follow-ups of its job that are at work came too late. */
export function withoutReview(
  revision: BatchRevision,
  { prLink, jobId }: Pick<InReview, "prLink" | "jobId">,
): BatchRevision {
  const { reviews, batches } = revision.ledger;
  return withFields(revision, {
    reviews: reviews.filter((review) => review.prLink !== prLink),
    batches: batches.map((batch) => {
      const isFollowUp =
        batch.state === "running" && batch.job.isFollowUp && batch.job.id === jobId;
      return isFollowUp ? { ...batch, job: { ...batch.job, isTooLate: true } } : batch;
    }),
  });
}

/** What fails in passing is one wait; that it is not on this GitHub, or that the token may not read it, another. */
function unreadReview(
  revision: BatchRevision,
  review: InReview,
  read: Unread | { readonly type: "absent" },
): InReview {
  const isPassing = read.type === "unread" && read.isPassing;
  const { unread } = review;
  if (unread !== null && unread.isPassing === isPassing) return review;
  return { ...review, unread: { since: timeOf(revision), isPassing } };
}

function isGivenUp(revision: BatchRevision, { unread, endedAt }: InReview): boolean {
  return (
    unread !== null && !unread.isPassing && isOverdue("docs-pull-elsewhere", endedAt, revision)
  );
}

/** Docs pull requests that ended without being merged, or could no longer be read: each may be open again. */
export function endedUnmerged({ done, batches }: Ledger): string[] {
  const undecided = batches.flatMap((batch) => closedLink(batch) ?? []);
  return [...new Set([...undecided, ...done.filter(isUnmerged).map(({ prLink }) => prLink)])];
}

/** The docs pull request of an entry that needs a decision because it was closed; null for another entry. */
function closedLink(batch: Batch): string | null {
  const isClosed = batch.state === "failed" && batch.reason.code === "docs-pull-closed";
  return isClosed ? batch.reason.prLink : null;
}

function isUnmerged(entry: Finished): entry is Reviewed {
  return entry.result === "closed" || entry.result === "unread";
}

/**
 * Records that a docs pull request that had ended is open again, or was merged after all. It counts as the oldest in
 * review, so that the next batch does not go to its job while there is another one.
 */
export function takeReopened(
  revision: BatchRevision,
  prLink: string,
  state: "open" | "merged",
  { jobId, changes }: { jobId: string; changes: readonly Change[] },
): BatchRevision {
  const { done, reviews, batches } = revision.ledger;
  if (!endedUnmerged(revision.ledger).includes(prLink)) return revision;
  const closed = batches.find((batch) => closedLink(batch) === prLink);
  const kept = done.filter((entry) => entry.prLink !== prLink || !isUnmerged(entry));
  const known = reviews.find((review) => review.prLink === prLink);
  const own = kept.filter((entry) => entry.prLink === prLink);
  const held = new Set([...own, ...(known === undefined ? [] : [known])].flatMap(keysOf));
  const returned = (closed?.changes ?? changes).filter(({ key }) => !held.has(key));
  const review: InReview = {
    prLink,
    jobId: known?.jobId ?? jobId,
    changes: [...returned, ...(known?.changes ?? [])],
    others: known?.others ?? [],
    endedAt: known?.endedAt ?? timeOf(revision),
    unread: null,
    isClosedToBatches: known?.isClosedToBatches ?? false,
  };
  const inTime = batches.map((batch) => {
    const isFollowUp = batch.state === "running" && batch.job.id === jobId;
    return isFollowUp ? { ...batch, job: { ...batch.job, isTooLate: false } } : batch;
  });
  const fields = {
    done: kept,
    days: daysWithout(revision.ledger, prLink, returned),
    reviews: [review, ...reviews.filter((other) => other !== known)],
    batches: inTime.filter((batch) => batch.id !== closed?.id),
  };
  const reopened = withFields(revision, fields, `Docs pull request ${prLink} was reopened`);
  return state === "open"
    ? reopened
    : takeReview(reopened, prLink, { type: "known", value: state });
}

/** The counts without changes that counted by the end of a docs pull request. */
function daysWithout({ done, days }: Ledger, prLink: string, changes: readonly Change[]) {
  const entry = done.filter(isUnmerged).find((ended) => ended.prLink === prLink);
  return entry === undefined ? days : countedDays(days, changes, countOf(entry.result), -1);
}

function keysOf({ changes }: { changes: readonly Change[] }): string[] {
  return changes.map(({ key }) => key);
}

/** The docs pull requests that a person closed without merging, and whose changes may be handed over again. */
export function closedByPeople({ done }: Ledger): Reviewed[] {
  return done.filter(isRepeatable);
}

export function isRepeatable(entry: Finished): entry is Reviewed {
  return entry.result === "closed" && entry.changes.length > 0;
}

/** Takes the changes of a docs pull request that a person closed out of what is done; null if none has this ID. */
export function takeClosed(
  revision: BatchRevision,
  id: string,
): { revision: BatchRevision; changes: readonly Change[] } | null {
  const { done, days } = revision.ledger;
  const entry = closedByPeople(revision.ledger).find(({ prLink }) => reviewId(prLink) === id);
  if (entry === undefined) return null;
  const { changes } = entry;
  const fields = {
    done: done.filter((other) => other !== entry),
    days: countedDays(days, changes, "not", -1),
  };
  return { revision: withFields(revision, fields), changes };
}
