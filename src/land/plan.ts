/** What a run of land does: finds docs pull requests, decides about each, and plans what is done about it. */

import { chunks } from "../batches/model/names.ts";
import { type Revision, timeText, unchanged } from "../ledger/file.ts";
import type { Moment, Planned } from "../ledger/program.ts";
import { inParallel } from "../runtime/dependencies.ts";
import { known } from "../runtime/fact.ts";
import {
  intentIdOf,
  type JudgedDocsPull,
  type LandAct,
  type LandTerms,
  type PullAct,
} from "./acts.ts";
import { codeState } from "./code-state.ts";
import { type DecidedPull, decide, needsOf, type PullDecision, redOnBase } from "./decide.ts";
import { afterEnd, buildWarnings, withBuild, withoutBuilds } from "./due-build.ts";
import type { LandInputs } from "./inputs.ts";
import { type LandRun, PULLS_AT_ONCE } from "./land-run.ts";
import type { Ended, LandLedger, PullEntry } from "./ledger.ts";
import { circumstancesOf, isMerging } from "./merge-state.ts";
import { actsOn, commentAct, explainAct, isNewComment, releaseAct } from "./plan-acts.ts";
import { countsOf } from "./problems.ts";
import { readingWarnings } from "./reading-warnings.ts";
import type { LandReads } from "./reads.ts";
import { problemsText } from "./reason-kinds.ts";
import type { LandReason } from "./reasons.ts";
import {
  addFromLedgers,
  addFromSources,
  commentsSince,
  endPull,
  giveUp,
  isGivenUp,
  jobsToPoll,
  reopenPull,
  type Sources,
  withEntry,
} from "./tracking.ts";
import type { VisibleRepositories } from "./visibility.ts";
import { isUndone, waitFor } from "./waits.ts";

/** How many parts of the docs pull requests are read at the same time. */
const PARTS_AT_ONCE = 2;

/** A docs pull request in a plan. */
export interface TrackedPull {
  /** As it is in the ledger once the plan is written. */
  readonly entry: PullEntry;
  readonly decision: PullDecision;
  readonly state: "open" | Ended["state"];
  /** Why it needed a person when the run began; null if it did not. */
  readonly needed: LandReason | null;
  /** Null if it could not be read. */
  readonly visibility: VisibleRepositories | null;
}

export async function planLand(
  from: Revision<LandLedger>,
  reads: LandReads,
  moment: Moment,
  { inputs, repository, isByHand }: Pick<LandRun, "inputs" | "repository" | "isByHand">,
): Promise<
  Planned<
    LandTerms,
    { readonly pulls: readonly TrackedPull[]; readonly warnings: readonly string[] }
  >
> {
  const others = await reads.otherLedgers(from.ledger.ledgers);
  const sources = await readSources(from, others.changed, reads, moment);
  const found = await withReopened(addFromSources(from, sources, moment.now), reads, moment);
  const parts = chunks(found.ledger.open, PULLS_AT_ONCE);
  const planned = await inParallel(parts, PARTS_AT_ONCE, (entries) =>
    Promise.all(entries.map((entry) => planPull(entry, reads, moment, inputs))),
  );
  const pulls = planned.flat();
  const revision = pulls.reduce((before, pull) => withPull(before, pull, inputs), found);
  const acts: LandAct[] = pulls.flatMap((pull) => pull.acts);
  const now = reads.now();
  const built = inputs.deploy
    ? withBuild(revision, acts, { now, name: moment.name }, isByHand)
    : { revision: withoutBuilds(revision), acts };
  const judged = pulls.flatMap((pull) => pull.judged ?? []);
  const warnings = [
    ...readingWarnings(others, found.ledger, judged, repository),
    ...buildWarnings(built.revision.ledger),
  ];
  const notes = { pulls: pulls.map(({ tracked }) => tracked), warnings };
  return { type: "plan", plan: { ...built.revision, acts: built.acts, notes } };
}

/**
 * Where docs pull requests are found. Jobs of status comments are polled if no docs pull request of theirs is known.
 */
async function readSources(
  from: Revision<LandLedger>,
  ledgers: Sources["ledgers"],
  reads: LandReads,
  { now }: Moment,
): Promise<Sources> {
  const { jobs: commented, readAt } = await reads.askedJobs(commentsSince(from.ledger, now));
  const known = addFromLedgers(unchanged(from.ledger), ledgers, now).ledger;
  const jobs: Sources["jobs"][number][] = [];
  for (const job of jobsToPoll(known, commented)) {
    jobs.push({ job, poll: await reads.job(job.id) });
  }
  return { readAt, ledgers, jobs };
}

/** Looks after closed ones again that somebody has reopened. */
async function withReopened(
  from: Revision<LandLedger>,
  reads: LandReads,
  { now }: Moment,
): Promise<Revision<LandLedger>> {
  const entries = from.ledger.closed.map(({ entry }) => entry);
  const states = await Promise.all(
    entries.map(({ url, repositoryId }) => reads.stateOf(url, repositoryId)),
  );
  const isOpen = (_: PullEntry, nth: number) => {
    const state = states[nth];
    return state?.type === "known" && state.value.state === "open";
  };
  return entries.filter(isOpen).reduce((before, entry) => reopenPull(before, entry, now), from);
}

