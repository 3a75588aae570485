/** The next step on a docs pull request. docs/land-cases.md has a table of all cases. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import { DAY, HOUR } from "../runtime/clock.ts";
import { counted } from "../text/sentence.ts";
import { areChecksPending, heldReason, type Obstacle, obstacleOfChecks } from "./checks.ts";
import type { PullFacts } from "./facts.ts";
import type { LandInputs } from "./inputs.ts";
import type { Entry } from "./ledger.ts";
import { isMerging, type Merging, stepByMergeState } from "./merging.ts";
import { type Problem, problemsOf, problemsText } from "./problems.ts";
import { brokenRail } from "./rails.ts";
import { circumstancesOf, refusedBefore } from "./refused.ts";
import { approvalOf, areWordsRead, missingWords, UNREAD_WORDS } from "./words.ts";

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
  | Merging
  | { readonly type: "close"; readonly reason: string };

/** `isReminder`: whether its reviewers are reminded. */
interface Waiting extends Obstacle {
  readonly isReminder: boolean;
}

export function wait(reason: string): Waiting {
  return waiting({ type: "wait", reason });
}

export function person(reason: string): Waiting {
  return waiting({ type: "person", reason });
}

function waiting({ type, reason }: Obstacle): Waiting {
  return { type, reason, isReminder: false };
}

/** Why it needs a person; null if it does not. */
export function needsOf(step: Step): string | null {
  return step.type === "person" ? step.reason : null;
}

/** Why a step is taken; for a follow-up, its problems in words. Null if there is nothing to say. */
export function reasonOf(step: Step): string | null {
  if (step.type === "follow-up") return step.about;
  return "reason" in step ? step.reason : null;
}

/** Whether a step changes the pull request or the work on it. */
export function isAction({ type }: Pick<Step, "type">): boolean {
  return isMerging({ type }) || type === "follow-up" || type === "close";
}

/** @param now GitHub's time, in milliseconds since 1970 */
export function nextStep(facts: PullFacts, entry: Entry, rules: LandInputs, now: number): Step {
  const { pull, job, codePull } = facts;
  if (pull.state.type !== "open") return { type: "ended" };
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
  const next = isMerging(wanted) && refused !== null ? person(refused) : wanted;
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
  const times = [createdAt, lastActivityAt ?? createdAt, ...pushes, ...sent];
  return Math.max(...times.map((time) => Date.parse(time) || 0));
}

/** Problems of these types count as solved by new commits. Their authors check the commits. */
const BY_PEOPLE: readonly Problem["type"][] = ["review", "comment"];

function stepByWork(facts: PullFacts, entry: Entry, rules: LandInputs, now: number): Step {
  const { pull, job, files } = facts;
  if (files?.type === "listed" && files.isInBase) return wait(IN_BASE);
  if (job.state === "unknown") return person(FORGOTTEN);
  const problems = problemsOf(facts, entry, rules);
  const fresh = problems.filter(({ id }) => !entry.sent.includes(id));
  if (fresh.length > 0) {
    const isPending = areChecksPending(pull, rules) || entry.preview?.state === "building";
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
  const reason = heldReason(pull, rules) ?? brokenRail(facts, rules);
  return reason === null ? merging(facts, entry, rules, now) : person(reason);
}

const IN_BASE = "Its base has all of its commits. GitHub has not noticed yet that it is merged.";

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

/** Decides about the merge, if the agent has nothing left to do. */
function merging(
  { pull, files, codePull }: PullFacts,
  entry: Entry,
  rules: LandInputs,
  now: number,
): Step {
  const { merge } = rules;
  if (merge === "never") return wait("A person reviews and merges it.");
  if (pull.isDraft) return wait("It is a draft. Mark it as ready for review to have it merged.");
  if (codePull === "outdated") return wait(CODE_CHANGED);
  if (codePull !== null && codePull !== "merged") return wait(CODE_FIRST);
  const needsApproval = merge === "approved" || entry.isEditedByOthers;
  const approval = approvalOf(pull, entry, rules);
  const words = missingWords(pull, approval, needsApproval, rules);
  if (words !== null) return once(words);
  const preview = entry.preview?.head === pull.head ? entry.preview.state : "building";
  if (rules.preview && preview === "building") return once("its preview is built");
  const isBroken = rules.preview && merge === "checks" && preview === "failed";
  if (isBroken) return once("its preview can be built");
  const obstacle = obstacleOfChecks(pull, rules, approval !== null);
  if (obstacle !== null) return waiting(obstacle);
  if (files?.type === "moved") return wait(MOVED);
  const step = stepByMergeState(pull, entry, rules, now);
  return "reason" in step ? waiting(step) : step;
}

const CODE_FIRST = "It is merged after the code pull request that it documents.";
const CODE_CHANGED =
  "The code was merged at a different commit from the one it documents. Upkeep updates it first.";
const MOVED = "Somebody has pushed while it was read. The next run reads it again.";

/** @param condition the rest of a sentence */
function once(condition: string): Step {
  return wait(`It is merged once ${condition}.`);
}
