/** The end of a batch: its changes are documented, in review, or handed over again. */

import { withFields } from "../../ledger/file.ts";
import { pullName } from "../../text/link.ts";
import { entryText } from "../reasons.ts";
import type { Change, Draft, FailedBatch, InReview, RunningBatch } from "./ledger.ts";
import { chunks, namesOf } from "./names.ts";
import {
  addDone,
  type BatchRevision,
  endBatch,
  isDraft,
  putBack,
  replaceBatch,
  timeOf,
  withEvent,
} from "./revision.ts";

/** Records that a batch's job is done. @param prLink null if nothing had to change */
export function finish(
  revision: BatchRevision,
  batch: Draft,
  job: RunningBatch["job"],
  prLink: string | null,
): BatchRevision {
  const { changes, isOutdated } = batch;
  const state = isOutdated ? "again" : "done";
  const ended = endBatch(revision, batch, { state, jobId: job.id, prLink });
  const shown = isOutdated ? [] : changes;
  const found = { prLink, jobId: job.id, changes: shown, others: [] };
  const reviewed = prLink === null ? ended : addReview(ended, { ...found, prLink });
  if (isOutdated) {
    // The merged head has commits that the draft's job does not know. A follow-up sends them.
    const event = `Job ${job.id} drafted ${namesOf(changes)}, which has new commits since then`;
    const followUp = { jobId: job.id, prLink };
    return putBack(withEvent(reviewed, event), [{ changes, origin: null, attempts: 0, followUp }]);
  }
  const completed = withEvent(reviewed, `Job ${job.id} completed: ${endText(prLink)}`);
  const added = revision.rules.comments ? commentsOn(changes, prLink, job.id) : [];
  const noted = withFields(completed, {
    pendingComments: [...completed.ledger.pendingComments, ...added],
  });
  return prLink === null ? addDone(noted, { result: "none", prLink }, changes) : noted;
}

function endText(prLink: string | null): string {
  return prLink === null ? "nothing to change" : `docs pull request ${pullName(prLink)}`;
}

function commentsOn(changes: readonly Change[], prLink: string | null, job: string) {
  return changes
    .filter((change) => change.kind === "change" && change.number !== null)
    .map((change) => ({ change, prLink, job, claim: null, tries: 0, refusals: 0 }));
}

/** Adds a docs pull request to those in review, or changes to one of them. */
export function addReview(
  revision: BatchRevision,
  found: Pick<InReview, "prLink" | "jobId" | "changes" | "others">,
): BatchRevision {
  const { reviews } = revision.ledger;
  const { prLink, jobId } = found;
  const known = reviews.find((review) => review.prLink === prLink);
  const after: InReview = {
    prLink,
    jobId,
    changes: [...(known?.changes ?? []), ...found.changes],
    others: [...(known?.others ?? []), ...found.others],
    endedAt: known?.endedAt ?? timeOf(revision),
    unread: known?.unread ?? null,
    isClosedToBatches: false,
  };
  return withFields(revision, {
    reviews:
      known === undefined
        ? [...reviews, after]
        : reviews.map((review) => (review === known ? after : review)),
  });
}

/** Most changes that go out together for the last time. */
const MOST_AT_LAST = 4;

/** Leaves a batch to a person. The next batch starts another job. */
export function leaveToPerson(
  revision: BatchRevision,
  batch: RunningBatch,
  reason: FailedBatch["reason"],
): BatchRevision {
  const closed = closeToBatches(withEvent(revision, entryText(reason)), batch.job.id);
  return replaceBatch(closed, { ...batch, state: "failed", reason });
}

/** Puts the changes of a failed batch back, as long as `max-attempts` allows it. */
export function fail(
  revision: BatchRevision,
  batch: RunningBatch,
  reason: FailedBatch["reason"],
): BatchRevision {
  const { id, changes, origin, attempt, job } = batch;
  const { maxAttempts } = revision.rules;
  if (attempt >= maxAttempts || isDraft(revision, id)) {
    return leaveToPerson(revision, batch, reason);
  }
  const closed = closeToBatches(withEvent(revision, entryText(reason)), job.id);
  const ended = endBatch(closed, batch, { state: "failed", jobId: job.id, prLink: job.prLink });
  // One bad change does not block the others.
  const half = Math.ceil(changes.length / 2);
  const size = attempt + 1 === maxAttempts ? Math.min(MOST_AT_LAST, half) : half;
  const parts = chunks(changes, size);
  return putBack(
    ended,
    parts.map((part) => ({ changes: part, origin, attempts: attempt, followUp: null })),
  );
}

/** The next batch starts another job. */
export function closeToBatches(revision: BatchRevision, jobId: string): BatchRevision {
  const { reviews } = revision.ledger;
  const first = reviews.find((review) => review.jobId === jobId);
  if (first === undefined) return revision;
  const closed = { ...first, isClosedToBatches: true };
  const others = reviews.map((review) => (review === first ? closed : review));
  return withFields(revision, { reviews: others });
}
