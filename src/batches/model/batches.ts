/** What happens to a batch, or to the draft of a pull request: its request, polls of its job, and its end. */

import type { PullEnd } from "../../github/changes/pull-state.ts";
import { withFields } from "../../ledger/file.ts";
import { MINUTE } from "../../runtime/clock.ts";
import { safeLink } from "../../text/link.ts";
import { counted } from "../../text/sentence.ts";
import { fail, finish } from "./ends.ts";
import { noteAccepted, noteCompletedJob, noteFailedJob, noteRefusal } from "./failures.ts";
import type { Batch, BatchJob, Draft, IntendedBatch } from "./ledger.ts";
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

/** The result of a batch's request. */
export type Sent =
  | { type: "accepted"; jobId: string; isFollowUp: boolean }
  /** Nothing was started. */
  | { type: "withdrawn" }
  /** Nothing was started, and the key or the project may be wrong. */
  | { type: "key refused" }
  /** The service refused its content, so a person decides. */
  | { type: "rejected"; reason: string }
  | { type: "uncertain"; reason: string };

/** A batch before its intent is written. */
export type PlannedBatch = Pick<Batch, "id" | "changes" | "attempt" | "followUp">;

/** How long an accepted job that the service does not know counts as running, in milliseconds. */
export const UNKNOWN_GRACE = 10 * MINUTE;
/** After this many consecutive runs, a job that the service does not know has failed. */
const UNKNOWN_RUNS = 2;

/** The result of a poll. */
export interface Polled {
  type: "running" | "done" | "failed" | "unknown";
  /** The service's status; `unknown` for a job that it does not know. */
  status: string;
  prLink: string | null;
  /** Branch that the agent works on. */
  branch: string | null;
  /** If it is done: the docs pull request; null if it is not known. */
  pull: PullEnd | null;
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
export function intended(plan: PlannedBatch, at: string): IntendedBatch {
  const { id, changes, followUp, attempt } = plan;
  return { id, changes, followUp, isOutdated: false, attempt, at, state: "intended" };
}

/** Records that the results of dead runs' requests are not known. @param isDead by the time of an intent */
export function expireIntents(
  revision: BatchRevision,
  isDead: (writtenAt: string) => boolean,
): BatchRevision {
  const reason = "The run ended before it could record the service's answer";
  const { batches, drafts } = revision.ledger;
  return [...batches, ...drafts]
    .filter(({ state, at }) => state === "intended" && isDead(at))
    .reduce((before, batch) => replaceBatch(before, uncertain(batch, reason)), revision);
}

/** Records the result of a batch's request. A known job replaces an uncertain result. */
export function recordSent(revision: BatchRevision, id: string, sent: Sent): BatchRevision {
  const batch = findBatch(revision, id);
  if (batch?.state !== "intended" && batch?.state !== "uncertain") return revision;
  const names = namesOf(batch.changes);
  switch (sent.type) {
    case "accepted": {
      const job = jobOf(revision, sent);
      const running: Batch = { ...common(batch), state: "running", job };
      const accepted = noteAccepted(replaceBatch(revision, running));
      return withEvent(accepted, `Job ${sent.jobId} took ${names}`);
    }
    case "withdrawn":
    case "key refused":
      return withEvent(withdraw(revision, batch), `Withdraw ${names}`);
    case "rejected": {
      const { reason } = sent;
      const failed: Batch = { ...common(batch), state: "failed", job: null, reason };
      const refused = withEvent(replaceBatch(revision, failed), `The service refused ${names}`);
      return noteRefusal(refused, id);
    }
    case "uncertain": {
      if (batch.state === "uncertain") return revision;
      const after = replaceBatch(revision, uncertain(batch, sent.reason));
      return withEvent(after, `The service may have received ${names}`);
    }
  }
}

function common({ id, changes, followUp, isOutdated, attempt, at }: Draft) {
  return { id, changes, followUp, isOutdated, attempt, at };
}

function uncertain(batch: Draft, reason: string): Batch {
  return { ...common(batch), state: "uncertain", reason };
}

function jobOf(
  revision: BatchRevision,
  { jobId: id, isFollowUp }: Extract<Sent, { type: "accepted" }>,
): BatchJob {
  const acceptedAt = timeOf(revision);
  return { id, acceptedAt, isFollowUp, prLink: null, unknownRuns: 0, isTooLate: false };
}

function withdraw(revision: BatchRevision, batch: Draft): BatchRevision {
  const { id, changes, attempt, followUp } = batch;
  const removed = removeBatch(removeStart(revision, id), id);
  if (isDraft(revision, id)) return removed;
  return putBack(removed, [{ changes, attempts: attempt - 1, followUp }]);
}

/** Records the result of a poll. */
export function takePoll(revision: BatchRevision, id: string, polled: Polled): BatchRevision {
  const batch = findBatch(revision, id);
  if (batch?.state !== "running") return revision;
  const { job } = batch;
  const prLink = safeLink(polled.prLink);
  const noted = noteAgent(revision, polled.prLink, polled.branch);
  const isOfDraft = isDraft(revision, id);
  switch (polled.type) {
    case "running": {
      const known = { ...job, unknownRuns: 0, prLink: isOfDraft ? prLink : null };
      return replaceBatch(noted, { ...batch, job: known });
    }
    case "unknown": {
      if (ageOf(revision, job.acceptedAt) < UNKNOWN_GRACE) return noted;
      const unknownRuns = job.unknownRuns + 1;
      const doubted = { ...batch, job: { ...job, unknownRuns } };
      const counted = replaceBatch(noted, doubted);
      if (unknownRuns < UNKNOWN_RUNS) return counted;
      const unknown = fail(counted, doubted, `Job ${job.id} is unknown to the service`);
      return noteFailedJob(unknown, id, job.id);
    }
    case "failed":
      return noteFailedJob(fail(noted, batch, `Job ${job.id} failed`), id, job.id);
    case "done": {
      const completed = noteCompletedJob(noted);
      if (job.isTooLate || isTooLate(job, polled.pull)) {
        return fail(completed, batch, `Job ${job.id}: ${TOO_LATE}`);
      }
      if (!isOfDraft) return finish(completed, batch, job, prLink);
      return withEvent(
        replaceBatch(completed, { ...batch, state: "done", job: { ...job, prLink } }),
        `Job ${job.id}, a draft, completed`,
      );
    }
  }
}

const TOO_LATE = "the docs pull request was merged or closed before the agent was done";

/**
 * Nobody committed to the pull request between the request and its end, and the branch has commits that it lacks. An
 * agent that found nothing to change leaves no such commits, and is not asked again.
 */
function isTooLate({ isFollowUp, acceptedAt }: BatchJob, pull: PullEnd | null): boolean {
  if (!isFollowUp || (pull?.state !== "merged" && pull?.state !== "closed")) return false;
  if (pull.hasLaterCommits === false || pull.lastCommitAt === null) return false;
  // If the time of acceptance is not known, this is false.
  return Date.parse(pull.lastCommitAt) < Date.parse(acceptedAt);
}
