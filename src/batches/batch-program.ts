/**
 * The program that upkeep and a queue have in common: what has ended is recorded, then changes or tasks are handed
 * over.
 */

import type { Issue } from "../github/conversation/labelled-issue.ts";
import type { Delivery } from "../job/send.ts";
import type { Revision } from "../ledger/file.ts";
import type {
  ActKey,
  BasicResult,
  Done,
  Moment,
  Plan,
  Program,
  Reading,
} from "../ledger/program.ts";
import type { Head } from "../ledger/store.ts";
import { inlineCode } from "../text/markdown.ts";
import {
  askingOnce,
  type BatchFacts,
  type Readers,
  readBatchFacts,
  settle,
} from "./batch-facts.ts";
import type { BatchRun, LedgerAddress } from "./batch-run.ts";
import { ticksAfterEdit } from "./dashboard/boxes.ts";
import {
  claimDashboard,
  type DashboardFacts,
  type DashboardIssue,
  numberOf,
  recordOpened,
} from "./dashboard-issue.ts";
import { expireIntents, intend, recordSent, type Sent } from "./model/batches.ts";
import type { Decision } from "./model/decisions.ts";
import { isHalted } from "./model/failures.ts";
import type {
  Change,
  Draft,
  FollowUpTarget,
  HistoryLine,
  Ledger,
  Reviewed,
} from "./model/ledger.ts";
import { type BatchRevision, type BatchRules, revisionOf } from "./model/revision.ts";

/**
 * Hands changes or tasks to the agent. `id`: of the batch. If the job accepts no follow-up, nothing was started, and the
 * same prompt starts a new job.
 */
export interface HandOver extends ActKey {
  readonly type: "hand over";
  readonly changes: readonly Change[];
  /** The job for a follow-up; null for a new one. */
  readonly jobId: string | null;
  readonly prompt: string;
}

/** One of those that a run makes, one after another. */
export interface BatchHandOver extends HandOver {
  /** How many requests the service refused in a row before this run. */
  readonly refusedBefore: number;
}

/** What an action wants to hand over. */
export interface PlannedHandOver {
  changes: readonly Change[];
  attempt: number;
  followUp: FollowUpTarget | null;
  jobId: string | null;
  prompt: string;
}

/** Why a run ends without deciding. */
export type BatchStop =
  /** The event is about another issue. */
  | { type: "idle"; dashboard: DashboardFacts }
  /** The dashboard is closed. */
  | { type: "paused"; reason: string; dashboard: DashboardFacts };

/** Why a run hands over no more, as its output `result` says it. */
export type Reason = "idle" | "busy" | "held" | "limited";

/** What there is to say about a plan. */
export interface BatchNotes<N> {
  /** Why it hands over no more. */
  reason: Reason;
  own: N;
  /** Whether an earlier run has found too many failures. */
  wasHalted: boolean;
  /** The ledger before the intents, for a dry run. */
  before: Ledger;
  /** Batches whose end this run found. */
  finished: readonly HistoryLine[];
  /** Docs pull requests whose end it found. */
  reviewed: readonly Reviewed[];
  polls: BatchFacts["polls"];
  dashboard: DashboardFacts;
}

/** The types of the program. `F`: what the action reads, `N`: what it has to say. */
export interface BatchTerms<F, N> {
  ledger: Ledger;
  facts: { dashboard: DashboardFacts; batches: BatchFacts; own: F };
  stop: BatchStop;
  act: BatchHandOver;
  result: Delivery;
  notes: BatchNotes<N>;
}

/** What an action hands over, and the ledger with what it has found. */
export interface Choice<N> {
  revision: BatchRevision;
  handOvers: readonly PlannedHandOver[];
  /** Why it is not more. */
  reason: Reason;
  notes: N;
}

/** An action's part of the program. */
export interface BatchAction<F, N> {
  readonly rules: BatchRules;
  /**
   * Reads what choosing needs. Called once for each decision.
   *
   * @param settled the ledger after polls, reviews and people's decisions
   * @throws ActionError nothing is sent and nothing written
   */
  read(settled: BatchRevision): Promise<F>;
  /** Chooses what to hand over. Pure. @throws ActionError nothing is sent and nothing written */
  choose(settled: BatchRevision, facts: F): Choice<N>;
  deliver(act: HandOver): Promise<Delivery>;
  /** What the ledger records of a delivery. */
  sent(delivery: Delivery | BasicResult): Sent;
  /** Whether an act follows what became of those before it. */
  goesOn(act: BatchHandOver, deliveries: readonly (Delivery | BasicResult)[]): boolean;
}

/** What the program needs of a run. */
export interface BatchPort extends Pick<BatchRun, "settings">, Readers {
  dashboard: Pick<DashboardIssue, "read">;
  store: { readonly now: number; readonly options: { readonly runName: string } };
}

export class BatchProgram<F, N> implements Program<BatchTerms<F, N>> {
  readonly #run: BatchPort;
  readonly #action: BatchAction<F, N>;
  readonly #readers: Readers;

  constructor(run: BatchPort, action: BatchAction<F, N>) {
    this.#run = run;
    this.#action = action;
    this.#readers = askingOnce(run);
  }

