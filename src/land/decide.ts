/**
 * What is done about one docs pull request: the whole way from top to bottom. A fact is read where the decision depends
 * on it. Right before an act, the same function decides again, on fresh reads. The table in cases.md has all cases.
 */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import type { PullFiles } from "../github/changes/pull-files.ts";
import { afterMissing, USUAL_DEADLINE } from "../job/doubt.ts";
import { timeText } from "../ledger/file.ts";
import { DAY } from "../runtime/clock.ts";
import { type Fact, known, type Read, valueOrNull } from "../runtime/fact.ts";
import { changeLimits, hasChangeLimits, isListEnough } from "./change-limits.ts";
import { areChecksPending, heldChecks } from "./checks.ts";
import { beforeCode, type CodeState, codeState } from "./code-state.ts";
import type { LandInputs } from "./inputs.ts";
import type { PullEntry } from "./ledger.ts";
import { circumstancesOf, isMerging, type Merging, refusedBefore } from "./merge-state.ts";
import { countsOf, type PullProblem, problemsOf } from "./problems.ts";
import type { DocsJobPoll, LandReads, PreviewBuild } from "./reads.ts";
import { type LandReason, longestWait, unreadReason } from "./reasons.ts";
import { areReviewsRead } from "./reviews.ts";
import { type PullToMerge, toBase } from "./to-base.ts";
import { afterReading } from "./tracking.ts";
import {
  idleFrom,
  isBusyTooLong,
  isForPeople,
  isUndone,
  type LandWait,
  waitFor,
  withWait,
} from "./waits.ts";

/** What is done about a docs pull request. */
export type PullDecision =
  /** It was merged or closed. */
  | { readonly type: "ended" }
  | { readonly type: "follow-up"; readonly problems: readonly PullProblem[] }
  | { readonly type: Merging }
  | { readonly type: "close"; readonly reason: LandReason }
  | LandWait;

/** The same, before it is known how long it has waited. */
type Step = Exclude<PullDecision, LandWait> | Pick<LandWait, "type" | "reason">;

/** A decision, and what it was made on. */
export interface DecidedPull {
  readonly decision: PullDecision;
  /** With what was read. */
  readonly entry: PullEntry;
  /** Null if it could not be read, or is left as it is. */
  readonly pull: DocsPull | null;
}

/** @param before as the ledger has it */
export async function decide(
  before: PullEntry,
  reads: LandReads,
  rules: LandInputs,
): Promise<DecidedPull> {
  // Asked at the same moment, so that one request answers for several docs pull requests.
  const [found, code] = await Promise.all([reads.pull(before), codeState(before, reads)]);
  const decided = await decideOn(found, code, before, reads, rules);
  const isUnsettled =
    decided.decision.type === "wait" && decided.decision.reason.code === "merge-state-unknown";
  if (!isUnsettled) return decided;
  return await decideOn(await reads.settledPull(before), code, before, reads, rules);
}

async function decideOn(
  found: Fact<DocsPull>,
  code: CodeState,
  before: PullEntry,
  reads: LandReads,
  rules: LandInputs,
): Promise<DecidedPull> {
  const now = reads.now();
  if (found.type === "absent") return leftAlone(before, { code: "elsewhere" }, now);
  if (found.type === "unread") return leftAlone(before, unreadReason(found), now);
  const pull = found.value;
  const { state, author } = pull;
  if (state.type === "open" && pull.isByPerson && author !== null) {
    return leftAlone(before, { code: "by-person", author }, now);
  }
  if (before.intent !== null) {
    return { decision: waitFor({ code: "other-run" }, before.waiting, now), entry: before, pull };
  }
  if (state.type !== "open") {
    return { decision: { type: "ended" }, entry: afterReading(before, pull, null, now), pull };
  }
  const read = afterReading(before, pull, await newBuild(before, reads), now);
  const isHeld = holdingLabel(pull, rules) !== null;
  const entry = isHeld ? read : afterPoll(read, await reads.job(before.jobId), now);
  const about = { pull, entry, code, reads, rules, now };
  const step = beforeRepeat(await byAgent(about), about);
  const isTried = isTriedAgain(entry);
  if (step.type !== "wait") {
    return { decision: step, entry: isTried ? entry : withWait(entry, pull, null, now), pull };
  }
  if (isUnreadReason(step.reason)) return leftAlone(before, step.reason, now);
  const wait = waitFor(step.reason, entry.waiting, now);
  const waiting = withWait(entry, pull, wait, now);
  const decision = byIdleTime(wait, { ...about, entry: waiting });
  const isRepeated = isTried && decision.type === "close";
  return { decision, entry: isRepeated ? entry : waiting, pull };
}

