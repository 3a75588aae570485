/** What happens to a batch, or to the draft of a pull request: its request, polls of its job, and its end. */

import type { PullEnd } from "../../github/changes/pull-state.ts";
import { withFields } from "../../ledger/file.ts";
import { MINUTE } from "../../runtime/clock.ts";
import type { Delivery } from "../../runtime/delivery.ts";
import type { Fact } from "../../runtime/fact.ts";
import type { Job } from "../../service/agent.ts";
import { safeLink } from "../../text/link.ts";
import { counted } from "../../text/sentence.ts";
import { fail, finish } from "./ends.ts";
import { noteAccepted, noteCompletedJob, noteFailedJob, noteRefusal } from "./failures.ts";
import type { Batch, Draft, RunningBatch } from "./ledger.ts";
import { namesOf, without } from "./names.ts";
import {
  addStarts,
  ageOf,
  type BatchRevision,
  findBatch,
  isDraft,
  noteAgent,
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

/** How long an accepted job that the service does not know counts as running, in milliseconds. */
export const UNKNOWN_GRACE = 10 * MINUTE;
/** After this many consecutive runs, a job that the service does not know has failed. */
const UNKNOWN_RUNS = 2;

/** What a poll says of a job. */
export interface Polled {
  type: "running" | "done" | "failed";
  /** The service's status. */
  status: string;
  prLink: string | null;
  /** Branch that the agent works on. */
  branch: string | null;
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
  return { id: job.id, acceptedAt, isFollowUp, prLink: null, unknownRuns: 0, isTooLate: false };
}

/** The ledger without a batch that was not sent: its changes wait again, and it counts as no attempt. */
export function withdraw(revision: BatchRevision, batch: Draft): BatchRevision {
  const { id, changes, attempt, followUp } = batch;
  const removed = removeBatch(removeStart(revision, id), id);
  if (isDraft(revision, id)) return removed;
  return putBack(removed, [{ changes, attempts: attempt - 1, followUp }]);
}

/** Records what a poll says of a batch's job. @param pull the end of its docs pull request, if that is known */
export function takePoll(
  revision: BatchRevision,
  id: string,
  poll: Fact<Polled>,
  pull: PullEnd | null = null,
): BatchRevision {
  const batch = findBatch(revision, id);
  if (batch?.state !== "running" || poll.type === "unread") return revision;
  if (poll.type === "absent") return takeUnknown(revision, batch);
  const { job } = batch;
  const { type, prLink, branch } = poll.value;
  const link = safeLink(prLink);
  const noted = noteAgent(revision, prLink, branch);
  const isOfDraft = isDraft(revision, id);
  switch (type) {
    case "running": {
      const known = { ...job, unknownRuns: 0, prLink: isOfDraft ? link : null };
      return replaceBatch(noted, { ...batch, job: known });
    }
    case "failed": {
      const failed = fail(noted, batch, { code: "job-failed", jobId: job.id });
      return noteFailedJob(failed, id, job.id);
    }
    case "done": {
      const completed = noteCompletedJob(noted);
      if (job.isTooLate || isTooLate(job, pull)) {
        return fail(completed, batch, { code: "ended-early", jobId: job.id });
      }
      if (!isOfDraft) return finish(completed, batch, job, link);
      return withEvent(
        replaceBatch(completed, { ...batch, state: "done", job: { ...job, prLink: link } }),
        `Job ${job.id}, a draft, completed`,
      );
    }
  }
}

/** Counts a run in which the service does not know the job. */
function takeUnknown(revision: BatchRevision, batch: RunningBatch): BatchRevision {
  const { id, job } = batch;
  if (ageOf(revision, job.acceptedAt) < UNKNOWN_GRACE) return revision;
  const unknownRuns = job.unknownRuns + 1;
  const doubted = { ...batch, job: { ...job, unknownRuns } };
  const counted = replaceBatch(revision, doubted);
  if (unknownRuns < UNKNOWN_RUNS) return counted;
  const unknown = fail(counted, doubted, { code: "job-unknown", jobId: job.id });
  return noteFailedJob(unknown, id, job.id);
}

/**
 * Nobody committed to the pull request between the request and its end, and the branch has commits that it lacks. An
 * agent that found nothing to change leaves no such commits, and is not asked again.
 */
function isTooLate({ isFollowUp, acceptedAt }: RunningBatch["job"], pull: PullEnd | null): boolean {
  if (!isFollowUp || (pull?.state !== "merged" && pull?.state !== "closed")) return false;
  if (pull.hasLaterCommits === false || pull.lastCommitAt === null) return false;
  // If the time of acceptance is not known, this is false.
  return Date.parse(pull.lastCommitAt) < Date.parse(acceptedAt);
}