  async read(head: Head<Ledger>): Promise<Reading<BatchTerms<F, N>>> {
    const { edit } = this.#run.settings;
    const read = await this.#run.dashboard.read(head);
    if (read.type !== "dashboard") return read;
    const { dashboard } = read;
    const { issue } = dashboard;
    const number = issue?.number ?? numberOf(head.ledger.dashboard);
    if (edit.type === "edited" && edit.issue !== number) {
      return { type: "stopped", stop: { type: "idle", dashboard } };
    }
    if (issue?.isClosed) {
      return { type: "stopped", stop: { type: "paused", reason: pausedText(issue), dashboard } };
    }
    const { now } = this.#run.store;
    const batches = await readBatchFacts(head.ledger, now, this.#readers);
    const revision = revisionOf(head.ledger, now, this.#action.rules);
    const settled = settle(revision, batches, this.#ticksOn(dashboard));
    return { type: "facts", facts: { dashboard, batches, own: await this.#action.read(settled) } };
  }

  decide(
    from: Revision<Ledger>,
    { dashboard, batches, own }: BatchTerms<F, N>["facts"],
    moment: Moment,
  ): Plan<BatchTerms<F, N>> {
    const { rules } = this.#action;
    const begun = revisionOf(from.ledger, moment.now, rules);
    const settled = settle(begun, batches, this.#ticksOn(dashboard));
    const choice = this.#action.choose(settled, own);
    const later = laterAs(choice.revision.ledger);
    const planned = later === null ? choice.handOvers : [];
    const { refusals: refusedBefore } = settled.ledger.failures;
    const acts = planned.map(({ changes, jobId, prompt }, nth): BatchHandOver => {
      const id = `${moment.name}.${nth}`;
      return { type: "hand over", id, changes, jobId, prompt, refusedBefore };
    });
    const intents = planned.map(({ changes, attempt, followUp }, nth) => {
      return { id: `${moment.name}.${nth}`, changes, attempt, followUp };
    });
    const intended = intend(choice.revision, intents);
    const { runName } = this.#run.store.options;
    const revision = claimDashboard(intended, dashboard, runName);
    const notes = {
      reason: later ?? choice.reason,
      wasHalted: isHalted(from.ledger),
      own: choice.notes,
      before: choice.revision.ledger,
      finished: revision.history,
      reviewed: revision.newlyDone.filter((entry) => entry.prLink !== null),
      polls: batches.polls,
      dashboard,
    };
    return { ...onTop(from, revision), acts, notes };
  }

  #ticksOn({ issue }: DashboardFacts): Decision[] {
    const { edit } = this.#run.settings;
    return ticksAfterEdit(issue?.body ?? "", edit.type === "edited" ? edit.body : null);
  }

  perform(act: HandOver): Promise<Delivery> {
    return this.#action.deliver(act);
  }

  record(from: Revision<Ledger>, { id }: ActKey, result: Delivery | BasicResult, now: number) {
    const { rules } = this.#action;
    const { runName } = this.#run.store.options;
    return recordDelivery(from, id, this.#action.sent(result), now, { rules, runName });
  }

  expire(from: Revision<Ledger>, isDead: (writtenAt: string) => boolean): Revision<Ledger> {
    return expireBatches(from, isDead, this.#action.rules);
  }

  holds({ batches }: Ledger, act: ActKey): boolean {
    return isIntended(batches, act);
  }

  goesOn(act: BatchHandOver, done: readonly Done<BatchTerms<F, N>>[]): boolean {
    const deliveries = done.map(({ result }) => result);
    return this.#action.goesOn(act, deliveries);
  }
}

/** Why nothing is handed over, whatever the action wants; null for no reason. */
function laterAs(ledger: Ledger): "busy" | "held" | null {
  // Another run is about to send something.
  if (ledger.batches.some(({ state }) => state === "intended")) return "busy";
  return isHalted(ledger) ? "held" : null;
}

/** What a later revision adds, on top of an earlier one. */
export function onTop(earlier: Revision<Ledger>, later: BatchRevision): Revision<Ledger> {
  return {
    ledger: later.ledger,
    events: [...earlier.events, ...later.events],
    history: [...earlier.history, ...later.history],
  };
}

/** @param runName of the run whose claim of the dashboard ends with a refused key */
export function recordDelivery(
  from: Revision<Ledger>,
  batch: string,
  sent: Sent,
  now: number,
  { rules, runName }: Pick<LedgerAddress, "rules" | "runName">,
): Revision<Ledger> {
  const recorded = recordSent(revisionOf(from.ledger, now, rules), batch, sent);
  if (sent.type !== "key refused") return onTop(from, recorded);
  // No dashboard is opened for a key or a project that may be wrong.
  return onTop(from, recordOpened(recorded, runName, { type: "withdrawn" }));
}

export function expireBatches(
  from: Revision<Ledger>,
  isDead: (writtenAt: string) => boolean,
  rules: BatchRules,
): Revision<Ledger> {
  return onTop(from, expireIntents(revisionOf(from.ledger, 0, rules), isDead));
}

export function isIntended(
  batches: readonly Pick<Draft, "id" | "state">[],
  { id }: ActKey,
): boolean {
  return batches.some((batch) => batch.id === id && batch.state === "intended");
}

/** What the ledger records of a delivery whose refusal gives the changes back. */
export function sentOf(delivery: Delivery | BasicResult): Sent {
  if (delivery.type === "accepted") {
    return { type: "accepted", jobId: delivery.job.id, isFollowUp: delivery.isFollowUp };
  }
  if (delivery.type === "refused" && delivery.by === "key") return { type: "key refused" };
  if (delivery.type !== "uncertain") return { type: "withdrawn" };
  return { type: "uncertain", reason: delivery.reason };
}

function pausedText({ closedBy, closedAt }: Issue): string {
  const by = closedBy === null ? "" : ` by ${inlineCode(closedBy, 60)}`;
  const on = closedAt === null ? "" : ` on ${closedAt}`;
  return `The dashboard was closed${by}${on}, so nothing is handed over. Reopen it to continue.`;
}
