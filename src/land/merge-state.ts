/**
 * What GitHub says about merging a docs pull request: how it gets to its base, if nothing but its state can keep it
 * from there, and when a merge or closing that was refused is tried again. Pure.
 */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import { timeText } from "../ledger/file.ts";
import { DAY, MINUTE } from "../runtime/clock.ts";
import { shortHash } from "../text/short-hash.ts";
import type { LandInputs } from "./inputs.ts";
import type { PullEntry } from "./ledger.ts";
import type { LandReason } from "./reasons.ts";

/** How long checks have to register before a head is merged by them, in milliseconds. */
const CHECKS_GRACE = 5 * MINUTE;

/** After how long what the token was refused is tried again, in milliseconds: nothing shows that it may more now. */
const REFUSED_KEPT = DAY;

/** `enqueue`: into the merge queue of its base. `update`: GitHub brings its branch up to date with its base. */
export type Merging = "merge" | "enqueue" | "update";

export function isMerging(type: string): type is Merging {
  return type === "merge" || type === "enqueue" || type === "update";
}

/** Decides by what GitHub says about the merge. */
export function byMergeState(
  pull: DocsPull,
  entry: PullEntry,
  rules: LandInputs,
  now: number,
): LandReason | Merging {
  const { head, mergeState, hasMergeQueue } = pull;
  if (pull.isInMergeQueue) return { code: "in-queue" };
  const obstacle = OBSTACLES[mergeState];
  if (obstacle !== undefined) return obstacle;
  const due = dueTime(pull, entry, rules);
  if (now < due) return { code: "merge-delay", until: timeText(due) };
  if (hasMergeQueue) return entry.queued === head ? { code: "left-queue" } : "enqueue";
  if (mergeState !== "behind") return "merge";
  if (entry.updated.some((update) => update.head === head)) return { code: "not-updated" };
  return isWorkflowToken(pull) ? { code: "behind" } : "update";
}

/** When it may be merged, in milliseconds since 1970. An update of its branch is not a change, another base is. */
function dueTime(
  { headsBeforeUpdates, baseChangedAt }: DocsPull,
  entry: PullEntry,
  rules: LandInputs,
): number {
  const before = entry.updated.filter(({ head }) => headsBeforeUpdates.includes(head));
  const headAt = Date.parse(entry.headAt);
  const writtenAt = Math.min(headAt, ...before.map((update) => Date.parse(update.headAt)));
  const changedAt = Math.max(writtenAt, baseChangedAt === null ? 0 : Date.parse(baseChangedAt));
  const isByChecks = rules.merge === "checks";
  return Math.max(changedAt + rules.mergeDelay, isByChecks ? headAt + CHECKS_GRACE : changedAt);
}

/** Whether the token is that of the workflow, whose pushes start no checks. */
export function isWorkflowToken({ reader }: DocsPull): boolean {
  return /^github-actions(\[bot\])?$/.test(reader);
}

/** What GitHub's `mergeStateStatus` says against merging. */
const OBSTACLES: Readonly<Record<string, LandReason>> = {
  blocked: { code: "blocked" },
  dirty: { code: "conflict" },
  unknown: { code: "merge-state-unknown" },
};

/** A hash of what GitHub's refusal may depend on. */
export function circumstancesOf(pull: DocsPull, { mergeMethod }: LandInputs): string {
  const { head, base, isDraft, isLocked, mergeState, isConflicting, lastActivityAt } = pull;
  const checks = pull.checks.map(({ id, state }) => [id, state]);
  const reviews = pull.reviews.map(({ id, state }) => [id, state]);
  const about = [head, base, isDraft, isLocked, mergeState, isConflicting, lastActivityAt];
  return shortHash(JSON.stringify([mergeMethod, about, checks, reviews]));
}

/**
 * Why a merge or closing is not tried again: GitHub refused it, and nothing has changed since. Null if it is. A refusal
 * that is about the token or the request, and not about the pull request, counts for a day.
 */
export function refusedBefore(
  act: "merge" | "close",
  { refused }: PullEntry,
  circumstances: string,
  now: number,
): LandReason | null {
  if (refused === null || refused.act !== act) return null;
  const isOver = !refused.isOfState && now - Date.parse(refused.at) >= REFUSED_KEPT;
  return refused.circumstances === circumstances && !isOver ? refused.reason : null;
}

/** Whether a merge would have a message that skips workflows, and that is not land's to choose. */
export function isSkipping(
  { skipMarks: { inText, inCommits } }: DocsPull,
  merging: Merging,
  { mergeMethod }: LandInputs,
): boolean {
  if (merging === "enqueue") return inText || inCommits;
  return merging === "merge" && mergeMethod === "rebase" && inCommits;
}