/** What is planned about one docs pull request. */
interface PlannedPull {
  readonly tracked: TrackedPull;
  /** Null if it could not be read. */
  readonly judged: JudgedDocsPull | null;
  readonly acts: readonly PullAct[];
  /** For the message of the commit; null if nothing is done about it. */
  readonly event: string | null;
  /** GitHub's time, in milliseconds since 1970. */
  readonly now: number;
}

async function planPull(
  before: PullEntry,
  reads: LandReads,
  moment: Moment,
  inputs: LandInputs,
): Promise<PlannedPull> {
  const [decided, visibility] = await Promise.all([
    decide(before, reads, inputs),
    readVisibility(before, reads),
  ]);
  const now = reads.now();
  const { decision, pull } = decided;
  const entry = { ...decided.entry, needs: needsAfter(before, decided, now) };
  const tracked = { entry, decision, state: "open", needed: before.needs, visibility } as const;
  const nothing = { tracked, judged: null, acts: [], event: null, now };
  if (pull === null || visibility === null) return nothing;
  const code = await codeState(entry, reads);
  const isDecided = before.intent === null && decision.type !== "ended";
  const red = isDecided ? await redOnBase(pull, entry, reads, inputs) : known([]);
  const redNames = red.type === "known" ? red.value : [];
  const judged = { entry, decision, pull, code, redOnBase: redNames, visibility };
  const { type: state } = pull.state;
  const idle = { ...nothing, judged, tracked: { ...tracked, state } };
  if (before.intent !== null) return idle;
  const id = intentIdOf(moment.name, entry.url);
  if (decision.type === "ended") {
    const isSaid = entry.comment === null || !isNewComment(judged, inputs);
    const comment = isSaid ? [] : [commentAct(id, judged)];
    // Otherwise it is no longer in the ledger's list, so there is nothing to record.
    if (!isUnexplained(entry, now)) return { ...idle, acts: comment };
    const intent = intentOf(judged, moment, now, inputs);
    const acts = [explainAct(id, judged, entry.closing, true), ...comment, releaseAct(id, judged)];
    return { ...idle, acts, tracked: { ...idle.tracked, entry: { ...entry, intent } } };
  }
  const acts = await actsOn(judged, id, reads, inputs);
  if (acts.length === 0) return idle;
  const isClosing = acts.some(({ type }) => type === "explain");
  const closing = decision.type === "close" && isClosing ? decision.reason : null;
  const intended = { ...entry, closing, intent: intentOf(judged, moment, now, inputs) };
  const event = `${purposeOf(decision)} ${entry.url}`;
  return { ...idle, acts, event, tracked: { ...tracked, entry: intended } };
}

/** Asked as soon as it is read, so that one request answers for several. Null if it cannot be read. */
async function readVisibility(
  entry: PullEntry,
  reads: LandReads,
): Promise<VisibleRepositories | null> {
  const pull = await reads.pull(entry);
  return pull.type === "known" ? await reads.visibility(entry, pull.value) : null;
}

/** Only an attempt shows whether GitHub merges or closes it, and what is unread for a while says nothing new. */
function needsAfter(
  before: PullEntry,
  { decision, entry }: DecidedPull,
  now: number,
): LandReason | null {
  if (before.intent !== null) return before.needs;
  if (decision.type === "wait") {
    const isUnread = decision.reason.code === "unread-for-now";
    return needsOf(decision) ?? (isUnread ? before.needs : null);
  }
  const { waiting } = entry;
  const undone = isUndone(waiting) ? needsOf(waitFor({ code: waiting.code }, waiting, now)) : null;
  const isAttempt = isMerging(decision.type) || decision.type === "close";
  return undone ?? (isAttempt ? before.needs : null);
}

/** Whether land closed it, and GitHub has not taken the comment that says so yet: for a day, it is tried again. */
function isUnexplained(
  entry: PullEntry,
  now: number,
): entry is PullEntry & { readonly closing: LandReason } {
  const { closing, waiting } = entry;
  return closing !== null && waitFor({ code: "not-done" }, waiting, now).waitsFor !== "person";
}

function purposeOf(decision: PullDecision): string {
  if (decision.type !== "follow-up") return "Work on";
  return `Send a follow-up about ${problemsText(countsOf(decision.problems))}:`;
}

function intentOf(
  { decision, pull }: JudgedDocsPull,
  { name }: Moment,
  now: number,
  inputs: LandInputs,
) {
  const isAttempt = isMerging(decision.type) || decision.type === "close";
  const circumstances = isAttempt ? circumstancesOf(pull, inputs) : null;
  const intent = { decision: name, at: timeText(now), followUp: null, circumstances };
  if (decision.type !== "follow-up") return intent;
  const about = countsOf(decision.problems);
  const problems = decision.problems.map(({ id }) => id);
  return { ...intent, followUp: { about, head: pull.head, problems } };
}

/** Writes down what was read of a docs pull request, and what is about to be done. */
function withPull(
  from: Revision<LandLedger>,
  { tracked: { entry, decision }, judged, event, now }: PlannedPull,
  inputs: LandInputs,
): Revision<LandLedger> {
  const state = judged?.pull.state;
  const isOpen = state === undefined || state.type === "open" || entry.intent !== null;
  if (decision.type === "ended" && !isOpen) {
    const isByLand = entry.closing !== null;
    const end = { state: state.type, isByLand, endedAt: state.at };
    const ended = endPull(from, entry, end, now);
    return afterEnd(ended, entry, state.type, inputs);
  }
  const isOver = judged === null && entry.intent === null && isGivenUp(entry, now);
  return isOver ? giveUp(from, entry) : withEntry(from, entry, event);
}
