/** One run of an action with batches, from its ledger to its dashboard. */

import type { Delivery } from "../../job/send.ts";
import { cancelledRun } from "../../runtime/errors.ts";
import { Engine, Recorder } from "../engine.ts";
import { type Polled, takePoll } from "../model/batches.ts";
import type { CommentResult } from "../model/comments.ts";
import type { Decision } from "../model/decisions.ts";
import type { Halt, HistoryLine, Ledger, PendingComment, Reviewed } from "../model/ledger.ts";
import { type BatchRevision, revisionOf } from "../model/revision.ts";
import type { BasicResult, Done, EngineResult } from "../program.ts";
import { unrecordedText } from "../record-saved.ts";
import { ALL_RECORDED, Unavailable } from "../unavailable.ts";
import { type BatchAction, BatchProgram, type BatchTerms, type HandOver } from "./batch-program.ts";
import type { BatchRun } from "./batch-run.ts";
import { ClosingProgram, type ClosingTerms } from "./closing-program.ts";
import { type DashboardFacts, numberOf, type Opened } from "./dashboard-issue.ts";
import { saveBatches, startedText } from "./post-step.ts";

/** What was handed over, with the result. In a dry run, what would be. */
export interface Handed {
  act: HandOver;
  result: Delivery | BasicResult;
}

/** Why a run handed nothing over, whatever its action chose. `type`: the output `result`. */
export type Stopped =
  | { type: "idle" | "busy" }
  /** `reason`: a sentence. */
  | { type: "paused"; reason: string };

/** What a run did. */
export interface BatchResult<N> {
  /** Null if the choice of its action counts. */
  stopped: Stopped | null;
  /** Why it handed over no more, in the action's words; null if it did not choose. */
  reason: string | null;
  /** What the action has to say; null if it did not choose. */
  notes: N | null;
  /** The ledger at the end of the run; null if the run ended before it decided. */
  revision: BatchRevision | null;
  /** Number of the dashboard's issue; null for none. */
  dashboard: number | null;
  handed: readonly Handed[];
  /** The results of polls, by batch. */
  polls: ReadonlyMap<string, Polled>;
  /** Batches whose end this run found. */
  finished: readonly HistoryLine[];
  /** Docs pull requests whose end it found. */
  reviewed: readonly Reviewed[];
  /** Why nothing more is handed over until a person goes on; null if nothing holds it back. */
  halted: { halt: Halt; isNew: boolean } | null;
  warnings: readonly string[];
}

/** An action's part after it has handed over. */
export interface BatchClosing {
  /** Waits for the end of the job that accepted a batch, if the workflow wants that. Null if it has not ended. */
  wait?(accepted: Extract<Delivery, { type: "accepted" }>): Promise<Polled | null>;
  /** Comments on a merged pull request. */
  comment?(untold: PendingComment): Promise<CommentResult>;
  /** The dashboard's body, without its mark. */
  render(revision: BatchRevision, ticked: readonly Decision[]): string;
}

const NOTHING = {
  stopped: null,
  reason: null,
  notes: null,
  revision: null,
  dashboard: null,
  handed: [],
  polls: new Map(),
  finished: [],
  reviewed: [],
  halted: null,
  warnings: [],
} as const;

/** Others wrote first, each time. */
const BUSY: Stopped = { type: "busy" };

/**
 * One run: records what has ended, applies people's decisions, hands over what the action chooses, and updates the
 * dashboard.
 *
 * @throws ActionError: nothing was sent
 */
export async function runBatches<F, N>(
  run: BatchRun,
  action: BatchAction<F, N> & BatchClosing,
): Promise<BatchResult<N>> {
  const { settings, store, dependencies } = run;
  if (settings.edit.type === "ignored") return { ...NOTHING, stopped: { type: "idle" } };
  const { stop } = dependencies.cancellation;
  const engine = new Engine<BatchTerms<F, N>>({
    program: new BatchProgram(run, action),
    store,
    clock: dependencies.clock,
    stop,
    save: (saved) =>
      saveBatches(run, saved, (result) => ({ type: "hand over", sent: action.sent(result) })),
  });
  const outcome = await engine.run({ isDryRun: settings.isDryRun }).catch((error) => {
    // Requests that a signal interrupted say nothing about GitHub.
    throw stop.aborted && error instanceof Unavailable ? cancelledRun(ALL_RECORDED) : error;
  });
  return await new Closing(run, action).resultOf(outcome);
}

/** What follows what was handed over. */
class Closing<F, N> {
  readonly #run: BatchRun;
  readonly #action: BatchAction<F, N> & BatchClosing;
  readonly #recorder: Recorder<ClosingTerms>;
  readonly #closing: Engine<ClosingTerms>;

  constructor(run: BatchRun, action: BatchAction<F, N> & BatchClosing) {
    const { store, dependencies } = run;
    this.#run = run;
    this.#action = action;
    const program = new ClosingProgram({
      rules: action.rules,
      runName: store.options.runName,
      comment: async (untold) => (await action.comment?.(untold)) ?? { type: "settled" },
      openDashboard: (head) =>
        run.dashboard.open(run.dashboard.body(head, "", (ticked) => this.#render(ticked))),
    });
    this.#recorder = new Recorder<ClosingTerms>(program, store);
    this.#closing = new Engine<ClosingTerms>({
      program,
      store,
      clock: dependencies.clock,
      stop: dependencies.cancellation.stop,
      save: (saved) => saveBatches(run, saved, (result) => ({ type: "closing", result })),
    });
  }

