/** Decides about a docs pull request. docs/land.md has a table of all cases. */

import type { Check, DocsPull } from "../github/changes/docs-pull.ts";
import type { LandInputs } from "../inputs/land.ts";
import { DAY, HOUR } from "../runtime/clock.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import type { PullFacts } from "./facts.ts";
import type { Entry } from "./ledger.ts";
import { type Problem, problemsOf, problemsText } from "./problems.ts";
import { circumstancesOf, refusedBefore } from "./refused.ts";
import { areWordsRead, missingWords, UNREAD_WORDS } from "./words.ts";

/** How long after a follow-up the run waits for the agent to change its branch, in milliseconds. */
const FOLLOW_UP_GRACE = HOUR / 2;
/** How long a follow-up waits for pending checks and builds, so that it can contain all problems. */
const PENDING_GRACE = HOUR;

/** What the run does now. For `wait` and `person`, that is nothing but a reminder. Reasons are sentences. */
export type Step =
  /** It was merged or closed. */
  | { readonly type: "ended" }
  | Waiting
  /** `about`: the problems in words. */
  | { readonly type: "follow-up"; readonly about: string; readonly problems: readonly Problem[] }
  | { readonly type: "merge" }
  | { readonly type: "close"; readonly reason: string };

/** `isReminder`: whether its reviewers are reminded. */
interface Waiting {
  readonly type: "wait" | "person";
  readonly reason: string;
  readonly isReminder: boolean;
}

export function wait(reason: string): Waiting {
  return { type: "wait", reason, isReminder: false };
}

export function person(reason: string): Waiting {
  return { type: "person", reason, isReminder: false };
}

/** Why it needs a person; null if it does not. */
export function needsOf(step: Step): string | null {
  return step.type === "person" ? step.reason : null;
}

/** Why a step is taken; for a follow-up, its problems in words. Null if there is nothing to say. */
export function reasonOf(step: Step): string | null {
  if (step.type === "follow-up") return step.about;
  return step.type === "ended" || step.type === "merge" ? null : step.reason;
}

/** Whether a step changes the pull request or the work on it. */
export function isAction({ type }: Step): boolean {
  return type === "follow-up" || type === "merge" || type === "close";
}

/** @param now GitHub's time, in milliseconds since 1970 */
export function nextStep(facts: PullFacts, entry: Entry, rules: LandInputs, now: number): Step {
  const { pull, job, codePull } = facts;
  if (pull.state !== "open") return { type: "ended" };
  // A pull request is left alone if its job may be active, or no longer names it.
  if (job.state === "active") return wait("The agent is at work on it.");
  const last = entry.followUps.at(-1);
  const isAwaited = last?.head === pull.head && now - Date.parse(last.at) < FOLLOW_UP_GRACE;
  if (isAwaited) return wait("The agent was sent a follow-up and has not changed its branch yet.");
  if (job.state === "unread") return wait("Its job could not be polled; the next run tries again.");
  if (job.state === "ended" && !isNamed(facts, entry)) return person(NOT_NAMED);
  const circumstances = circumstancesOf(facts, rules);
  const refusedClose = refusedBefore("close", entry, circumstances, now);
  const close = (reason: string): Step =>
    refusedClose === null ? { type: "close", reason } : person(refusedClose);
  if (codePull === "closed") return close(CODE_CLOSED);
  const wanted = stepByWork(facts, entry, rules, now);
  const refused = refusedBefore("merge", entry, circumstances, now);
  const next = wanted.type === "merge" && refused !== null ? person(refused) : wanted;
  if (next.type !== "wait" && next.type !== "person") return next;
  const { remindAfter, closeAfter } = rules;
  const idle = now - lastActivity(pull, entry);
  if (closeAfter > 0 && idle >= closeAfter) {
    const days = counted(Math.floor(closeAfter / DAY), "day");
    return close(`Nothing has happened here for ${days}.`);
  }
  const isLate = remindAfter > 0 && idle >= remindAfter;
  return { ...next, isReminder: isLate && !entry.isReminded && !entry.isClosedToComments };
}

const NOT_NAMED = "Its job's record no longer names this pull request, so it is left as it is.";
const CODE_CLOSED = "The code pull request that it documents was closed without merging.";
const FORGOTTEN =
  "The service no longer knows its job, so it accepts no follow-ups and is not merged.";

/** Whether its job names it, by its present URL or the one before its repository was renamed. */
function isNamed({ job: { prLink }, pull }: PullFacts, entry: Entry): boolean {
  return prLink === entry.url || prLink === pull.url;
}

/** The time of its last activity, in milliseconds since 1970. */
function lastActivity({ createdAt, lastActivityAt }: DocsPull, entry: Entry): number {
  const { foundAt, headAt, followUps } = entry;
  const pushes = headAt === foundAt ? [] : [headAt];
  const sent = followUps.map(({ at }) => at);
  const times = [createdAt, lastActivityAt, ...pushes, ...sent];
  return Math.max(...times.map((time) => Date.parse(time) || 0));
}

/** Problems of these types count as solved by new commits. Their authors check the commits. */
const BY_PEOPLE: readonly Problem["type"][] = ["review", "comment"];

