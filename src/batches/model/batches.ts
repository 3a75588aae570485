/** What happens to a batch, or to the draft of a pull request: its intent, its request, and what became of that. */

import { withFields } from "../../ledger/file.ts";
import type { Delivery } from "../../runtime/delivery.ts";
import type { Job } from "../../service/agent.ts";
import { counted } from "../../text/sentence.ts";
import { closeToBatches } from "./ends.ts";
import { noteAccepted, noteFailure, noteKnown, runOf } from "./failures.ts";
import type { Batch, Draft, RunningBatch } from "./ledger.ts";
import { chunks, namesOf, without } from "./names.ts";
import {
  addStarts,
  type BatchRevision,
  findBatch,
  isDraft,
  putBack,
  removeBatch,
  removeStart,
  replaceBatch,
  timeOf,
  withEvent,
} from "./revision.ts";

/** The job that a request started or continued. */
export interface StartedJob {
  readonly job: Job;
  readonly isFollowUp: boolean;
}

/** Records what is about to be handed over. */
export function intend(
  revision: BatchRevision,
  planned: readonly Parameters<typeof intended>[0][],
): BatchRevision {
  const changes = planned.flatMap((plan) => plan.changes);
  if (changes.length === 0) return revision;
  const { waiting, batches } = revision.ledger;
  const at = timeOf(revision);
  const keys = new Set(changes.map(({ key }) => key));
  const fields = {
    waiting: without(waiting, keys),
    batches: [...batches, ...planned.map((plan) => intended(plan, at))],
  };
  const amount = counted(changes.length, changes[0]?.kind ?? "change");
  const ids = planned.map(({ id }) => id);
  return withFields(addStarts(revision, ids), fields, `Hand over ${amount}: ${namesOf(changes)}`);
}

/** @param at the time at which the intent is written */
export function intended(
  plan: {
    readonly id: string;
    readonly changes: Batch["changes"];
    readonly attempt: number;
    readonly followUp: Batch["followUp"];
    /** Of a part of a batch; null for another. */
    readonly origin: Batch["origin"] | null;
    /** The job for a follow-up; null for a new one. */
    readonly sentTo: string | null;
  },
  at: string,
): Extract<Batch, { readonly state: "intended" }> {
  const { id, changes, followUp, attempt, sentTo } = plan;
  const origin = plan.origin ?? { id, hasSucceeded: false };
  const fields = { id, changes, origin, followUp, isOutdated: false, attempt, at };
  return { ...fields, state: "intended", sentTo };
}

/** Records that the results of dead runs' requests are not known. @param isDead by the time of an intent */
export function expireIntended(
  revision: BatchRevision,
  isDead: (writtenAt: string) => boolean,
): BatchRevision {
  const { batches, drafts } = revision.ledger;
  return [...batches, ...drafts]
    .filter(({ state, at }) => state === "intended" && isDead(at))
    .reduce((before, batch) => {
      const after = replaceBatch(before, uncertain(batch, { code: "run-ended" }));
      // All that one run has lost counts once.
      return noteFailure(after, batch, "unknown", null, runOf(batch.id));
    }, revision);
}

/** Records what became of a batch's request. A known job replaces an uncertain result. */
export function recordRequest(
  revision: BatchRevision,
  id: string,
  delivery: Delivery<StartedJob>,
): BatchRevision {
  const batch = findBatch(revision, id);
  if (batch?.state !== "intended" && batch?.state !== "uncertain") return revision;
  const isKnown = batch.state === "uncertain" && delivery.type !== "uncertain";
  const noted = noteLimit(isKnown ? noteKnown(revision, batch) : revision, delivery.type);
  const names = namesOf(batch.changes);
  switch (delivery.type) {
    case "accepted":
      return accept(noted, batch, delivery.value);
    case "uncertain": {
      if (batch.state === "uncertain") return revision;
      const { reason: words } = delivery;
      const reason =
        words === null
          ? ({ code: "run-ended" } as const)
          : ({ code: "unanswered", words } as const);
      const after = replaceBatch(noted, uncertain(batch, reason));
      const event = `The service may have received ${names}`;
      return noteFailure(withEvent(after, event), batch, "unknown", null);
    }
    case "refused":
      if (delivery.by === "content" && !isDraft(revision, id)) {
        return refuse(noted, batch, delivery.error.problem);
      }
      return takeBack(noted, batch);
    case "busy":
      return takeBack(noteBusy(noted, batch), batch);
    case "limited":
    case "not-sent":
      return takeBack(noted, batch);
  }
}

function accept(revision: BatchRevision, batch: Draft, started: StartedJob): BatchRevision {
  const job = jobOf(revision, started);
  const running: Batch = { ...common(batch), state: "running", job };
  const sentTo = batch.state === "intended" ? batch.sentTo : null;
  // A job that takes no more gets no further batch.
  const isReplaced = sentTo !== null && !started.isFollowUp;
  const busyJobs = revision.ledger.busyJobs.filter(({ jobId }) => jobId !== job.id);
  const accepted = withFields(replaceBatch(revision, running), { busyJobs });
  const closed = isReplaced ? closeToBatches(accepted, sentTo) : accepted;
  return withEvent(noteAccepted(closed), `Job ${job.id} took ${namesOf(batch.changes)}`);
}

