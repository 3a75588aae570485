/** How an open docs pull request gets to its base, if the agent has nothing left to do, or why it does not. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import { valueOrNull } from "../runtime/fact.ts";
import { againstToken, blockedBy } from "./base-rules.ts";
import { changeLimits, hasChangeLimits, removalIn, unnamedPaths } from "./change-limits.ts";
import { missingChecks } from "./checks.ts";
import type { LandInputs } from "./inputs.ts";
import type { PullEntry } from "./ledger.ts";
import {
  byMergeState,
  circumstancesOf,
  isSkipping,
  type Merging,
  refusedBefore,
} from "./merge-state.ts";
import type { LandReads } from "./reads.ts";
import { type LandReason, unreadReason } from "./reasons.ts";
import { approvalOf, isRetargeted, missingReviews } from "./reviews.ts";

/** One that could be read. */
export interface PullToMerge {
  readonly pull: DocsPull;
  readonly entry: PullEntry;
  readonly reads: LandReads;
  readonly rules: LandInputs;
  /** GitHub's time, in milliseconds since 1970. */
  readonly now: number;
}

/** Decides about the merge, if the agent has nothing left to do. */
export async function toBase(about: PullToMerge): Promise<LandReason | Merging> {
  const { pull, entry, rules, now } = about;
  // What needs a person comes before what a reviewer has to say.
  if (pull.isConflicting === true) return { code: "conflict" };
  const obstacle = againstMerge(about);
  if (obstacle !== null) return obstacle;
  const merging = byMergeState(pull, entry, rules, now);
  const byRules = await againstRules(merging, about);
  if (byRules !== null) return byRules;
  if (typeof merging !== "string") return merging;
  if (isSkipping(pull, merging, rules)) return { code: "skip-mark" };
  const refused = refusedBefore("merge", entry, circumstancesOf(pull, rules), now);
  if (refused !== null) return refused;
  const limit = await againstFiles(about);
  return limit ?? merging;
}

/** What the rules of its base have against it, which GitHub does not say, or not to this token; null for nothing. */
async function againstRules(
  merging: ReturnType<typeof byMergeState>,
  { pull, reads }: PullToMerge,
): Promise<LandReason | null> {
  if (typeof merging !== "string") {
    return merging.code === "blocked" ? blockedBy(pull, await reads.rules(pull)) : null;
  }
  if (merging === "update") return null;
  const wanted = await reads.rules(pull);
  // Rulesets are not on every server and every plan, and are then refused.
  if (wanted.type === "unread" && wanted.isPassing) return unreadReason(wanted);
  return againstToken(pull, merging, wanted);
}

/** What it changes that needs a person, or an approval, by its files at the head that is merged; null for nothing. */
async function againstFiles({
  pull,
  entry,
  rules,
  reads,
}: PullToMerge): Promise<LandReason | null> {
  if (!hasChangeLimits(rules)) return null;
  const read = await reads.files(pull);
  if (read.type === "unread") return unreadReason(read);
  const files = valueOrNull(read);
  const limit = changeLimits(pull, files, rules);
  if (limit !== null || files === null) return limit;
  if (files.type === "moved") return { code: "head-moved" };
  const isApproved = rules.merge === "approved" || approvalOf(pull, entry, rules) !== null;
  const removal = isApproved ? null : removalIn(files);
  if (removal !== null) return removal;
  const paths = unnamedPaths(files, rules);
  if (paths.length === 0) return null;
  const links = await reads.links(pull, paths);
  if (links.type === "unread") return unreadReason(links);
  const [path] = valueOrNull(links) ?? [];
  return path === undefined ? null : { code: "link-not-named", path };
}

/** Why it is not merged whatever GitHub says; null if nothing is against it. */
function againstMerge({ pull, entry, rules }: PullToMerge): LandReason | null {
  const { merge } = rules;
  if (merge === "never") return { code: "merge-never" };
  if (pull.isDraft) return { code: "draft" };
  const approval = approvalOf(pull, entry, rules);
  const isOther = isRetargeted(pull, entry);
  if (isOther && merge === "checks") return { code: "base-changed-for-good" };
  if (isOther && approval === null) return { code: "base-changed" };
  const needsApproval = merge === "approved" || entry.isEditedByOthers;
  const review = missingReviews(pull, approval, needsApproval, rules);
  if (review !== null) return review;
  const preview = entry.preview?.head === pull.head ? entry.preview.state : "building";
  if (rules.preview && preview === "building") return { code: "preview-building" };
  if (rules.preview && preview === "failed") return { code: "preview-failed" };
  return missingChecks(pull, rules, approval !== null);
}
