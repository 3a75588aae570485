/** Decides whether, where and which changes are handed over. */

import type { Batch, Group, InReview, PassedOver } from "../batches/model/ledger.ts";
import {
  activeBatches,
  type BatchRevision,
  isDecided,
  passOver,
  startsWithin,
} from "../batches/model/revision.ts";
import { isAcceptedUnread, isHeldUnread, noteUnreadChanges } from "../batches/model/unread.ts";
import { isOverdue } from "../batches/waits.ts";
import {
  type ChangeDetails,
  detailsOfKnown,
  type MergedChange,
  passedOver,
  repositoryIdIn,
} from "../github/changes/change-details.ts";
import { PromptRoom } from "../github/changes/change-prompt.ts";
import { isServerFault } from "../github/changes/history-reader.ts";
import { DAY } from "../runtime/clock.ts";
import { type Absent, type Fact, type Unread, whyUnknown } from "../runtime/fact.ts";
import type { UpkeepInputs } from "./inputs.ts";
import type { UpkeepReason, UpkeepWarning } from "./reasons.ts";
import { revertedBy, takeReverts } from "./reverts.ts";
import type { SourceReads } from "./source-reader.ts";

/** Whether and where the waiting changes are handed over. `warning`: null for none. */
export type Target = { readonly warning: UpkeepWarning | null } & (
  | { readonly type: "wait"; readonly reason: UpkeepReason }
  /** `jobId`: the job for a follow-up; null for a new job. */
  | { readonly type: "hand-over"; readonly jobId: string | null }
);

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
  const followUp =
    waiting.find((group) => isFollowUp(group) && !isHeldUnread(ledger, group))?.followUp ?? null;
  if (followUp !== null && !isLimited) return sendTo(draftersJob(revision, followUp));
  const review = openPullRequest === "new" ? undefined : reviews.at(-1);
  const isUnread = review !== undefined && review.unread !== null;
  const warning = isUnread ? ({ code: "docs-pull-unread", prLink: review.prLink } as const) : null;
  if (review !== undefined && openPullRequest === "hold") {
    return waitFor({ code: "docs-pull-open" }, warning);
  }
  if (isLimited) {
    const reason = { code: "daily-limit", most: maxJobsPerDay } as const;
    return waitFor(reason, reason);
  }
  return sendTo(openPullRequest === "continue" ? jobOf(revision, review) : null, warning);
}

function waitFor(reason: UpkeepReason, warning: UpkeepWarning | null = null): Target {
  return { type: "wait", reason, warning };
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
  revision: BatchRevision,
  { jobId, prLink }: NonNullable<Batch["followUp"]>,
): string | null {
  const { reviews } = revision.ledger;
  if (isBusyForLong(revision, jobId)) return null;
  if (prLink === null) return jobId;
  const review = reviews.find((open) => open.prLink === prLink);
  return review === undefined || review.isClosedToBatches ? null : jobId;
}

/** A pull request that cannot be read counts as open. A job that takes too long gets no follow-ups. */
function jobOf(revision: BatchRevision, review: InReview | undefined): string | null {
  if (review === undefined || review.isClosedToBatches) return null;
  const { jobId } = review;
  if (isBusyForLong(revision, jobId)) return null;
  const { batches } = revision.ledger;
  const isAtWork = batches.some((batch) => batch.state === "running" && batch.job.id === jobId);
  return isAtWork ? null : jobId;
}

/** Whether a job has accepted no message for so long that a new one is started. */
function isBusyForLong(revision: BatchRevision, jobId: string): boolean {
  const busy = revision.ledger.busyJobs.find((job) => job.jobId === jobId);
  return busy !== undefined && isOverdue("job-busy", busy.since, revision);
}

/**
 * What may be handed over now, the first first. `isAgain`: it was handed over before, so it goes out together again,
 * and no filter excludes a part of it. `attempts`: how many there were. Follow-ups to drafts come first. What is new
 * goes together, and so does what people had handed over again.
 */
export function candidatesOf(
  { ledger }: BatchRevision,
  { maxChanges }: UpkeepInputs,
): {
  readonly changes: readonly MergedChange[];
  readonly isAgain: boolean;
  readonly attempts: number;
  readonly followUp: Batch["followUp"];
  /** For a part of a batch; null for another. */
  readonly origin: Group["origin"];
}[] {
  const released = ledger.waiting.filter(({ isReleased }) => isReleased);
  const others = released.filter((group) => !isFollowUp(group));
  const together = [others.filter(isNew), atMost(others.filter(isDecided), maxChanges)];
  return [...released.filter(isFollowUp), ...others].flatMap((group) => {
    const groups = together.find((several) => several.includes(group)) ?? [group];
    if (groups[0] !== group) return [];
    const attempts = Math.max(...groups.map((one) => one.attempts));
    const isAgain = isFollowUp(group) || attempts > 0;
    const { origin, followUp } = group;
    return [{ changes: groups.flatMap(changesOf), isAgain, attempts, origin, followUp }];
  });
}

/** Whether it is no part of a batch, and was never handed over. */
function isNew({ attempts, origin }: Group): boolean {
  return attempts === 0 && origin === null;
}

/** The first groups that have so many changes together; the first one has as many as it has. */
function atMost(groups: readonly Group[], most: number): Group[] {
  const countOf = (nth: number) =>
    groups.slice(0, nth + 1).flatMap(({ changes }) => changes).length;
  return groups.filter((_, nth) => nth === 0 || countOf(nth) <= most);
}

function changesOf({ changes }: Group): MergedChange[] {
  return changes.filter((change) => change.kind === "change");
}

