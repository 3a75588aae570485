/** What polls say of the jobs of batches and drafts. */

import type { PullEnd } from "../../github/changes/pull-state.ts";
import { afterMissing, isWithoutPull } from "../../job/doubt.ts";
import { timeText } from "../../ledger/file.ts";
import type { Fact } from "../../runtime/fact.ts";
import { safeLink } from "../../text/link.ts";
import { fail, finish, leaveToPerson } from "./ends.ts";
import { noteFailure, noteKnown, noteSuccess } from "./failures.ts";
import type { Draft, RunningBatch } from "./ledger.ts";
import {
  type BatchRevision,
  findBatch,
  isDraft,
  isFollowable,
  noteAgent,
  replaceBatch,
  timeOf,
  withEvent,
} from "./revision.ts";

/** What a poll says of a job. */
export interface Polled {
  type: "running" | "completed" | "archived" | "failed";
  /** The service's status. */
  status: string;
  prLink: string | null;
  /** Whether it has a docs pull request whose link is not safe to show. */
  hasHiddenPull: boolean;
  /** Branch that the agent works on. */
  branch: string | null;
}

/** The batches and drafts whose jobs are polled. */
export function polledBatches({ ledger, now }: BatchRevision): RunningBatch[] {
  return [...ledger.batches, ...ledger.drafts].flatMap((batch) => followedBatch(batch, now) ?? []);
}

/** A batch as one whose job is at work; null if its job is not polled. */
function followedBatch(batch: Draft, now: number): RunningBatch | null {
  if (batch.state === "running") return batch;
  if (!isFollowable(batch, now)) return null;
  const { id, changes, origin, followUp, isOutdated, attempt, at, job } = batch;
  return { id, changes, origin, followUp, isOutdated, attempt, at, state: "running", job };
}

/** Records what a poll says of a batch's job. */
export function takePoll(
  revision: BatchRevision,
  id: string,
  poll: Fact<Polled>,
  {
    pull = null,
    isAnyFound = true,
    isPolledTwice = false,
  }: {
    /** The end of the job's docs pull request; null if that is not known. */
    pull?: PullEnd | null;
    /** Whether the service knows any job that the run polled. */
    isAnyFound?: boolean;
    /** Whether the run polled it more than once, a minute apart. */
    isPolledTwice?: boolean;
  } = {},
): BatchRevision {
  const found = findBatch(revision, id);
  const batch = found === undefined ? null : followedBatch(found, revision.now);
  if (found === undefined || batch === null || poll.type === "unread") return revision;
  const wasUndecided = found.state === "failed";
  if (poll.type === "absent") {
    return wasUndecided ? revision : takeMissing(revision, batch, isAnyFound);
  }
  const { prLink, branch } = poll.value;
  const noted = noteAgent(revision, prLink, branch);
  switch (poll.value.type) {
    case "running": {
      const known = wasUndecided ? noteKnown(noted, batch) : noted;
      return takeRunning(known, batch, poll.value);
    }
    case "failed": {
      const { job } = batch;
      const failed = fail(noted, batch, { code: "job-failed", jobId: job.id });
      return wasUndecided ? failed : noteFailure(failed, batch, "failed", job.id);
    }
    case "archived":
    case "completed":
      if (batch.job.isTooLate || isTooLate(batch.job, pull)) {
        const reason = { code: "ended-early", jobId: batch.job.id } as const;
        return noteSuccess(fail(noted, batch, reason), batch);
      }
      return takeEnd(noted, batch, poll.value, { isPolledTwice, wasUndecided });
  }
}

function takeRunning(revision: BatchRevision, batch: RunningBatch, { prLink }: Polled) {
  const link = isDraft(revision, batch.id) ? safeLink(prLink) : null;
  const known = { missingSince: null, withoutPullSince: null, prLink: link };
  return replaceBatch(revision, { ...batch, job: { ...batch.job, ...known } });
}

/** A job is unknown only by the rule of all actions. Then nobody knows what became of it, and a person decides. */
function takeMissing(revision: BatchRevision, batch: RunningBatch, isAnyFound: boolean) {
  const { job } = batch;
  const { now, rules } = revision;
  const dates = {
    acceptedAt: Date.parse(job.acceptedAt),
    missingSince: job.missingSince === null ? null : Date.parse(job.missingSince),
  };
  const { deadline } = rules;
  const { missingSince, isUnknown } = afterMissing(dates, now, { isAnyFound, deadline });
  if (isUnknown) {
    const left = leaveToPerson(revision, batch, { code: "job-unknown", jobId: job.id });
    return noteFailure(left, batch, "unknown", job.id);
  }
  const since = missingSince === null ? null : timeText(missingSince);
  if (since === job.missingSince) return revision;
  return replaceBatch(revision, { ...batch, job: { ...job, missingSince: since } });
}

/** The end of a job by itself. Only one that completed, with no pull request in a second poll, had nothing to change. */
function takeEnd(
  revision: BatchRevision,
  batch: RunningBatch,
  { type, prLink, hasHiddenPull }: Polled,
  { isPolledTwice, wasUndecided }: { isPolledTwice: boolean; wasUndecided: boolean },
): BatchRevision {
  const { job } = batch;
  const { reviews } = revision.ledger;
  const isOfDraft = isDraft(revision, batch.id);
  const inReview = reviews.find(({ jobId }) => jobId === job.id && !isOfDraft);
  const link = safeLink(prLink) ?? inReview?.prLink ?? null;
  if (link !== null) return noteSuccess(end(revision, batch, link), batch);
  if (hasHiddenPull || type === "archived") {
    const code = hasHiddenPull ? "hidden-pull" : "archived";
    return wasUndecided ? revision : leaveToPerson(revision, batch, { code, jobId: job.id });
  }
  const since = job.withoutPullSince;
  if (isPolledTwice || isWithoutPull(since === null ? null : Date.parse(since), revision.now)) {
    return noteSuccess(end(revision, batch, null), batch);
  }
  const withoutPullSince = since ?? timeOf(revision);
  return replaceBatch(revision, {
    ...batch,
    job: { ...job, missingSince: null, withoutPullSince },
  });
}

function end(revision: BatchRevision, batch: RunningBatch, prLink: string | null): BatchRevision {
  const { job } = batch;
  if (!isDraft(revision, batch.id)) return finish(revision, batch, job, prLink);
  return withEvent(
    replaceBatch(revision, { ...batch, state: "done", job: { ...job, prLink } }),
    `Job ${job.id}, a draft, completed`,
  );
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
