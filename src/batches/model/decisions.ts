/** What people do with docs pull requests, and what they decide about batches. */

import type { PullState } from "../../github/changes/pull-state.ts";
import { withFields } from "../../ledger/file.ts";
import type { Fact, Unread } from "../../runtime/fact.ts";
import { closeToBatches } from "./ends.ts";
import { goOn } from "./failures.ts";
import { follow } from "./followed.ts";
import {
  type Batch,
  type Change,
  type Finished,
  type InReview,
  jobIdOf,
  type Ledger,
  type PassedOver,
  type Reviewed,
  type RunningBatch,
} from "./ledger.ts";
import { namesOf } from "./names.ts";
import {
  addDone,
  type BatchRevision,
  countedDays,
  endBatch,
  putBack,
  replaceBatch,
  undecidedBatches,
  withEvent,
} from "./revision.ts";
import { acceptUnread } from "./unread.ts";

/** How many consecutive runs try to read a docs pull request that GitHub refuses to show. */
const UNREAD_RUNS = 5;

/** A person's decision by a ticked box. */
export interface Tick {
  /** By {@link entryId}; for `go-on`, of the halt; for `hand-over`, the key of a change that was passed over. */
  id: string;
  choice: "again" | "leave" | "go-on" | "hand-over";
}

/** What a person decided, by a box or in the input `decisions`. */
export type Decision =
  | Tick
  /** The job that took the entry's request, although nobody knew. */
  | { readonly id: string; readonly choice: "job"; readonly jobId: string };

/** Something that needs a decision. */
export interface UndecidedEntry {
  readonly id: string;
  readonly batch: Batch;
}

/**
 * The entries that need a decision. The ID of one whose job takes too long is another one than before, so that a tick
 * from when nobody knew of the job starts no second one.
 */
export function undecidedEntries(revision: BatchRevision): UndecidedEntry[] {
  return undecidedBatches(revision).map((batch) => ({ id: entryId(batch), batch }));
}

export function entryId({ id, state }: Batch): string {
  return state === "running" ? `${id} late` : id;
}

/** Records the state of a docs pull request. */
export function takeReview(
  revision: BatchRevision,
  prLink: string,
  read: Fact<PullState>,
): BatchRevision {
  const { reviews, batches } = revision.ledger;
  const review = reviews.find((other) => other.prLink === prLink);
  if (review === undefined) return revision;
  const unread = read.type === "known" ? 0 : unreadRuns(review, read);
  const end = read.type === "known" ? read.value : unread < UNREAD_RUNS ? "open" : "unread";
  if (end === "open") {
    const noted = { ...review, unread };
    return withFields(revision, {
      reviews: reviews.map((other) => (other === review ? noted : other)),
    });
  }
  const others = reviews.filter((other) => other !== review);
  const late = batches.map((batch) => {
    const isFollowUp =
      batch.state === "running" && batch.job.isFollowUp && batch.job.id === review.jobId;
    return isFollowUp ? { ...batch, job: { ...batch.job, isTooLate: true } } : batch;
  });
  const words = { merged: "was merged", closed: "was closed", unread: "cannot be read" };
  const event = `Docs pull request ${prLink} ${words[end]}`;
  const ended = withFields(revision, { reviews: others, batches: late }, event);
  return addDone(ended, { result: end, prLink }, review.changes);
}

/** The number of consecutive runs in which it could not be read. What is passing never ends a review by itself. */
function unreadRuns({ unread }: InReview, read: Unread | { readonly type: "absent" }): number {
  const isPassing = read.type === "unread" && read.isPassing;
  return isPassing ? Math.min(unread + 1, UNREAD_RUNS - 1) : unread + 1;
}

/** What a docs pull request documents, and the job that opened it. */
export interface Documented {
  jobId: string;
  changes: readonly Change[];
}

