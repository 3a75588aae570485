/** Jobs that a person decided not to wait for any more: each is followed to its end. */

import { FOLLOWED, isWithoutPull } from "../../job/doubt.ts";
import { withFields } from "../../ledger/file.ts";
import type { Fact } from "../../runtime/fact.ts";
import { pullName, safeLink } from "../../text/link.ts";
import { addReview } from "./ends.ts";
import type { Draft, FollowedJob, HistoryLine } from "./ledger.ts";
import type { Polled } from "./polls.ts";
import {
  ageOf,
  type BatchRevision,
  countedDays,
  isFollowable,
  noteAgent,
  timeOf,
  withEvent,
} from "./revision.ts";

/**
 * Follows the job of a batch about which a person decided, if it has not come to its end.
 *
 * @param id another one than the batch's, if that goes on with another job
 */
export function follow(
  revision: BatchRevision,
  batch: Draft,
  decision: FollowedJob["decision"],
  id = batch.id,
): BatchRevision {
  if (batch.state !== "running" && !isFollowable(batch, revision.now)) return revision;
  const { changes, attempt, job } = batch;
  const entry: FollowedJob = { id, changes, attempt, job, decision, since: timeOf(revision) };
  return withFields(revision, { followed: [...revision.ledger.followed, entry] });
}

/** Ends what was followed for long enough. */
export function expireFollowed(revision: BatchRevision): BatchRevision {
  const { followed } = revision.ledger;
  const kept = followed.filter(({ since }) => ageOf(revision, since) < FOLLOWED);
  return kept.length === followed.length ? revision : withFields(revision, { followed: kept });
}

/** Records what a poll says of a job that is followed. Its docs pull request is in review. */
export function takeFollowed(
  revision: BatchRevision,
  id: string,
  poll: Fact<Polled>,
): BatchRevision {
  const entry = revision.ledger.followed.find((other) => other.id === id);
  if (entry === undefined || poll.type !== "known") return revision;
  const { type, prLink, branch } = poll.value;
  const noted = noteAgent(revision, prLink, branch);
  if (type === "running") return noted;
  const link = type === "failed" ? null : safeLink(prLink);
  if (link !== null) return takeLatePull(withoutEntry(noted, entry), entry, link);
  const since = entry.job.withoutPullSince;
  const isOver = isWithoutPull(since === null ? null : Date.parse(since), revision.now);
  if (type === "failed" || isOver) return withoutEntry(noted, entry);
  const job = { ...entry.job, withoutPullSince: since ?? timeOf(revision) };
  const followed = noted.ledger.followed.map((it) => (it === entry ? { ...it, job } : it));
  return withFields(noted, { followed });
}

function withoutEntry(revision: BatchRevision, entry: FollowedJob): BatchRevision {
  const followed = revision.ledger.followed.filter((other) => other !== entry);
  return withFields(revision, { followed });
}

/** Changes that were left count by the docs pull request; those handed over again count where they are now. */
function takeLatePull(
  revision: BatchRevision,
  { id, changes, attempt, job, decision }: FollowedJob,
  prLink: string,
): BatchRevision {
  const isInReview = revision.ledger.reviews.some((review) => review.prLink === prLink);
  // The docs pull request of a follow-up that is over is known.
  if (job.isFollowUp && !isInReview) return revision;
  const isLeft = decision === "left";
  const found = {
    prLink,
    jobId: job.id,
    changes: isLeft ? changes : [],
    others: isLeft ? [] : changes,
  };
  const shown = addReview(isLeft ? takeBackLeft(revision, changes) : revision, found);
  const line: HistoryLine = {
    batch: id,
    at: timeOf(revision),
    state: "late",
    jobId: job.id,
    prLink,
    attempt,
    changes,
  };
  const event = `Job ${job.id} completed late: docs pull request ${pullName(prLink)}`;
  return withEvent({ ...shown, history: [...shown.history, line] }, event);
}

/** Changes that were left count no more as not documented. */
function takeBackLeft(revision: BatchRevision, changes: FollowedJob["changes"]): BatchRevision {
  const keys = new Set(changes.map(({ key }) => key));
  const { done, days } = revision.ledger;
  const others = done.filter(
    (entry) => entry.result !== "left" || !entry.changes.some(({ key }) => keys.has(key)),
  );
  return withFields(revision, { done: others, days: countedDays(days, changes, "not", -1) });
}
