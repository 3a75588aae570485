/** How a docs pull request gets to its base, if nothing but GitHub's state of it can keep it from there. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import { MINUTE } from "../runtime/clock.ts";
import type { Obstacle } from "./checks.ts";
import type { LandInputs } from "./inputs.ts";
import type { Entry } from "./ledger.ts";

/** How long checks have to register before a head is merged by them, in milliseconds. */
const CHECKS_GRACE = 5 * MINUTE;

/** `enqueue`: into the merge queue of its base. `update`: GitHub brings its branch up to date with its base. */
export interface Merging {
  readonly type: "merge" | "enqueue" | "update";
}

/** Whether a step takes the pull request to its base. Only an attempt shows whether GitHub lets it. */
export function isMerging({ type }: { readonly type: string }): boolean {
  return type === "merge" || type === "enqueue" || type === "update";
}

/** Decides by what GitHub says about the merge, if nothing else keeps it from being merged. */
export function stepByMergeState(
  pull: DocsPull,
  entry: Entry,
  rules: LandInputs,
  now: number,
): Obstacle | Merging {
  const { head, mergeState, hasMergeQueue } = pull;
  if (pull.isInMergeQueue) return wait("It is in the merge queue.");
  const obstacle = OBSTACLES[mergeState];
  if (obstacle !== undefined) return obstacle;
  const due = dueTime(pull, entry, rules);
  if (now < due) return wait(`It is merged after ${minuteText(due)}, unless something changes.`);
  if (hasMergeQueue) return entry.queued === head ? person(UNQUEUED) : { type: "enqueue" };
  if (mergeState !== "behind") return { type: "merge" };
  if (entry.updated.some((update) => update.head === head)) return person(NOT_UPDATED);
  return isWorkflowToken(pull) ? person(BEHIND) : { type: "update" };
}

/** When it may be merged, in milliseconds since 1970. An update of its branch is not a change. */
function dueTime({ headsBeforeUpdates }: DocsPull, entry: Entry, rules: LandInputs): number {
  const before = entry.updated.filter(({ head }) => headsBeforeUpdates.includes(head));
  const headAt = Date.parse(entry.headAt);
  const changedAt = Math.min(headAt, ...before.map((update) => Date.parse(update.headAt)));
  const isByChecks = rules.merge === "checks";
  return Math.max(changedAt + rules.mergeDelay, isByChecks ? headAt + CHECKS_GRACE : changedAt);
}

/** Whether the token is that of the workflow, whose pushes start no checks. */
function isWorkflowToken({ reader }: DocsPull): boolean {
  return /^github-actions(\[bot\])?$/.test(reader);
}

function wait(reason: string): Obstacle {
  return { type: "wait", reason };
}

function person(reason: string): Obstacle {
  return { type: "person", reason };
}

/** What GitHub's `mergeStateStatus` says against merging. */
const OBSTACLES: Record<string, Obstacle> = {
  blocked: person("A rule of its base keeps it from being merged, for example a missing review."),
  dirty: person("It conflicts with its base."),
  unknown: wait("GitHub has not worked out yet whether it can be merged."),
};
const BEHIND =
  "A branch rule requires an up-to-date branch. Update it by hand, or give land a token other than the workflow's own.";
const NOT_UPDATED = "GitHub did not update its branch when asked. Update it by hand.";
const UNQUEUED = "The merge queue removed it. Check there why, then add it again.";

/** A time for people: `2026-11-22 14:05 UTC`. */
export function minuteText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