/** Docs pull requests that ended without being merged, or could no longer be read: each may be open again. */
export function endedUnmerged({ done }: Ledger): string[] {
  return [...new Set(done.filter(isUnmerged).map(({ prLink }) => prLink))];
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
  { jobId, changes }: Documented,
): BatchRevision {
  const { done, reviews, batches, days } = revision.ledger;
  if (!endedUnmerged(revision.ledger).includes(prLink)) return revision;
  const kept = done.filter((entry) => entry.prLink !== prLink || !isUnmerged(entry));
  const known = reviews.find((review) => review.prLink === prLink);
  const own = kept.filter((entry) => entry.prLink === prLink);
  const held = new Set([...own, ...(known === undefined ? [] : [known])].flatMap(keysOf));
  const returned = changes.filter(({ key }) => !held.has(key));
  const review: InReview = {
    prLink,
    jobId: known?.jobId ?? jobId,
    changes: [...returned, ...(known?.changes ?? [])],
    others: known?.others ?? [],
    unread: 0,
    isClosedToBatches: known?.isClosedToBatches ?? false,
  };
  const inTime = batches.map((batch) => {
    const isFollowUp = batch.state === "running" && batch.job.id === jobId;
    return isFollowUp ? { ...batch, job: { ...batch.job, isTooLate: false } } : batch;
  });
  const others = reviews.filter((other) => other !== known);
  const fields = {
    done: kept,
    days: countedDays(days, returned, "not", -1),
    reviews: [review, ...others],
    batches: inTime,
  };
  const reopened = withFields(revision, fields, `Docs pull request ${prLink} was reopened`);
  return state === "open"
    ? reopened
    : takeReview(reopened, prLink, { type: "known", value: state });
}

function keysOf({ changes }: { changes: readonly Change[] }): string[] {
  return changes.map(({ key }) => key);
}

const NO_FOLLOW_UP = { followUp: null };

/** Applies a person's decision. An entry that needs none any more is ignored. */
export function applyDecision(revision: BatchRevision, decision: Decision): BatchRevision {
  const { id, choice } = decision;
  if (choice === "go-on") return goOn(revision, id);
  if (choice === "hand-over") return takeBack(revision, id);
  const batch = undecidedBatches(revision).find((undecided) => entryId(undecided) === id);
  if (batch === undefined) return revision;
  if (choice === "job") return adoptJob(revision, batch, decision.jobId);
  const { changes, attempt } = batch;
  const jobId = jobIdOf(batch);
  // A job that takes too long may never end.
  const isLate = batch.state === "running";
  const closed = isLate && jobId !== null ? closeToBatches(revision, jobId) : revision;
  const followed = follow(closed, batch, choice === "again" ? "again" : "left");
  const prLink = "job" in batch ? (batch.job?.prLink ?? null) : null;
  const state = choice === "again" ? "again" : "left";
  const ended = endBatch(followed, batch, { state, jobId, prLink });
  const words = choice === "again" ? "Hand over again:" : "Leave";
  const noted = withEvent(ended, `${words} ${namesOf(changes)}`);
  if (choice === "leave") return addDone(noted, { result: "left", prLink: null }, changes);
  const isUnreadable = batch.state === "failed" && batch.reason.code === "unreadable";
  // Nothing was sent.
  const { followUp } = isUnreadable ? batch : NO_FOLLOW_UP;
  const accepted = isUnreadable ? acceptUnread(noted, changes) : noted;
  return putBack(accepted, [{ changes, attempts: attempt, followUp }]);
}

/**
 * The entries that were passed over by a filter, or by a revert, and that a person may have handed over all the same.
 * What was handed over before, or is documentation, is none of them.
 */
export function recallable({ ledger }: BatchRevision): PassedOver[] {
  return ledger.passedOver.filter(({ reason }) => RECALLABLE.has(reason.code));
}

const RECALLABLE: ReadonlySet<PassedOver["reason"]["code"]> = new Set([
  "label",
  "author",
  "no-label",
  "no-path",
  "no-files",
  "reverted",
  "reverts",
]);

/** Lets a change wait that was passed over, whatever the filters say. */
function takeBack(revision: BatchRevision, key: string): BatchRevision {
  const entry = recallable(revision).find(({ change }) => change.key === key);
  if (entry === undefined) return revision;
  const passedOver = revision.ledger.passedOver.filter((other) => other !== entry);
  const changes = [{ ...entry.change, isWanted: true }];
  const event = `Hand over ${namesOf(changes)}, which was passed over`;
  const without = withFields(revision, { passedOver }, event);
  return putBack(without, [{ changes, attempts: 0, followUp: null }]);
}

/** Follows a job that turned out to have the batch, as if it had accepted it when the batch was written down. */
function adoptJob(revision: BatchRevision, batch: Batch, jobId: string): BatchRevision {
  const { id, changes, followUp, isOutdated, attempt, at } = batch;
  const job: RunningBatch["job"] = {
    id: jobId,
    acceptedAt: at,
    isFollowUp: false,
    prLink: null,
    missingSince: null,
    withoutPullSince: null,
    isTooLate: false,
  };
  const running: Batch = { id, changes, followUp, isOutdated, attempt, at, state: "running", job };
  const event = `Job ${jobId} has ${namesOf(changes)}`;
  return withEvent(replaceBatch(revision, running), event);
}