/** Since when the service's hourly limit has let nothing through. A request that got no answer says nothing of it. */
function noteLimit(revision: BatchRevision, type: Delivery<unknown>["type"]): BatchRevision {
  const { limitedSince } = revision.ledger;
  if (type === "not-sent" || type === "uncertain") return revision;
  const since = type === "limited" ? (limitedSince ?? timeOf(revision)) : null;
  return since === limitedSince ? revision : withFields(revision, { limitedSince: since });
}

/** Nothing waits for the service any more: what comes later begins its own wait. */
export function endWaits(revision: BatchRevision): BatchRevision {
  const { waiting, limitedSince, busyJobs } = revision.ledger;
  const isWaiting = waiting.some(({ isReleased }) => isReleased);
  if (isWaiting || (limitedSince === null && busyJobs.length === 0)) return revision;
  return withFields(revision, { limitedSince: null, busyJobs: [] });
}

/** Since when a job has accepted no message. */
function noteBusy(revision: BatchRevision, batch: Draft): BatchRevision {
  const { busyJobs } = revision.ledger;
  const jobId = batch.state === "intended" ? batch.sentTo : null;
  if (jobId === null || busyJobs.some((busy) => busy.jobId === jobId)) return revision;
  return withFields(revision, { busyJobs: [...busyJobs, { jobId, since: timeOf(revision) }] });
}

/**
 * The service refuses the content: nothing was started, and it counts as no attempt. Several changes are handed over
 * again in halves, so that one of them does not block the others. A person decides about one that is refused by itself.
 */
function refuse(revision: BatchRevision, batch: Draft, words: string): BatchRevision {
  const { id, changes, origin, attempt, followUp } = batch;
  const unsent = removeStart(revision, id);
  const event = `The service refused ${namesOf(changes)}`;
  if (changes.length > 1) {
    const halves = chunks(changes, Math.ceil(changes.length / 2));
    const parts = halves.map((half) => ({
      changes: half,
      origin,
      attempts: attempt - 1,
      followUp,
    }));
    return putBack(withEvent(removeBatch(unsent, id), event), parts);
  }
  const reason = { code: "refused", words } as const;
  const failed: Batch = { ...common(batch), state: "failed", job: null, reason };
  const found = joinUntried(withEvent(replaceBatch(unsent, failed), event), origin.id);
  return noteFailure(found, batch, "refused", null);
}

/** The change that the service refuses is found: the other parts, none of which was accepted, go out together again. */
function joinUntried(revision: BatchRevision, originId: string): BatchRevision {
  const waiting = revision.ledger.waiting.map((group) =>
    group.origin?.id === originId && group.attempts === 0 ? { ...group, origin: null } : group,
  );
  return withFields(revision, { waiting });
}

function takeBack(revision: BatchRevision, batch: Draft): BatchRevision {
  return withEvent(withdraw(revision, batch), `Withdraw ${namesOf(batch.changes)}`);
}

function common({ id, changes, origin, followUp, isOutdated, attempt, at }: Draft) {
  return { id, changes, origin, followUp, isOutdated, attempt, at };
}

function uncertain(
  batch: Draft,
  reason: Extract<Batch, { readonly state: "uncertain" }>["reason"],
): Batch {
  return { ...common(batch), state: "uncertain", reason };
}

function jobOf(revision: BatchRevision, { job, isFollowUp }: StartedJob): RunningBatch["job"] {
  const acceptedAt = timeOf(revision);
  return {
    id: job.id,
    acceptedAt,
    isFollowUp,
    prLink: null,
    missingSince: null,
    withoutPullSince: null,
    isTooLate: false,
  };
}

/**
 * Follows a job that turned out to have a batch, although nobody knew. For a follow-up, as if it had been accepted when
 * the batch was written down.
 */
export function adoptJob(revision: BatchRevision, batch: Draft, jobId: string): BatchRevision {
  const isFollowUp =
    batch.followUp?.jobId === jobId ||
    revision.ledger.reviews.some((review) => review.jobId === jobId);
  const job: RunningBatch["job"] = {
    id: jobId,
    acceptedAt: isFollowUp ? batch.at : timeOf(revision),
    isFollowUp,
    prLink: null,
    missingSince: null,
    withoutPullSince: null,
    isTooLate: false,
  };
  const running: Batch = { ...common(batch), state: "running", job };
  const adopted = noteKnown(replaceBatch(revision, running), batch);
  return withEvent(adopted, `Job ${jobId} has ${namesOf(batch.changes)}`);
}

/** The ledger without a batch that was not sent: its changes wait again, and it counts as no attempt. */
export function withdraw(revision: BatchRevision, batch: Draft): BatchRevision {
  const { id, changes, attempt, followUp } = batch;
  const removed = removeBatch(removeStart(revision, id), id);
  if (isDraft(revision, id)) return removed;
  const origin = batch.origin.id === id ? null : batch.origin;
  return putBack(removed, [{ changes, origin, attempts: attempt - 1, followUp }]);
}
