/** What people decide about batches, and about the changes of docs pull requests. */

import { withFields } from "../../ledger/file.ts";
import { adoptJob } from "./batches.ts";
import { closeToBatches } from "./ends.ts";
import { goOn } from "./failures.ts";
import { follow } from "./followed.ts";
import { type Batch, type DocsEnd, jobIdOf, type PassedOver } from "./ledger.ts";
import { namesOf } from "./names.ts";
import { takeClosed, withoutReview } from "./reviews.ts";
import {
  addDone,
  type BatchRevision,
  endBatch,
  putBack,
  putBackDecided,
  withEvent,
} from "./revision.ts";
import { undecidedBatches } from "./undecided.ts";
import { acceptUnread } from "./unread.ts";

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

/**
 * The entries that need a decision. The ID of one whose job takes too long is another one than before, so that a tick
 * from when nobody knew of the job starts no second one.
 */
export function undecidedEntries(revision: BatchRevision): { id: string; batch: Batch }[] {
  return undecidedBatches(revision).map((batch) => ({ id: entryId(batch), batch }));
}

export function entryId({ id, state }: Batch): string {
  return state === "running" ? `${id} late` : id;
}

const NO_FOLLOW_UP = { followUp: null };

/** Applies a person's decision. An entry that needs none any more is ignored. */
export function applyDecision(revision: BatchRevision, decision: Decision): BatchRevision {
  const { id, choice } = decision;
  if (choice === "go-on") return goOn(revision, id);
  if (choice === "hand-over") return takeBack(revision, id);
  const batch = undecidedBatches(revision).find((undecided) => entryId(undecided) === id);
  if (batch === undefined) return choice === "again" ? againAfterClosing(revision, id) : revision;
  const { changes, attempt } = batch;
  const jobId = jobIdOf(batch);
  if (choice === "job") {
    const isOther = jobId !== decision.jobId;
    // The job that was known before may still open a docs pull request.
    const before = isOther ? follow(revision, batch, "again", `${batch.id} ${jobId}`) : revision;
    return adoptJob(before, batch, decision.jobId);
  }
  // A job that takes too long may never end.
  const isLate = batch.state === "running";
  const closed = isLate && jobId !== null ? closeToBatches(revision, jobId) : revision;
  const followed = follow(closed, batch, choice === "again" ? "again" : "left");
  const prLink = "job" in batch ? (batch.job?.prLink ?? null) : null;
  const state = choice === "again" ? "again" : "left";
  const ended = endEntry(followed, batch, { state, jobId, prLink });
  const words = choice === "again" ? "Hand over again:" : "Leave";
  const noted = withEvent(ended, `${words} ${namesOf(changes)}`);
  if (choice === "leave") return addDone(noted, endOf(batch), changes);
  const isUnreadable = batch.state === "failed" && batch.reason.code === "unreadable";
  // Nothing was sent.
  const { followUp } = isUnreadable ? batch : NO_FOLLOW_UP;
  const accepted = isUnreadable ? acceptUnread(noted, changes) : noted;
  const origin = batch.origin.id === id ? null : batch.origin;
  return isUnreadable
    ? putBack(accepted, [{ changes, origin, attempts: attempt, followUp }])
    : putBackDecided(accepted, { changes, attempts: attempt, followUp });
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
  return putBack(without, [{ changes, origin: null, attempts: 0, followUp: null }]);
}

function endEntry(
  revision: BatchRevision,
  batch: Batch,
  end: Parameters<typeof endBatch>[2],
): BatchRevision {
  const isReview = batch.state === "failed" && batch.reason.code === "docs-pull-unread";
  if (!isReview || end.jobId === null) return endBatch(revision, batch, end);
  const { prLink } = batch.reason;
  return endBatch(withoutReview(revision, { prLink, jobId: end.jobId }), batch, end);
}

/** A docs pull request that was closed may be reopened, also if its entry was left. */
function endOf(batch: Batch): DocsEnd {
  const isClosed = batch.state === "failed" && batch.reason.code === "docs-pull-closed";
  if (!isClosed) return { result: "left", prLink: null };
  return { result: "closed", prLink: batch.reason.prLink };
}

/** Hands the changes of a docs pull request over again that a person closed without merging. */
function againAfterClosing(revision: BatchRevision, id: string): BatchRevision {
  const taken = takeClosed(revision, id);
  if (taken === null) return revision;
  const { changes } = taken;
  const noted = withEvent(taken.revision, `Hand over again: ${namesOf(changes)}`);
  return putBackDecided(noted, { changes, attempts: 1, followUp: null });
}
