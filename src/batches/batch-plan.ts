/** The steps that the plans of upkeep and the queue have in common, in the order of a run; and the plan of its end. */

import type { Revision } from "../ledger/file.ts";
import type { Moment, Planned } from "../ledger/program.ts";
import type { Fact } from "../runtime/fact.ts";
import type { AnyReason } from "../runtime/reason.ts";
import { type applyFacts, takePolled } from "./applied-facts.ts";
import { type BatchAct, type BatchTerms, type HandOver, onTop } from "./batch-program.ts";
import type { BatchReads } from "./batch-reads.ts";
import {
  checkDashboard,
  claimDashboard,
  type DashboardFacts,
  dashboardNumber,
} from "./dashboard-issue.ts";
import { endWaits, intend } from "./model/batches.ts";
import { claimComments } from "./model/comments.ts";
import type { Batch, HistoryLine, Ledger, Reviewed } from "./model/ledger.ts";
import { type Polled, polledBatches } from "./model/polls.ts";
import { type BatchRevision, revisionOf } from "./model/revision.ts";
import type { SharedReason, SharedWarning } from "./reasons.ts";
import type { PlanSettings } from "./settings.ts";

/** Maximum number of comments per run. */
const MOST_COMMENTS = 20;

/** What an action has to say about its plan. */
export interface OwnNotes {
  /** Why it hands over no more. */
  readonly reason: AnyReason;
  readonly warnings: readonly AnyReason[];
}

/** What there is to say about a plan. */
export interface DecidedNotes<N extends OwnNotes> {
  readonly type: "decided";
  readonly own: N;
  /** The ledger before the intents, for a dry run. */
  readonly before: Ledger;
  /** Batches whose end this run found. */
  readonly finished: readonly HistoryLine[];
  /** Docs pull requests whose end it found. */
  readonly reviewed: readonly Reviewed[];
  readonly facts: Awaited<ReturnType<typeof applyFacts>>;
  /** About people's decisions. */
  readonly warnings: readonly SharedWarning[];
  readonly dashboard: DashboardFacts;
}

export type BatchNotes<N extends OwnNotes> =
  | DecidedNotes<N>
  /** The run ended before it decided. */
  | {
      readonly type: "stopped";
      readonly reason: SharedReason;
      readonly dashboard: DashboardFacts;
    };

/** Reads the dashboard. A run ends if it is closed, or if the event is about another issue. */
export async function readDashboard(
  { ledger }: Revision<Ledger>,
  reads: BatchReads,
  { place, edit }: PlanSettings,
) {
  const read = await reads.dashboard(ledger);
  const checked = checkDashboard(read, ledger, reads.commit(), place);
  if (checked.type !== "dashboard") return checked;
  const { dashboard } = checked;
  const number = dashboard.issue?.number ?? dashboardNumber(ledger.dashboard);
  if (edit.type === "edited" && edit.issue !== number) {
    return stopped({ code: "other-issue" }, dashboard);
  }
  const pause = pauseOf(dashboard);
  return pause === null ? checked : stopped(pause, dashboard);
}

function stopped(reason: SharedReason, dashboard: DashboardFacts) {
  return { type: "stopped", notes: { type: "stopped", reason, dashboard } } as const;
}

/** Why a dashboard pauses everything; null if it does not. One that a bot closed is opened again. */
export function pauseOf({ issue }: DashboardFacts): SharedReason | null {
  if (issue === null || !issue.isClosed || issue.isClosedByBot) return null;
  return { code: "paused", by: issue.closedBy, at: issue.closedAt };
}

/** Why nothing is handed over, whatever the action wants; null for no reason. */
export function obstacleIn(
  { ledger }: BatchRevision,
  { issue }: DashboardFacts,
): SharedReason | null {
  if (ledger.batches.some(({ state }) => state === "intended")) return { code: "other-run" };
  const { halt } = ledger.failures;
  return halt === null ? null : { code: "halted", halt, hasBoxes: issue !== null };
}

