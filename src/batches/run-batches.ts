/** One run of an action with batches, from its ledger to its dashboard. */

import type { Delivery } from "../job/send.ts";
import { Engine, Recorder } from "../ledger/engine.ts";
import { type BasicResult, type Done, type EngineResult, WITHDRAWN } from "../ledger/program.ts";
import { unrecordedText } from "../ledger/record-saved.ts";
import type { Head } from "../ledger/store.ts";
import { ALL_RECORDED, errorAfter, Unavailable } from "../ledger/unavailable.ts";
import type { ActionError } from "../runtime/errors.ts";
import type { EndedJob } from "../service/agent.ts";
import {
  type BatchAction,
  BatchProgram,
  type BatchTerms,
  type HandOver,
  type Reason,
} from "./batch-program.ts";
import { type BatchRun, polledOf } from "./batch-run.ts";
import { ClosingProgram, type ClosingTerms } from "./closing-program.ts";
import { type DashboardFacts, numberOf, type Opened } from "./dashboard-issue.ts";
import { type Polled, takePoll } from "./model/batches.ts";
import type { CommentResult } from "./model/comments.ts";
import type { Decision } from "./model/decisions.ts";
import type { Halt, HistoryLine, Ledger, PendingComment, Reviewed } from "./model/ledger.ts";
import { type BatchRevision, revisionOf } from "./model/revision.ts";
import { saveBatches, startedText } from "./post-step.ts";

/** What was handed over, with the result. In a dry run, what would be. */
export interface Handed {
  act: HandOver;
  result: Delivery | BasicResult;
}

/** What a run did. */
export type BatchResult<N> = Ended<N> & {
  /** Number of the dashboard's issue; null for none. */
  dashboard: number | null;
  warnings: readonly string[];
};

/** How a run ended. `decided`: what it decided; null if it ended before. */
type Ended<N> =
  | { type: "stopped"; stop: Stop; decided: null }
  /** Others wrote first, each time. */
  | { type: "busy"; decided: Decided<N> | null }
  | { type: "decided"; decided: Decided<N> };

/** Why a run ended before it decided. `type`: the output `result`. */
export type Stop =
  | { type: "idle" }
  /** `reason`: a sentence. */
  | { type: "paused"; reason: string };

/** What came of waiting for a job. */
export interface WaitedJob {
  /** At its end; null if it has not ended. */
  job: EndedJob | null;
  /** Why the step fails; null if it does not. */
  error: ActionError | null;
}

/** What a run decided, and what came of it. */
export interface Decided<N> {
  /** Why it handed over no more. */
  reason: Reason;
  /** What the action has to say. */
  notes: N;
  /** The ledger at the end of the run. */
  revision: BatchRevision;
  handed: readonly Handed[];
  /** Null if the run did not wait. */
  waited: WaitedJob | null;
  /** The results of polls, by batch. */
  polls: ReadonlyMap<string, Polled>;
  /** Batches whose end this run found. */
  finished: readonly HistoryLine[];
  /** Docs pull requests whose end it found. */
  reviewed: readonly Reviewed[];
  /** Why nothing more is handed over until a person goes on; null if nothing holds it back. */
  halted: { halt: Halt; isNew: boolean } | null;
}

/** An action's part after it has handed over. */
export interface BatchClosing {
  /** Waits for the end of the job that accepted a batch. Null if the workflow does not want that. */
  wait?(accepted: Extract<Delivery, { type: "accepted" }>): Promise<WaitedJob | null>;
  /** Comments on a merged pull request. */
  comment?(pendingComment: PendingComment): Promise<CommentResult>;
  /** The dashboard's body, without its mark. */
  render(revision: BatchRevision, ticked: readonly Decision[]): string;
}

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
  if (settings.edit.type === "ignored") {
    return {
      type: "stopped",
      stop: { type: "idle" },
      decided: null,
      dashboard: null,
      warnings: [],
    };
  }
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
    throw errorAfter(stop, error, ALL_RECORDED);
  });
  return await new Closing(run, action).resultOf(outcome);
}

