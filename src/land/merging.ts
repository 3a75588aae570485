/** When a docs pull request is merged, and why it is not yet. */

import type { DocsPull, OpenComment, Review } from "../github/docs-pull.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import type { Facts, LandRules, Step } from "./facts.ts";
import type { Entry } from "./ledger.ts";

/** Which guard rail it is beyond, as a sentence; null: none. */
export function brokenRail(
  { pull, paths }: Pick<Facts, "pull" | "paths">,
  { allowedPaths, maxFiles, maxDeletedLines }: LandRules,
): string | null {
  const { changedFiles, deletedLines } = pull;
  if (maxFiles !== null && changedFiles > maxFiles) {
    return `It changes ${counted(changedFiles, "file")}, more than \`max-files\` allows (${maxFiles}).`;
  }
  if (maxDeletedLines !== null && deletedLines > maxDeletedLines) {
    return `It deletes ${counted(deletedLines, "line")}, more than \`max-deleted-lines\` allows (${maxDeletedLines}).`;
  }
  if (allowedPaths.isEmpty) return null;
  if (paths === null)
    return "It changes more files than GitHub lists, so `allowed-paths` cannot be checked.";
  const outside = paths.find((path) => !allowedPaths.matches(path));
  return outside === undefined
    ? null
    : `It changes ${inlineCode(outside, 100)}, which \`allowed-paths\` does not allow.`;
}

/** What is left once there is nothing for the agent to do. */
export function merging(
  { pull, codePull }: Facts,
  entry: Entry,
  rules: LandRules,
  now: number,
): Step {
  const { merge, requiredChecks, mergeDelay } = rules;
  if (merge === "never") return wait("A person reviews and merges it.");
  if (pull.isDraft) return wait("It is a draft. Mark it as ready for review to have it merged.");
  if (codePull !== null && codePull !== "merged") {
    return wait("It is merged after the code pull request that it documents.");
  }
  const against = lastWords(pull).find(({ state }) => state === "changes-requested");
  if (against)
    return wait(`It is merged once ${loginText(against.author)} no longer asks for changes.`);
  const isApproved = lastWords(pull).some(
    ({ state, head }) => state === "approved" && head === pull.head,
  );
  if ((merge === "approved" || entry.isEditedByOthers) && !isApproved) {
    return wait("It is merged once somebody with write permission approves its last commit.");
  }
  if (!isApproved && commentsOfWriters(pull).length > 0) {
    return wait("It is merged once its review comments are resolved, or it is approved.");
  }
  const { preview } = entry;
  if (rules.preview && (preview?.head !== pull.head || preview.state === "building")) {
    return wait("It is merged once its preview is built.");
  }
  if (rules.preview && merge === "checks" && preview?.state === "failed") {
    return wait("It is merged once its preview can be built.");
  }
  const check = missingCheck(pull, merge, requiredChecks);
  if (check !== null) return wait(check);
  const obstacle = OBSTACLES[pull.hasMergeQueue ? "queue" : pull.mergeState];
  if (obstacle !== undefined) return obstacle;
  const due = Date.parse(entry.headAt) + mergeDelay;
  if (now < due) return wait(`It is merged after ${minuteText(due)}, unless something changes.`);
  return { type: "merge" };
}

/** Why it is not merged yet, by its checks; null: they are as they have to be. */
function missingCheck(
  { checks, hasAllChecks }: DocsPull,
  merge: LandRules["merge"],
  required: readonly string[],
): string | null {
  const isGreen = (some: typeof checks) =>
    some.length > 0 && some.every(({ state }) => state === "green");
  const missing = required.find((name) => !isGreen(checks.filter((it) => it.name === name)));
  if (missing !== undefined)
    return `It is merged once the check ${inlineCode(missing, 80)} is green.`;
  if (checks.some(({ state }) => state === "pending"))
    return "It is merged once its checks are over.";
  if (merge === "approved") return null;
  if (!hasAllChecks) return "It has more than 100 checks, too many to be read: a person merges it.";
  return isGreen(checks) ? null : "It is merged once there is a check and all are green.";
}

/** What GitHub's `mergeStateStatus` says against merging. */
const OBSTACLES: Record<string, Step> = {
  queue: person("Its base has a merge queue: a person adds it to the queue."),
  behind: person("A rule wants its branch to be up to date with its base: a person updates it."),
  blocked: person("A rule of its base keeps it from being merged, for example a missing review."),
  dirty: person("It conflicts with its base."),
  unknown: wait("GitHub has not worked out yet whether it can be merged."),
};

/** The last review with a decision of each person with write permission. */
export function lastWords({ reviews, author }: DocsPull): Review[] {
  const last = new Map<string, Review>();
  for (const review of reviews) {
    const isDecision = review.state !== "commented" && review.state !== "pending";
    if (isDecision && review.mayWrite && review.author !== author) last.set(review.author, review);
  }
  return [...last.values()];
}

export function commentsOfWriters({ openComments, author }: DocsPull): OpenComment[] {
  return openComments.filter((it) => it.mayWrite && it.author !== author);
}

function loginText(login: string): string {
  return inlineCode(login, 60) || "a reviewer";
}

/** A time for people: `2026-11-22 14:05 UTC`. */
export function minuteText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

export function wait(why: string): Step {
  return { type: "wait", why };
}

export function person(why: string): Step {
  return { type: "person", why };
}
