/** Decides whether, where and which changes are handed over. */

import type { Reason } from "../batches/batch-program.ts";
import type {
  FollowUpTarget,
  Group,
  InReview,
  Ledger,
  PassedOver,
} from "../batches/model/ledger.ts";
import {
  activeBatches,
  type BatchRevision,
  passOver,
  startsWithin,
} from "../batches/model/revision.ts";
import {
  type ChangeDetails,
  detailsOfKnown,
  type MergedChange,
  passedOver,
} from "../github/changes/change-details.ts";
import { DAY } from "../runtime/clock.ts";
import { counted } from "../text/sentence.ts";
import type { UpkeepInputs } from "./inputs.ts";

/** Whether and where the waiting changes are handed over. `warning`: null for none. */
export type HandOverDecision = (
  | { type: "wait"; reason: Reason }
  /** `jobId`: the job for a follow-up; null for a new job. */
  | { type: "hand over"; jobId: string | null }
) & { warning: string | null };

/** Decides by the ledger alone whether and where the waiting changes are handed over. */
export function decideHandOver(
  revision: BatchRevision,
  { openPullRequest, maxJobsPerDay }: Pick<UpkeepInputs, "openPullRequest" | "maxJobsPerDay">,
): HandOverDecision {
  const { ledger } = revision;
  const { waiting, reviews } = ledger;
  if (activeBatches(revision).length > 0) return waitAs("busy");
  if (!waiting.some(({ isReleased }) => isReleased)) return waitAs("idle");
  const isLimited = startsWithin(revision, DAY) >= maxJobsPerDay;
  const followUp = waiting.find(isFollowUp)?.followUp ?? null;
  if (followUp !== null && !isLimited) return sendTo(draftersJob(ledger, followUp));
  const review = openPullRequest === "new" ? undefined : reviews.at(-1);
  const isUnread = review !== undefined && review.unread > 0;
  if (review !== undefined && openPullRequest === "hold" && !isUnread) return waitAs("held");
  if (isLimited) return { ...waitAs("limited"), warning: limitText(maxJobsPerDay) };
  const jobId = openPullRequest === "continue" ? jobOf(ledger, review) : null;
  if (!isUnread) return sendTo(jobId);
  const state = openPullRequest === "hold" ? "closed" : "open";
  const warning = `The docs pull request ${review.prLink} could not be read, so it counts as ${state} this time.`;
  return { ...sendTo(jobId), warning };
}

function waitAs(reason: Reason): HandOverDecision {
  return { type: "wait", reason, warning: null };
}

function sendTo(jobId: string | null): HandOverDecision {
  return { type: "hand over", jobId, warning: null };
}

function limitText(maxJobsPerDay: number): string {
  return `The limit of ${counted(maxJobsPerDay, "job")} in 24 hours, set by \`max-jobs-per-day\`, is reached. The changes wait for a later run.`;
}

/** Follow-ups to a draft's job come first. */
function isFollowUp({ isReleased, followUp }: Group): boolean {
  return isReleased && followUp !== null;
}

/** The draft's job; null for a new one, if the docs pull request was merged or closed meanwhile. */
function draftersJob({ reviews }: Ledger, { jobId, prLink }: FollowUpTarget): string | null {
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

/** The changes that may be handed over now, the first ones first. */
export interface Candidates {
  changes: readonly MergedChange[];
  /** Whether they were handed over before: then they go out together again, and no filter excludes one. */
  isAgain: boolean;
  /** The number of earlier attempts. */
  attempts: number;
  followUp: FollowUpTarget | null;
}

export function candidatesOf({ ledger }: BatchRevision): Candidates {
  const released = ledger.waiting.filter(({ isReleased }) => isReleased);
  const first = released.find(isFollowUp) ?? released[0];
  const isAgain = first !== undefined && (first.attempts > 0 || isFollowUp(first));
  const groups = isAgain ? [first] : released.filter(({ attempts }) => attempts === 0);
  const changes = groups
    .flatMap((group) => group.changes)
    .filter((change) => change.kind === "change");
  return { changes, isAgain, attempts: first?.attempts ?? 0, followUp: first?.followUp ?? null };
}

/** What is handed over, and the ledger with what the filters exclude. */
export interface ChosenBatch {
  revision: BatchRevision;
  /** Empty if the filters exclude all candidates. */
  chosen: readonly ChangeDetails[];
  candidates: Candidates;
}

/**
 * Chooses the batch: a group that was handed over before, unchanged; otherwise the oldest changes that no filter
 * excludes by their labels and files.
 *
 * @param details of the candidates, as far as they were read: at the first that was not, a new batch ends
 */
export function chooseBatch(
  revision: BatchRevision,
  details: ReadonlyMap<string, ChangeDetails>,
  inputs: Pick<UpkeepInputs, "maxChanges" | "ignoreLabels" | "ignoreAuthors" | "paths">,
): ChosenBatch {
  const candidates = candidatesOf(revision);
  const chosen: ChangeDetails[] = [];
  const passed: PassedOver[] = [];
  for (const change of candidates.changes) {
    const known = details.get(change.key);
    const isOver = known === undefined || chosen.length >= inputs.maxChanges;
    if (!candidates.isAgain && isOver) break;
    const read = known ?? detailsOfKnown(change);
    const reason = candidates.isAgain ? null : passedOver(read, inputs);
    if (reason === null) chosen.push(read);
    else passed.push({ change, reason });
  }
  return { revision: passOver(revision, passed), chosen, candidates };
}