/**
 * Chooses the batch, without what was reverted meanwhile: a group that was handed over before, unchanged; otherwise the
 * oldest changes that no filter excludes by their labels and files. A new batch ends at the first change that cannot be
 * read because of a limit, or that the prompt has no room for. Any other change that cannot be read waits, and so does
 * its group; the others go on.
 *
 * @param names present names of the repositories, by their IDs
 * @param nameOf names an entry about changes that could not be read for too long
 */
export async function chooseBatch(
  begun: BatchRevision,
  reads: SourceReads,
  inputs: UpkeepInputs,
  names: ReadonlyMap<number, string>,
  nameOf: (nth: number) => string,
): Promise<{
  readonly revision: BatchRevision;
  /** Empty if nothing can be handed over. */
  readonly chosen: readonly ChangeDetails[];
  readonly candidates: ReturnType<typeof candidatesOf>[number] | null;
  /** Why changes could not be read, so that they wait. */
  readonly unread: readonly Unread[];
  /** Whether the run's requests were used up before a change was looked at. */
  readonly isLate: boolean;
}> {
  const { revision, unread: doubtful } = await takeReverts(begun, reads, inputs, names);
  const looked: { change: MergedChange; unread: Unread | null }[] = [];
  const passed: PassedOver[] = [];
  let chosen: ChangeDetails[] = [];
  let taken: ReturnType<typeof candidatesOf>[number] | null = null;
  let isLate = false;
  for (const candidates of candidatesOf(revision, inputs)) {
    const { isAgain } = candidates;
    const room = new PromptRoom(inputs.includeDiff);
    let isHeld = false;
    for (const change of candidates.changes) {
      if (!isAgain && chosen.length >= inputs.maxChanges) break;
      const isDoubtful = !isAgain && doubtful.has(change.key);
      const found = isDoubtful
        ? MAY_BE_REVERTED
        : await lookAt(change, isAgain, revision, reads, inputs, names);
      isLate ||= found.type === "late";
      isHeld ||= isLate || found.type === "unread" || found.type === "elsewhere";
      if (isLate) break;
      if (found.type === "elsewhere") continue;
      looked.push({ change, unread: found.type === "unread" ? found.unread : null });
      if (found.type === "excluded") passed.push({ change, reason: found.reason });
      if (found.type !== "ready") continue;
      if (!(await room.take(found.details)) && !isAgain) break;
      chosen.push(found.details);
    }
    if (isAgain && isHeld) chosen = [];
    if (chosen.length > 0) taken = candidates;
    if (taken !== null || isLate) break;
  }
  const unread = looked.flatMap((one) => one.unread ?? []);
  const noted = noteUnreadChanges(passOver(revision, passed), looked, nameOf);
  return { revision: noted, chosen, candidates: taken, unread, isLate };
}

/** Whether a revert takes a change out depends on files that could not be read. */
const MAY_BE_REVERTED: Awaited<ReturnType<typeof lookAt>> = {
  type: "unread",
  unread: {
    type: "unread",
    cause: "unanswered",
    reason: "the files of its revert could not be read",
    isPassing: true,
    status: null,
  },
};

/**
 * Reads what decides about a change. For one that was handed over before, no filter does. `late`: the run's requests,
 * or GitHub's limit, were used up before.
 */
async function lookAt(
  change: MergedChange,
  isAgain: boolean,
  { ledger }: BatchRevision,
  reads: SourceReads,
  inputs: UpkeepInputs,
  names: ReadonlyMap<number, string>,
): Promise<
  | { readonly type: "ready"; readonly details: ChangeDetails }
  | { readonly type: "excluded"; readonly reason: PassedOver["reason"] }
  | { readonly type: "unread"; readonly unread: Unread }
  /** Its repository could not be read, which is noted there. */
  | { readonly type: "elsewhere" }
  | { readonly type: "late" }
> {
  const name = names.get(repositoryIdIn(change.key) ?? 0);
  if (name === undefined) return { type: "elsewhere" };
  if (reads.requestsLeft() <= 0) return { type: "late" };
  const isAccepted = isAcceptedUnread(ledger, change);
  const shown = { ...change, repository: name };
  const read = await reads.details(shown, name);
  if (isLimit(read)) return { type: "late" };
  if (read.type !== "known" && !isAccepted) return { type: "unread", unread: unreadOf(read) };
  const reverted = await revertedBy(shown, ledger, reads.handedOver);
  const details = { ...(read.type === "known" ? read.value : detailsOfKnown(shown)), reverted };
  const early = isAgain ? null : passedOver(details, inputs);
  if (early !== null) return { type: "excluded", reason: early };
  const files = await reads.files(shown, name);
  if (isLimit(files)) return { type: "late" };
  if (files.type === "known") {
    const all = { ...details, ...files.value, body: details.body };
    const reason = isAgain ? null : passedOver(all, inputs);
    return reason === null ? { type: "ready", details: all } : { type: "excluded", reason };
  }
  const isFiltered = !isAgain && inputs.pathsText !== "";
  if (isAccepted || mayLackFiles(files, isFiltered)) return { type: "ready", details };
  return { type: "unread", unread: unreadOf(files) };
}

/** Whether a change goes out without its files: GitHub never lists them, or no filter is about them. */
function mayLackFiles(files: Fact<unknown>, isFiltered: boolean): boolean {
  const isTooLarge = files.type === "unread" && files.status === 422;
  return isTooLarge || (!isFiltered && (files.type === "absent" || isServerFault(files)));
}

function isLimit(fact: Fact<unknown>): boolean {
  return fact.type === "unread" && fact.cause === "limited";
}

function unreadOf(fact: Absent | Unread): Unread {
  if (fact.type === "unread") return fact;
  const reason = whyUnknown(fact);
  return { type: "unread", cause: "refused", reason, isPassing: false, status: null };
}
