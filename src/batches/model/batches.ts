/** What happens to a batch, or to the draft of a pull request: its intent, its request, and what became of that. */

import { withFields } from "../../ledger/file.ts";
import type { Delivery } from "../../runtime/delivery.ts";
import type { Job } from "../../service/agent.ts";
import { counted } from "../../text/sentence.ts";
import { noteAccepted, noteRefusal } from "./failures.ts";
import type { Batch, Draft, RunningBatch } from "./ledger.ts";
import { namesOf, without } from "./names.ts";
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

/** A batch before its intent is written. */
export interface PlannedBatch {
  readonly id: string;
  readonly changes: Batch["changes"];
  readonly attempt: number;
  readonly followUp: Batch["followUp"];
}

/** Records what is about to be handed over. */
export function intend(revision: BatchRevision, planned: readonly PlannedBatch[]): BatchRevision {
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
  plan: PlannedBatch,
  at: string,
): Extract<Batch, { readonly state: "intended" }> {
  const { id, changes, followUp, attempt } = plan;
  return { id, changes, followUp, isOutdated: false, attempt, at, state: "intended" };
}

/** Records that the results of dead runs' requests are not known. @param isDead by the time of an intent */
export function expireIntended(
  revision: BatchRevision,
  isDead: (writtenAt: string) => boolean,
): BatchRevision {
  const { batches, drafts } = revision.ledger;
  return [...batches, ...drafts]
    .filter(({ state, at }) => state === "intended" && isDead(at))
    .reduce(
      (before, batch) => replaceBatch(before, uncertain(batch, { code: "run-ended" })),
      revision,
    );
}

/** Records what became of a batch's request. A known job replaces an uncertain result. */
export function recordRequest(
  revision: BatchRevision,
  id: string,
  delivery: Delivery<StartedJob>,
): BatchRevision {
  const batch = findBatch(revision, id);
  if (batch?.state !== "intended" && batch?.state !== "uncertain") return revision;
  const names = namesOf(batch.changes);
  switch (delivery.type) {
    case "accepted": {
      const job = jobOf(revision, delivery.value);
      const running: Batch = { ...common(batch), state: "running", job };
      const accepted = noteAccepted(replaceBatch(revision, running));
      return withEvent(accepted, `Job ${job.id} took ${names}`);
    }
    case "uncertain": {
      if (batch.state === "uncertain") return revision;
      const reason = { code: "unanswered", words: delivery.reason } as const;
      const after = replaceBatch(revision, uncertain(batch, reason));
      return withEvent(after, `The service may have received ${names}`);
    }
    case "refused":
      if (delivery.by === "content" && isForPerson(revision)) {
        return refuse(revision, batch, delivery.error.problem);
      }
      return takeBack(revision, batch);
    case "limited":
    case "busy":
    case "not-sent":
      return takeBack(revision, batch);
  }
}

/** A queue goes on after a task whose content was refused: a person decides about it. Changes are handed over again. */
function isForPerson({ ledger }: BatchRevision): boolean {
  return ledger.action === "queue";
}

function refuse(revision: BatchRevision, batch: Draft, words: string): BatchRevision {
  const reason = { code: "refused", words } as const;
  const failed: Batch = { ...common(batch), state: "failed", job: null, reason };
  const event = `The service refused ${namesOf(batch.changes)}`;
  return noteRefusal(withEvent(replaceBatch(revision, failed), event), batch.id);
}

function takeBack(revision: BatchRevision, batch: Draft): BatchRevision {
  return withEvent(withdraw(revision, batch), `Withdraw ${namesOf(batch.changes)}`);
}

function common({ id, changes, followUp, isOutdated, attempt, at }: Draft) {
  return { id, changes, followUp, isOutdated, attempt, at };
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
  return withEvent(replaceBatch(revision, running), `Job ${jobId} has ${namesOf(batch.changes)}`);
}

/** The ledger without a batch that was not sent: its changes wait again, and it counts as no attempt. */
export function withdraw(revision: BatchRevision, batch: Draft): BatchRevision {
  const { id, changes, attempt, followUp } = batch;
  const removed = removeBatch(removeStart(revision, id), id);
  if (isDraft(revision, id)) return removed;
  return putBack(removed, [{ changes, attempts: attempt - 1, followUp }]);
}
