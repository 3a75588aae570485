/** Decides whether, where and which changes are handed over. */

import type { Batch, Group, InReview, Ledger, PassedOver } from "../batches/model/ledger.ts";
import {
  activeBatches,
  type BatchRevision,
  passOver,
  startsWithin,
} from "../batches/model/revision.ts";
import { type ChangeDetails, passedOver } from "../github/changes/change-details.ts";
import { PromptRoom } from "../github/changes/change-prompt.ts";
import { DAY } from "../runtime/clock.ts";
import type { Fact } from "../runtime/fact.ts";
import type { UpkeepInputs } from "./inputs.ts";
import type { UpkeepReason, UpkeepWarning } from "./reasons.ts";
import { revertedBy, takeReverts } from "./reverts.ts";
import type { SourceReads } from "./source-reader.ts";

/** Whether and where the waiting changes are handed over. */
export type Target =
  | { readonly type: "wait"; readonly reason: UpkeepReason }
  /** `jobId`: the job for a follow-up; null for a new job. `warning`: null for none. */
  | {
      readonly type: "hand-over";
      readonly jobId: string | null;
      readonly warning: UpkeepWarning | null;
    };

/** Decides by the ledger alone whether and where the waiting changes are handed over. */
export function decideTarget(
  revision: BatchRevision,
  { openPullRequest, maxJobsPerDay }: UpkeepInputs,
): Target {
  const { ledger } = revision;
  const { waiting, reviews } = ledger;
  if (activeBatches(revision).length > 0) return waitFor({ code: "at-work" });
  if (!waiting.some(({ isReleased }) => isReleased)) return waitFor({ code: "nothing-new" });
  const isLimited = startsWithin(revision, DAY) >= maxJobsPerDay;
  const followUp = waiting.find(isFollowUp)?.followUp ?? null;
  if (followUp !== null && !isLimited) return sendTo(draftersJob(ledger, followUp));
  const review = openPullRequest === "new" ? undefined : reviews.at(-1);
  const isUnread = review !== undefined && review.unread > 0;
  if (review !== undefined && openPullRequest === "hold" && !isUnread) {
    return waitFor({ code: "docs-pull-open" });
  }
  if (isLimited) return waitFor({ code: "daily-limit", most: maxJobsPerDay });
  const jobId = openPullRequest === "continue" ? jobOf(ledger, review) : null;
  if (!isUnread) return sendTo(jobId);
  const countsAs = openPullRequest === "hold" ? "closed" : "open";
  return sendTo(jobId, { code: "docs-pull-unread", prLink: review.prLink, countsAs });
}

function waitFor(reason: UpkeepReason): Target {
  return { type: "wait", reason };
}

function sendTo(jobId: string | null, warning: UpkeepWarning | null = null): Target {
  return { type: "hand-over", jobId, warning };
}

/** Follow-ups to a draft's job come first. */
function isFollowUp({ isReleased, followUp }: Group): boolean {
  return isReleased && followUp !== null;
}

/** The draft's job; null for a new one, if the docs pull request was merged or closed meanwhile. */
function draftersJob(
  { reviews }: Ledger,
  { jobId, prLink }: NonNullable<Batch["followUp"]>,
): string | null {
  if (prLink === null) return jobId;
  const review = reviews.find((open) => open.prLink === prLink);
  return review === undefined || review.isClosedToBatches ? null : jobId;
}

/** A pull request that cannot be read counts as open once. A job that takes too long gets no follow-ups. */
function jobOf({ batches }: Ledger, review: InReview | undefined): string | null {
  if (review === undefined || review.isClosedToBatches || review.unread > 1) return null;
  const { jobId } = review;
  const isAtWork = batches.some((batch) => batch.state === "running" && batch.job.id === jobId);
  return isAtWork ? null : jobId;
}

/**
 * The changes that may be handed over now, the first ones first. `isAgain`: they were handed over before, so they go
 * out together again, and no filter excludes one. `attempts`: how many there were.
 */
export function candidatesOf({ ledger }: BatchRevision) {
  const released = ledger.waiting.filter(({ isReleased }) => isReleased);
  const first = released.find(isFollowUp) ?? released[0];
  const isAgain = first !== undefined && (first.attempts > 0 || isFollowUp(first));
  const groups = isAgain ? [first] : released.filter(({ attempts }) => attempts === 0);
  const changes = groups
    .flatMap((group) => group.changes)
    .filter((change) => change.kind === "change");
  return { changes, isAgain, attempts: first?.attempts ?? 0, followUp: first?.followUp ?? null };
}

/**
 * Chooses the batch, without what was reverted meanwhile: a group that was handed over before, unchanged; otherwise the oldest changes that no filter
 * excludes by their labels and files. A new batch ends at the first change that cannot be read because of a limit, or
 * that the prompt has no room for.
 */
export async function chooseBatch(
  revision: BatchRevision,
  reads: SourceReads,
  inputs: UpkeepInputs,
): Promise<{
  revision: BatchRevision;
  /** Empty if the filters exclude all candidates. */
  chosen: readonly ChangeDetails[];
  candidates: ReturnType<typeof candidatesOf>;
}> {
  const reverts = await takeReverts(revision, reads, inputs);
  const candidates = candidatesOf(reverts.revision);
  const { isAgain } = candidates;
  const changes = candidates.changes.filter(({ key }) => isAgain || !reverts.unread.has(key));
  const chosen: ChangeDetails[] = [];
  const passed: PassedOver[] = [];
  const room = new PromptRoom(inputs.includeDiff);
  let isLimited = false;
  for (const change of changes) {
    if (!isAgain && chosen.length >= inputs.maxChanges) break;
    isLimited ||= reads.requestsLeft() <= 0;
    const read: Fact<ChangeDetails> | null = isLimited ? null : await reads.details(change);
    isLimited ||= read?.type === "unread" && read.cause === "limited";
    if (isLimited && !isAgain) break;
    const value = read?.type === "known" ? read.value : reads.known(change);
    const reverted = await revertedBy(change, reverts.revision.ledger, reads.handedOver);
    const details = { ...value, reverted };
    const reason = isAgain ? null : passedOver(details, inputs);
    if (reason !== null) {
      passed.push({ change, reason });
      continue;
    }
    if (!room.take(details) && !isAgain) break;
    chosen.push(details);
  }
  return { revision: passOver(reverts.revision, passed), chosen, candidates };
}