/** An act that did not work out, or that GitHub refused, is waited for until it is done. */
function isTriedAgain({ waiting, refused }: PullEntry): boolean {
  return isUndone(waiting) || (refused !== null && waiting?.code === refused.reason.code);
}

interface Case extends PullToMerge {
  readonly code: CodeState;
}

/** It is left alone if its job may be active, or no longer names it. */
async function byAgent(about: Case): Promise<Step> {
  const { pull, entry, code, reads, rules, now } = about;
  const label = holdingLabel(pull, rules);
  if (label !== null) return wait({ code: "on-hold", label });
  const job = await reads.job(entry.jobId);
  if (job.type === "known" && job.value.isActive) return wait({ code: "agent-at-work" });
  const last = entry.followUps.at(-1);
  const isAwaited = last?.head === pull.head && now - Date.parse(last.at) < FOLLOW_UP_GRACE;
  if (isAwaited) return wait({ code: "follow-up-open" });
  if (job.type === "unread") return wait({ code: "job-unread" });
  if (job.type === "known" && !isNamed(job.value, about)) return wait({ code: "job-other-pull" });
  if (code === "closed") {
    // Whoever has reopened it wants it all the same.
    return entry.isReopened ? wait({ code: "reopened" }) : close({ code: "code-closed" }, about);
  }
  const next = await byWork(job, about);
  // The code comes first: until it has landed, nobody can do anything about the merge.
  const landing = next.type === "follow-up" ? null : beforeCode(code);
  return landing === null ? next : wait(landing);
}

/** A label with which people keep land from doing anything; null if it has none. */
function holdingLabel({ labels }: DocsPull, { holdLabels }: LandInputs): string | null {
  const names = holdLabels.map((name) => name.toLowerCase());
  return labels.find((label) => names.includes(label.toLowerCase())) ?? null;
}

const FOLLOW_UP_GRACE = longestWait("follow-up-open");

/** Whether its job names it, by its present URL or the one before its repository was renamed. */
function isNamed({ prLink }: DocsJobPoll, { pull, entry }: Case): boolean {
  return prLink === entry.url || prLink === pull.url;
}

/** One poll alone does not prove that the service has forgotten a job. */
function afterPoll(entry: PullEntry, { type }: Fact<DocsJobPoll>, now: number): PullEntry {
  if (type === "unread") return entry;
  const since = type === "known" ? null : (entry.jobMissingSince ?? timeText(now));
  return { ...entry, jobMissingSince: since };
}

function isForgotten({ entry, now }: Case): boolean {
  const { jobMissingSince, foundAt, followUps } = entry;
  if (jobMissingSince === null) return false;
  const acceptedAt = Date.parse(followUps.at(-1)?.at ?? foundAt);
  const missing = { acceptedAt, missingSince: Date.parse(jobMissingSince) };
  return afterMissing(missing, now, { isAnyFound: true, deadline: USUAL_DEADLINE }).isUnknown;
}

/** What the agent can fix, what a person has to do, and at last the merge. */
async function byWork(job: Fact<DocsJobPoll>, about: Case): Promise<Step> {
  const { pull, entry, reads, rules } = about;
  if (pull.isConflicting === true) {
    // The conflict may be one with its own commits, if they were pushed to the base.
    const files = await reads.files(pull);
    if (files.type === "unread") return wait(unreadReason(files));
    if (isInBase(files)) return wait({ code: "in-base" });
  }
  if (job.type === "absent") {
    return wait({ code: isForgotten(about) ? "job-forgotten" : "job-missing" });
  }
  const red = await redOnBase(pull, entry, reads, rules);
  if (red.type === "unread") return wait(unreadReason(red));
  const problems = problemsOf(pull, entry, rules).filter((problem) => !isOneOf(problem, red.value));
  const fresh = problems.filter(({ id }) => !entry.sent.includes(id));
  if (fresh.length > 0) return followUp(fresh, about);
  const unsolved = unsolvedOf(problems, about);
  if (unsolved.length > 0) return wait({ code: "unfixed", problems: countsOf(unsolved) });
  if (!areReviewsRead(pull, rules)) return wait({ code: "reviews-unread" });
  const held = heldChecks(pull, rules);
  if (held !== null) return wait(held);
  const isListed = !hasChangeLimits(rules) || isListEnough(pull, rules);
  const files = isListed ? null : await reads.files(pull);
  if (files?.type === "unread") return wait(unreadReason(files));
  const limit = changeLimits(pull, valueOrNull(files), rules);
  if (limit !== null) return wait(limit);
  const merging = await toBase(about);
  return typeof merging === "string" ? { type: merging } : wait(merging);
}