  async resultOf(outcome: EngineResult<BatchTerms<F, N>>): Promise<BatchResult<N>> {
    const { head } = outcome;
    if (outcome.type === "stopped") {
      const { stop } = outcome;
      const { issue, warning } = stop.dashboard;
      return {
        ...NOTHING,
        stopped: stop,
        dashboard: issue?.number ?? numberOf(head.ledger.dashboard),
        warnings: [...outcome.warnings, ...(warning === null ? [] : [warning])],
      };
    }
    const { plan } = outcome;
    if (plan === null) return { ...NOTHING, stopped: BUSY, warnings: outcome.warnings };
    const { own: notes, before, reason, polls, finished, reviewed, dashboard } = plan.notes;
    const { issue, warning } = dashboard;
    const warnings = [...outcome.warnings, ...(warning === null ? [] : [warning])];
    const number = issue?.number ?? numberOf(head.ledger.dashboard);
    const planned = { ...NOTHING, reason, notes, polls, warnings, dashboard: number };
    if (outcome.type !== "done") {
      const handed = plan.acts.map((act) => ({ act, result: { type: "withdrawn" as const } }));
      const revision = this.#revision(before);
      if (outcome.type === "busy") return { ...planned, revision, stopped: BUSY };
      return { ...planned, revision, handed, halted: haltedIn(before, plan.notes.wasHalted) };
    }
    const ending = await this.#end(outcome.done, dashboard, outcome.unrecorded);
    const lines = [...finished, ...ending.finished];
    return {
      ...planned,
      revision: this.#revision(this.#run.store.head.ledger),
      handed: outcome.done,
      finished: lines.filter(({ state }) => state === "done" || state === "failed"),
      reviewed,
      halted: haltedIn(this.#run.store.head.ledger, plan.notes.wasHalted),
      dashboard: ending.dashboard,
      warnings: [...warnings, ...ending.warnings],
    };
  }

  /** Waits, comments, and updates the dashboard, or opens it. @param unrecorded why results could not be recorded */
  async #end(
    done: readonly Done<BatchTerms<F, N>>[],
    { issue }: DashboardFacts,
    unrecorded: string | null,
  ) {
    const warnings: string[] = [];
    let opened: Opened | null = null;
    let finished: readonly HistoryLine[] = [];
    if (unrecorded === null) {
      finished = await this.#wait(done);
      opened = await this.#close();
    } else {
      warnings.push(
        unrecordedText(unrecorded, startedText(done.map(({ result }) => jobIdIn(result)))),
      );
    }
    const number = issue?.number ?? (opened?.type === "opened" ? opened.number : null);
    const problem = await this.#update(number, issue?.body ?? null, opened);
    if (problem !== null) {
      warnings.push(`The dashboard could not be written: ${problem}. The ledger is not affected.`);
    }
    return { finished, dashboard: number, warnings };
  }

  /** Updates the dashboard, if there is one. @returns why it could not be written; null for no problem */
  async #update(number: number | null, before: string | null, opened: Opened | null) {
    const { dashboard, store } = this.#run;
    if (number === null) return opened !== null && "reason" in opened ? opened.reason : null;
    return await dashboard.update(number, before, (body) =>
      dashboard.body(store.head, body, (ticked) => this.#render(ticked)),
    );
  }

  /** Waits for the job that accepted a batch, if the workflow wants that. @returns what ended */
  async #wait(done: readonly Done<BatchTerms<F, N>>[]): Promise<readonly HistoryLine[]> {
    for (const { act, result } of done) {
      if (result.type !== "accepted") continue;
      const polled = (await this.#action.wait?.(result)) ?? null;
      if (polled === null) return [];
      const ended = takePoll(this.#revision(this.#run.store.head.ledger), act.id, polled);
      const waited = {
        act: { type: "wait", id: act.id },
        result: { type: "polled", polled } as const,
      };
      const recorded = await this.#recorder.record([waited]).catch(unlessLater);
      // If another run has recorded it, that one reports it.
      return recorded === null ? [] : ended.history;
    }
    return [];
  }

  /** Comments, and opens the dashboard. @returns the result of opening; null if it was not tried */
  async #close(): Promise<Opened | null> {
    const outcome = await this.#closing.run({ isRead: true }).catch(unlessLater);
    if (outcome?.type !== "done") return null;
    if (outcome.unrecorded !== null) return null;
    const opening = outcome.done.find(({ act }) => act.type === "open dashboard")?.result;
    const isOpened = opening?.type === "opened" || opening?.type === "denied";
    return isOpened || opening?.type === "uncertain" ? opening : null;
  }

  #render(ticked: readonly Decision[]): string {
    return this.#action.render(this.#revision(this.#run.store.head.ledger), ticked);
  }

  #revision(ledger: BatchRevision["ledger"]): BatchRevision {
    return revisionOf(ledger, this.#run.store.now, this.#action.rules);
  }
}

function haltedIn(
  { failures: { halt } }: Ledger,
  wasHalted: boolean,
): BatchResult<never>["halted"] {
  return halt === null ? null : { halt, isNew: !wasHalted };
}

function jobIdIn(result: Delivery | BasicResult): string | null {
  return result.type === "accepted" ? result.job.id : null;
}

/** A later run finds again what could not be recorded. */
function unlessLater(error: unknown): null {
  if (error instanceof Unavailable) return null;
  throw error;
}
