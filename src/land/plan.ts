/** Decides what a run of land does: a plan, from the ledger and what was read. Pure. */

import { timeText } from "../ledger/file.ts";
import type { Moment, Plan } from "../ledger/program.ts";
import { DAY } from "../runtime/clock.ts";
import { shortHash } from "../text/short-hash.ts";
import {
  intentIdOf,
  type LandAct,
  type LandTerms,
  type ReadPull,
  type TrackedPull,
} from "./acts.ts";
import { afterEnd, withBuild } from "./build.ts";
import { commentText } from "./comment.ts";
import type { LandFacts, PullFacts, PullReading, UnreadPull } from "./facts.ts";
import type { LandInputs } from "./inputs.ts";
import type { Entry, LandRevision } from "./ledger.ts";
import { isMerging } from "./merging.ts";
import { actsOn, commentAct, isReminder, needsPreview } from "./plan-acts.ts";
import { hasRails } from "./rails.ts";
import { addFromSources, afterReading, endPull, giveUp, withEntry } from "./revision.ts";
import { isAction, needsOf, nextStep, person, type Step, wait } from "./step.ts";

/** What is done about a docs pull request that another run is at work on. */
export const HELD = wait("Another run is working on it.");

/** A docs pull request is not merged before its files at its head were read, if guard rails limit them. */
const FILES_UNREAD = wait("It can be merged. The next run checks the guard rails first.");

/** What decisions about all docs pull requests depend on. */
interface Circumstances {
  readonly moment: Moment;
  readonly inputs: LandInputs;
  /** GitHub's time when the reading began, in milliseconds since 1970. */
  readonly readAt: number;
}

/** What was decided about the docs pull requests so far. */
interface PartialPlan {
  readonly revision: LandRevision;
  readonly acts: readonly LandAct[];
  readonly pulls: readonly TrackedPull[];
}

export function decide(
  from: LandRevision,
  { sources, pulls: readings, warnings }: LandFacts,
  moment: Moment,
  inputs: LandInputs,
): Plan<LandTerms> {
  const circumstances = { moment, inputs, readAt: sources.readAt };
  const begun = addFromSources(from, sources, moment.now);
  const read = begun.ledger.open.reduce<PartialPlan>(
    (plan, entry) => {
      const reading = readings.get(entry.url);
      return reading === undefined ? plan : withReading(plan, entry, reading, circumstances);
    },
    { revision: begun, acts: [], pulls: [] },
  );
  const planned = read.pulls.reduce<PartialPlan>(
    (plan, tracked) => withActs(plan, tracked, circumstances),
    { ...read, pulls: [] },
  );
  const { revision, acts } = inputs.deploy
    ? withBuild(planned.revision, planned.acts, moment)
    : planned;
  return { ...revision, acts, notes: { pulls: planned.pulls, warnings } };
}

/** Takes what was read about a docs pull request, and decides what is done about it. */
function withReading(
  { revision, acts, pulls }: PartialPlan,
  before: Entry,
  reading: PullReading,
  { moment: { now }, inputs }: Circumstances,
): PartialPlan {
  const known = afterReading(before, reading, now);
  const step = stepOf(known ?? before, reading, now, inputs);
  // Only an attempt shows whether GitHub merges or closes it.
  const isAttempt = isMerging(step) || step.type === "close";
  const isMissed = reading.type === "unread" && step.type === "wait";
  const keepsNeeds = before.intent !== null || isAttempt || isMissed;
  const needs = keepsNeeds ? before.needs : needsOf(step);
  const entry = { ...(known ?? before), needs };
  const tracked = { entry, reading, step, needed: before.needs };
  const after = known === null ? giveUp(revision, entry) : withEntry(revision, entry);
  const ended =
    reading.type === "read" && step.type === "ended"
      ? withEnd(after, entry, reading.facts, now, inputs)
      : after;
  return { revision: ended, acts, pulls: [...pulls, tracked] };
}

function stepOf(entry: Entry, reading: PullReading, now: number, inputs: LandInputs): Step {
  if (reading.type === "unread") return stepIfUnread(entry, reading, now);
  if (entry.intent !== null) return HELD;
  const { facts } = reading;
  const step = nextStep(facts, entry, inputs, now);
  // It has become due since it was read.
  return isMerging(step) && facts.files === null && hasRails(inputs) ? FILES_UNREAD : step;
}

/** What fails in passing needs nobody, unless it goes on. */
function stepIfUnread({ unreadFrom }: Entry, { reason, isPassing }: UnreadPull, now: number): Step {
  const isNew = unreadFrom === null || now - Date.parse(unreadFrom) < DAY;
  return isPassing && isNew ? wait(`${reason} The next run tries again.`) : person(reason);
}

function withEnd(
  from: LandRevision,
  entry: Entry,
  { pull: { state } }: PullFacts,
  now: number,
  inputs: LandInputs,
): LandRevision {
  if (state.type === "open") return from;
  const ended = endPull(from, entry, state.type, state.at, now);
  return afterEnd(ended, entry, state.type, inputs);
}

/** Adds the acts on a docs pull request, and their intent, if there is anything to do. */
function withActs(
  plan: PartialPlan,
  tracked: TrackedPull,
  { moment, inputs, readAt }: Circumstances,
): PartialPlan {
  const { revision, acts, pulls } = plan;
  const { entry, reading, step } = tracked;
  const unchanged = { revision, acts, pulls: [...pulls, tracked] };
  if (reading.type === "unread" || entry.intent !== null) return unchanged;
  const read: ReadPull = { entry, facts: reading.facts, step };
  const id = intentIdOf(moment.name, entry.url);
  if (step.type === "ended") {
    // It is no longer in the ledger's list, so there is nothing to record.
    const comments = entry.comment !== null && isNewComment(read, inputs);
    return { ...unchanged, acts: comments ? [...acts, commentAct(id, read)] : acts };
  }
  if (!isDue(read, inputs)) return unchanged;
  const intended = withIntent(read, moment);
  const purpose = step.type === "follow-up" ? `Send a follow-up about ${step.about}:` : "Work on";
  return {
    revision: withEntry(revision, intended, `${purpose} ${entry.url}`),
    acts: [...acts, ...actsOn({ ...read, entry: intended }, { id, readAt }, inputs)],
    pulls: [...pulls, { ...tracked, entry: intended }],
  };
}

/** Whether there is anything to do about a docs pull request. */
function isDue(read: ReadPull, inputs: LandInputs): boolean {
  const { entry, step } = read;
  return (
    isAction(step) ||
    isReminder(step) ||
    !entry.isSetUp ||
    needsPreview(read, inputs) ||
    isNewComment(read, inputs)
  );
}

function isNewComment({ entry, facts, step }: ReadPull, inputs: LandInputs): boolean {
  if (!inputs.comment || entry.isClosedToComments) return false;
  return entry.comment?.digest !== shortHash(commentText(entry, facts, step, inputs));
}

function withIntent({ entry, facts, step }: ReadPull, { now, name: decision }: Moment): Entry {
  const at = timeText(now);
  if (step.type !== "follow-up") return { ...entry, intent: { decision, at, followUp: null } };
  const problems = step.problems.map(({ id }) => id);
  const followUp = { about: step.about, head: facts.pull.head, problems };
  return { ...entry, intent: { decision, at, followUp } };
}