/** The names of its failed checks that are not sent, because they are red on its base, too. */
export async function redOnBase(
  pull: DocsPull,
  entry: PullEntry,
  reads: LandReads,
  rules: LandInputs,
): Promise<Read<readonly string[]>> {
  const names = problemsOf(pull, entry, rules).flatMap((problem) =>
    problem.type === "check" && !entry.sent.includes(problem.id) ? problem.check.name : [],
  );
  if (names.length === 0) return known([]);
  const red = await reads.redOnBase(pull);
  if (red.type === "unread") return red;
  return known(red.type === "known" ? red.value.filter((name) => names.includes(name)) : []);
}

function isOneOf(problem: PullProblem, names: readonly string[]): boolean {
  return problem.type === "check" && names.includes(problem.check.name);
}

function followUp(fresh: readonly PullProblem[], { pull, entry, rules, now }: Case): Step {
  const isPending = areChecksPending(pull, rules) || entry.preview?.state === "building";
  const isYoung = now - Date.parse(entry.headAt) < longestWait("checks-unfinished");
  if (isYoung && isPending) return wait({ code: "checks-unfinished" });
  const problems = countsOf(fresh);
  if (entry.isEditedByOthers) return wait({ code: "edited-by-others", problems });
  if (entry.isClosedToFollowUps) return wait({ code: "job-takes-none", problems });
  if (isBusyTooLong(pull, entry, now)) return wait({ code: "job-busy" });
  const { maxFollowUps: most } = rules;
  const { length: sent } = entry.followUps;
  if (sent < most) return { type: "follow-up", problems: fresh };
  if (most === 0) return wait({ code: "no-follow-ups", problems });
  return wait({ code: "follow-ups-spent", problems, sent, most });
}

/** Those that were sent before. What people said counts as solved by new commits: they check them. */
function unsolvedOf(problems: readonly PullProblem[], { pull, entry }: Case): PullProblem[] {
  const isAsBefore = entry.followUps.at(-1)?.head === pull.head;
  return problems.filter(({ type }) => isAsBefore || (type !== "review" && type !== "comment"));
}

/** Reminders and closing come before a merge that GitHub refused is tried again. */
function beforeRepeat(step: Step, about: Case): Step {
  const { pull, entry, rules, now } = about;
  const { refused, waiting } = entry;
  if (!isMerging(step.type) || refused?.act !== "merge") return step;
  if (refused.circumstances !== circumstancesOf(pull, rules)) return step;
  const idle = byIdleTime(waitFor(refused.reason, waiting, now), about);
  const isDue = idle.type === "close" || (idle.type === "wait" && idle.isReminder);
  return isDue ? wait(refused.reason) : step;
}

/** What waits for people without activity is closed, or its reviewers are reminded. */
function byIdleTime(waiting: LandWait, about: Case): PullDecision {
  const { pull, entry, rules, now } = about;
  // Whatever people have to do about it, the queue may merge it at any time.
  if (!isForPeople(waiting) || pull.isInMergeQueue) return waiting;
  const { remindAfter, closeAfter } = rules;
  const idle = now - idleFrom(pull, entry);
  if (closeAfter > 0 && idle >= closeAfter) {
    const closing = close({ code: "idle", days: Math.floor(closeAfter / DAY) }, about);
    return closing.type === "wait" ? waitFor(closing.reason, entry.waiting, now) : closing;
  }
  const isLate = remindAfter > 0 && idle >= remindAfter;
  return { ...waiting, isReminder: isLate && !entry.isReminded && !entry.isClosedToComments };
}

function close(reason: LandReason, { pull, entry, rules, now }: Case): Step {
  const refused = refusedBefore("close", entry, circumstancesOf(pull, rules), now);
  return refused === null ? { type: "close", reason } : wait(refused);
}

/** The build of a preview that had not ended. */
async function newBuild(
  { preview }: PullEntry,
  reads: LandReads,
): Promise<Fact<PreviewBuild> | null> {
  return preview?.state === "building" ? await reads.build(preview.statusId) : null;
}

function isInBase(files: Fact<PullFiles>): boolean {
  return files.type === "known" && files.value.type === "listed" && files.value.isInBase;
}

function isUnreadReason({ code }: LandReason): boolean {
  return code === "unread" || code === "unread-for-now";
}

/** One that cannot be read, or is not land's to look after. Another run's entry is not touched. */
function leftAlone(before: PullEntry, reason: LandReason, now: number): DecidedPull {
  const decision = waitFor(reason, before.waiting, now);
  const isFree = before.intent === null;
  return { decision, entry: isFree ? withWait(before, null, decision, now) : before, pull: null };
}

function wait(reason: LandReason): Pick<LandWait, "type" | "reason"> {
  return { type: "wait", reason };
}

/** Why it needs a person; null if it does not. */
export function needsOf(decision: PullDecision): LandReason | null {
  return decision.type === "wait" && decision.waitsFor === "person" ? decision.reason : null;
}