function stepByWork(facts: PullFacts, entry: Entry, rules: LandInputs, now: number): Step {
  const { pull, job } = facts;
  if (job.state === "unknown") return person(FORGOTTEN);
  const problems = problemsOf(facts, entry.preview, rules);
  const fresh = problems.filter(({ id }) => !entry.sent.includes(id));
  if (fresh.length > 0) {
    const isPending =
      pull.checks.some(({ state }) => state === "pending") || entry.preview?.state === "building";
    const isYoung = now - Date.parse(entry.headAt) < PENDING_GRACE;
    if (isYoung && isPending) return wait("Checks or builds have not finished.");
    return followUp(fresh, entry, rules);
  }
  const isAsBefore = entry.followUps.at(-1)?.head === pull.head;
  const unsolved = problems.filter(({ type }) => isAsBefore || !BY_PEOPLE.includes(type));
  if (unsolved.length > 0) {
    return person(
      `The agent got a follow-up about ${problemsText(unsolved)} and has not fixed it.`,
    );
  }
  if (!areWordsRead(pull, rules)) return person(UNREAD_WORDS);
  const rail = brokenRail(facts, rules);
  return rail === null ? merging(facts, entry, rules, now) : person(rail);
}

function followUp(
  problems: readonly Problem[],
  { isEditedByOthers, isClosedToFollowUps, followUps }: Entry,
  { maxFollowUps }: LandInputs,
): Step {
  const about = problemsText(problems);
  if (isEditedByOthers) {
    return person(
      `Somebody other than the agent has pushed to it, so no follow-up about ${about} is sent.`,
    );
  }
  if (isClosedToFollowUps) return person(closedToFollowUps(about));
  const { length } = followUps;
  if (length < maxFollowUps) return { type: "follow-up", about, problems };
  return person(
    maxFollowUps === 0
      ? `It has ${about}, and \`max-follow-ups\` allows no follow-up.`
      : `It still has ${about} after ${length} of at most ${counted(maxFollowUps, "follow-up")}.`,
  );
}

/** Why it needs a person. @param about the problems in words */
export function closedToFollowUps(about: string): string {
  return `Its job accepts no follow-ups, so none about ${about} can be sent.`;
}

/** The guard rail that it exceeds, as a sentence; null for none. */
function brokenRail({ pull, paths }: PullFacts, rules: LandInputs): string | null {
  const { changedFiles, deletedLines } = pull;
  const { allowedPaths, maxFiles, maxDeletedLines } = rules;
  if (maxFiles !== null && changedFiles > maxFiles) {
    return `It changes ${counted(changedFiles, "file")}, more than \`max-files\` allows (${maxFiles}).`;
  }
  if (maxDeletedLines !== null && deletedLines > maxDeletedLines) {
    return `It deletes ${counted(deletedLines, "line")}, more than \`max-deleted-lines\` allows (${maxDeletedLines}).`;
  }
  if (allowedPaths.isEmpty) return null;
  if (paths === null) return UNLISTED;
  const outside = paths.find((path) => !allowedPaths.matches(path));
  if (outside === undefined) return null;
  return `It changes ${inlineCode(outside, 100)}, which \`allowed-paths\` does not allow.`;
}

const UNLISTED = "It changes more files than GitHub lists, so `allowed-paths` cannot be checked.";

/** Decides about the merge, if the agent has nothing left to do. */
function merging(
  { pull, codePull }: PullFacts,
  entry: Entry,
  rules: LandInputs,
  now: number,
): Step {
  const { merge, requiredChecks } = rules;
  const { head, checks } = pull;
  if (merge === "never") return wait("A person reviews and merges it.");
  if (pull.isDraft) return wait("It is a draft. Mark it as ready for review to have it merged.");
  if (codePull === "outdated") return wait(CODE_CHANGED);
  if (codePull !== null && codePull !== "merged") return wait(CODE_FIRST);
  const needsApproval = merge === "approved" || entry.isEditedByOthers;
  const words = missingWords(pull, needsApproval, rules);
  if (words !== null) return once(words);
  const preview = entry.preview?.head === head ? entry.preview.state : "building";
  if (rules.preview && preview === "building") return once("its preview is built");
  const isBroken = rules.preview && merge === "checks" && preview === "failed";
  if (isBroken) return once("its preview can be built");
  const missing = requiredChecks.find((name) => !areGreen(checks, name));
  if (missing !== undefined) return once(`the check ${inlineCode(missing, 80)} is green`);
  if (checks.some(({ state }) => state === "pending")) return once("its checks have finished");
  if (merge === "checks" && !pull.hasAllChecks) return wait(TOO_MANY_CHECKS);
  if (merge === "checks" && !areGreen(checks)) return once("there is a check and all are green");
  const obstacle = OBSTACLES[pull.hasMergeQueue ? "queue" : pull.mergeState];
  if (obstacle !== undefined) return obstacle;
  const due = Date.parse(entry.headAt) + rules.mergeDelay;
  if (now < due) return wait(`It is merged after ${minuteText(due)}, unless something changes.`);
  return { type: "merge" };
}

const CODE_FIRST = "It is merged after the code pull request that it documents.";
const CODE_CHANGED =
  "The code was merged at another commit than the one it documents: upkeep has it brought up to date first.";
const TOO_MANY_CHECKS = "It has more than 100 checks, too many to be read: a person merges it.";

/** @param condition the rest of a sentence */
function once(condition: string): Step {
  return wait(`It is merged once ${condition}.`);
}

/** @param name only the checks with this name */
function areGreen(checks: readonly Check[], name?: string): boolean {
  const named = checks.filter((check) => name === undefined || check.name === name);
  return named.length > 0 && named.every(({ state }) => state === "green");
}

/** What GitHub's `mergeStateStatus` says against merging. */
const OBSTACLES: Record<string, Step> = {
  queue: person("Its base has a merge queue: a person adds it to the queue."),
  behind: person("A rule wants its branch to be up to date with its base: a person updates it."),
  blocked: person("A rule of its base keeps it from being merged, for example a missing review."),
  dirty: person("It conflicts with its base."),
  unknown: wait("GitHub has not worked out yet whether it can be merged."),
};

/** A time for people: `2026-11-22 14:05 UTC`. */
export function minuteText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
