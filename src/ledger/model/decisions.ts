/** What people do with docs pull requests, and what they decide about batches. */

import type { PullState } from "../../github/changes/history.ts";
import { closeToBatches } from "./ends.ts";
import { withFields } from "./file.ts";
import { jobIdOf } from "./ledger.ts";
import { namesOf } from "./names.ts";
import {
  addDone,
  type BatchRevision,
  endBatch,
  putBack,
  undecidedBatches,
  withEvent,
} from "./revision.ts";

/** How many consecutive runs try to read a docs pull request. */
const UNREAD_RUNS = 5;

/** A person's decision by a ticked box. */
export interface Decision {
  /** Of the batch. */
  id: string;
  choice: "again" | "leave";
}

/** Records the state of a docs pull request. */
export function takeReview(
  revision: BatchRevision,
  prLink: string,
  state: PullState["state"],
): BatchRevision {
  const { reviews, batches } = revision.ledger;
  const review = reviews.find((other) => other.prLink === prLink);
  if (review === undefined) return revision;
  const unread = state === "unread" ? review.unread + 1 : 0;
  if (state === "open" || (state === "unread" && unread < UNREAD_RUNS)) {
    const read = { ...review, unread };
    return withFields(revision, {
      reviews: reviews.map((other) => (other === review ? read : other)),
    });
  }
  const others = reviews.filter((other) => other !== review);
  const late = batches.map((batch) => {
    const isFollowUp =
      batch.state === "running" && batch.job.isFollowUp && batch.job.id === review.jobId;
    return isFollowUp ? { ...batch, job: { ...batch.job, isTooLate: true } } : batch;
  });
  const words = { merged: "was merged", closed: "was closed", unread: "cannot be read" };
  const event = `Docs pull request ${prLink} ${words[state]}`;
  const ended = withFields(revision, { reviews: others, batches: late }, event);
  return addDone(ended, state, prLink, review.changes);
}

/** Applies a person's decision. An entry that needs none any more is ignored. */
export function applyDecision(revision: BatchRevision, { id, choice }: Decision): BatchRevision {
  const batch = undecidedBatches(revision).find((undecided) => undecided.id === id);
  if (batch === undefined) return revision;
  const { changes, attempt } = batch;
  const jobId = jobIdOf(batch);
  // A job that takes too long may never end.
  const isLate = batch.state === "running";
  const closed = isLate && jobId !== null ? closeToBatches(revision, jobId) : revision;
  const prLink = "job" in batch ? (batch.job?.prLink ?? null) : null;
  const state = choice === "again" ? "again" : "left";
  const ended = endBatch(closed, batch, { state, jobId, prLink });
  const words = choice === "again" ? "Hand over again:" : "Leave";
  const noted = withEvent(ended, `${words} ${namesOf(changes)}`);
  if (choice === "leave") return addDone(noted, "left", null, changes);
  return putBack(noted, [{ changes, attempts: attempt, followUp: null }]);
}