/** `finished`: batches whose end the run found by waiting. */
interface Waited {
  waited: WaitedJob | null;
  finished: readonly HistoryLine[];
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
      comment: async (pendingComment) =>
        (await action.comment?.(pendingComment)) ?? { type: "settled" },
      openDashboard: (head) => run.dashboard.open(this.#body(head, "")),
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
    const { warnings } = outcome;
    if (outcome.type === "stopped") {
      const { stop } = outcome;
      return { type: "stopped", stop, decided: null, ...shownBy(stop.dashboard, outcome) };
    }
    const { plan } = outcome;
    if (plan === null) return { type: "busy", decided: null, dashboard: null, warnings };
    const { own: notes, before, reason, polls, dashboard, wasHalted } = plan.notes;
    const found = shownBy(dashboard, outcome);
    const planned: Decided<N> = {
      reason,
      notes,
      revision: this.#revision(before),
      handed: [],
      waited: null,
      polls,
      finished: [],
      reviewed: [],
      halted: null,
    };
    if (outcome.type === "busy") return { type: "busy", decided: planned, ...found };
    if (outcome.type === "planned") {
      const handed = plan.acts.map((act) => ({ act, result: WITHDRAWN }));
      const halted = haltedIn(before, wasHalted);
      return { type: "decided", decided: { ...planned, handed, halted }, ...found };
    }
    const ending = await this.#end(outcome.done, dashboard, outcome.unrecorded);
    const { ledger } = this.#run.store.head;
    const lines = [...plan.notes.finished, ...ending.finished];
    const decided: Decided<N> = {
      ...planned,
      revision: this.#revision(ledger),
      handed: outcome.done,
      waited: ending.waited,
      finished: lines.filter(({ state }) => state === "done" || state === "failed"),
      reviewed: plan.notes.reviewed,
      halted: haltedIn(ledger, wasHalted),
    };
    return {
      type: "decided",
      decided,
      dashboard: ending.dashboard,
      warnings: [...found.warnings, ...ending.warnings],
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
    let waited: Waited = { waited: null, finished: [] };
    if (unrecorded === null) {
      waited = await this.#wait(done);
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
    return { ...waited, dashboard: number, warnings };
  }

  /** Updates the dashboard, if there is one. @returns why it could not be written; null for no problem */
  async #update(number: number | null, before: string | null, opened: Opened | null) {
    const { dashboard, store } = this.#run;
    if (number === null) return opened !== null && "reason" in opened ? opened.reason : null;
    const { head } = store;
    return await dashboard.update(number, before, (body) => this.#body(head, body));
  }

  /** Waits for the job that accepted a batch, if the workflow wants that. */
  async #wait(done: readonly Done<BatchTerms<F, N>>[]): Promise<Waited> {
    for (const { act, result } of done) {
      if (result.type !== "accepted") continue;
      const waited = (await this.#action.wait?.(result)) ?? null;
      const job = waited?.job ?? null;
      return { waited, finished: job === null ? [] : await this.#take(act.id, polledOf(job)) };
    }
    return { waited: null, finished: [] };
  }

  /** Records the end of a batch's job. @returns what ended, unless another run has recorded it, which reports it */
  async #take(batch: string, polled: Polled): Promise<readonly HistoryLine[]> {
    const ended = takePoll(this.#revision(this.#run.store.head.ledger), batch, polled);
    const waited = {
      act: { type: "wait", id: batch },
      result: { type: "polled", polled } as const,
    };
    const recorded = await this.#recorder.record([waited]).catch(unlessLater);
    return recorded === null ? [] : ended.history;
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

  /** The dashboard's body for a ledger. @param before the body that it replaces */
  #body(head: Head<Ledger>, before: string): string {
    const revision = this.#revision(head.ledger);
    return this.#run.dashboard.body(head, before, (ticked) =>
      this.#action.render(revision, ticked),
    );
  }

  #revision(ledger: BatchRevision["ledger"]): BatchRevision {
    return revisionOf(ledger, this.#run.store.now, this.#action.rules);
  }
}

/** The dashboard's number, and warnings, of a run that does not update it. */
function shownBy(
  { issue, warning }: DashboardFacts,
  { head, warnings }: Pick<EngineResult<BatchTerms<unknown, unknown>>, "head" | "warnings">,
) {
  return {
    dashboard: issue?.number ?? numberOf(head.ledger.dashboard),
    warnings: warning === null ? warnings : [...warnings, warning],
  };
}

function haltedIn({ failures: { halt } }: Ledger, wasHalted: boolean): Decided<never>["halted"] {
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