/** What an action has decided: the ledger with what it has found, and what it hands over. */
export interface BatchDecision<N extends OwnNotes> {
  revision: BatchRevision;
  wishes: readonly {
    changes: Batch["changes"];
    origin: Batch["origin"] | null;
    attempt: number;
    followUp: Batch["followUp"];
    /** The job for a follow-up; null for a new one. */
    jobId: string | null;
    prompt: string;
  }[];
  own: N;
}

/** The plan of a decision, with the intents of its hand-overs and the claim of a dashboard. */
export function planOf<R, N extends OwnNotes>(
  from: Revision<Ledger>,
  decision: BatchDecision<N>,
  { dashboard, facts, warnings }: Pick<DecidedNotes<N>, "dashboard" | "facts" | "warnings">,
  moment: Moment,
  { runName }: PlanSettings,
): Planned<BatchTerms<R>, DecidedNotes<N>> {
  const { revision, own } = decision;
  const { acts, intending } = handOvers(decision, moment);
  const begun = acts.length === 0 ? endWaits(intending) : intending;
  const intended = claimDashboard(begun, dashboard, runName);
  const notes: DecidedNotes<N> = {
    type: "decided",
    own,
    before: revision.ledger,
    finished: intended.history,
    reviewed: intended.newlyDone.filter((entry) => entry.prLink !== null),
    facts,
    warnings,
    dashboard,
  };
  return { type: "plan", plan: { ...onTop(from, intended), acts, notes } };
}

/**
 * The plan of a further decision, after the requests of an earlier one: what came of them is in the ledger, and nothing
 * is read again.
 */
export function planOfMore<R, N extends OwnNotes>(
  from: Revision<Ledger>,
  decision: BatchDecision<N>,
  moment: Moment,
  notes: DecidedNotes<N>,
): Planned<BatchTerms<R>, DecidedNotes<N>> {
  const { acts, intending } = handOvers(decision, moment);
  if (acts.length === 0) return { type: "stopped", notes };
  return { type: "plan", plan: { ...onTop(from, intending), acts, notes } };
}

/** The acts of a decision, and the ledger with their intents. */
function handOvers({ revision, wishes }: BatchDecision<OwnNotes>, { name }: Moment) {
  const idOf = (nth: number) => `${name}.${nth}`;
  const acts = wishes.map(({ changes, jobId, prompt }, nth): HandOver => {
    const common = { id: idOf(nth), changes, prompt };
    return jobId === null ? { ...common, type: "start" } : { ...common, type: "follow-up", jobId };
  });
  const intents = wishes.map(({ changes, attempt, followUp, origin, jobId: sentTo }, nth) => {
    return { id: idOf(nth), changes, attempt, followUp, origin, sentTo };
  });
  return { acts, intending: intend(revision, intents) };
}

/**
 * Plans what a run does after it has handed over: it records the end of the job that it waited for, comments on merged
 * pull requests, and opens the dashboard. Its notes: batches whose end a run found by waiting.
 */
export async function planClosing<R>(
  from: Revision<Ledger>,
  waited: { batch: string; poll: Fact<Polled> } | null,
  reads: Pick<BatchReads, "pullEnd">,
  { now, name }: Moment,
  { rules, runName }: PlanSettings,
): Promise<Planned<BatchTerms<R>, { readonly finished: readonly HistoryLine[] }>> {
  const begun = revisionOf(from.ledger, now, rules);
  // A run that waits polls a job twice before it takes it for one without a docs pull request.
  const context = { isPolledTwice: true };
  const batch = polledBatches(begun).find(({ id }) => id === waited?.batch);
  const ended =
    waited === null || batch === undefined
      ? begun
      : await takePolled(begun, batch, waited.poll, reads, context);
  const nameOf = (nth: number) => `${name}.comment.${nth}`;
  const { revision, claimed } = claimComments(ended, MOST_COMMENTS, nameOf);
  const acts = claimed.map(({ id, ...pending }): BatchAct => ({ type: "comment", id, pending }));
  const { dashboard } = from.ledger;
  const isClaimed = dashboard.type === "claimed" && dashboard.by === runName;
  if (isClaimed) acts.push({ type: "open-dashboard", id: runName });
  const notes = { finished: ended.history };
  return { type: "plan", plan: { ...onTop(from, revision), acts, notes } };
}
