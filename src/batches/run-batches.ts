/** One run of an action with batches, from its ledger to its dashboard. */

import { Engine } from "../ledger/engine.ts";
import type { EngineResult, PlanFunction } from "../ledger/program.ts";
import { unrecordedText } from "../ledger/record-saved.ts";
import type { Head } from "../ledger/store.ts";
import { ALL_RECORDED, errorAfter, Unavailable } from "../ledger/unavailable.ts";
import type { Delivery } from "../runtime/delivery.ts";
import { orThrow, valueOrError } from "../runtime/errors.ts";
import { textOfReason } from "../runtime/reason.ts";
import type { EndedJob } from "../service/agent.ts";
import { type BatchNotes, type DecidedNotes, type OwnNotes, planClosing } from "./batch-plan.ts";
import {
  type BatchPerformer,
  BatchProgram,
  type BatchTerms,
  type BatchValue,
} from "./batch-program.ts";
import type { BatchReads } from "./batch-reads.ts";
import { type BatchRun, polledOf } from "./batch-run.ts";
import { dashboardNumber } from "./dashboard-issue.ts";
import { handOverMore, type MoreHandOvers } from "./hand-over-more.ts";
import type { StartedJob } from "./model/batches.ts";
import type { Tick } from "./model/decisions.ts";
import { isHalted } from "./model/failures.ts";
import type { Ledger } from "./model/ledger.ts";
import { type BatchRevision, revisionOf } from "./model/revision.ts";
import {
  acceptedIn,
  type BatchOutcome,
  type DecidedRun,
  type Handed,
  haltedIn,
  handedIn,
  isEnd,
  isHandOver,
} from "./outcome.ts";
import { saveBatches, startedText } from "./post-step.ts";
import { type SharedWarning, WARNINGS } from "./reasons.ts";

/** An action's part in a run of its ledger. */
export interface BatchAction<R, N extends OwnNotes>
  extends Omit<BatchPerformer<R>, "openDashboard">,
    MoreHandOvers<R, N> {
  /** What a run does if there is no ledger: the end of a sentence. */
  readonly beginning: string;
  plan: PlanFunction<BatchTerms<R>, BatchNotes<N>>;
  /** Waits for the end of the job that accepted a batch; null if the workflow does not want that. */
  wait(started: StartedJob): Promise<DecidedRun["waited"]>;
  /** The dashboard's body, without its mark. */
  render(revision: BatchRevision, ticked: readonly Tick[]): string;
}

/**
 * One run: records what has ended, applies people's decisions, hands over what the action chooses, and updates the
 * dashboard.
 *
 * @throws ActionError: nothing was sent
 */
export async function runBatches<R extends BatchReads, N extends OwnNotes>(
  run: BatchRun,
  action: BatchAction<R, N>,
): Promise<BatchOutcome<N>> {
  const { settings, store, dependencies } = run;
  if (settings.edit.type === "ignored") {
    return { type: "ended", reason: { code: "other-issue" }, dashboard: null, warnings: [] };
  }
  const { stop } = dependencies.cancellation;
  const end = new RunEnd(run, action);
  const program = new BatchProgram<R>(run.address, {
    reads: () => action.reads(),
    confirm: (act, head, reads) => action.confirm(act, head, reads),
    deliver: (act) => action.deliver(act),
    shouldHandOver: (act, deliveries) => action.shouldHandOver(act, deliveries),
    comment: (pending) => action.comment(pending),
    openDashboard: (head) => run.dashboard.open(end.bodyOf(head, "")),
  });
  const engine = new Engine<BatchTerms<R>>({
    program,
    store,
    clock: dependencies.clock,
    stop,
    save: (saved) => saveBatches(run, saved),
  });
  let wasHalted = false;
  const plan: BatchAction<R, N>["plan"] = async (...parts) => {
    wasHalted = isHalted(store.head.ledger);
    const planned = await action.plan(...parts);
    if (planned.type === "plan") run.logFirst(action.beginning);
    return planned;
  };
  const running = engine.run(plan, { dryRun: settings.dryRun, leavesResults: true });
  const first = await orThrow(running, (error) => errorAfter(stop, error, ALL_RECORDED));
  const result = await handOverMore(first, action, engine, stop);
  return await end.outcomeOf(result, engine, wasHalted);
}

/** What follows the first plan of a run. */
class RunEnd<R extends BatchReads, N extends OwnNotes> {
  readonly #run: BatchRun;
  readonly #action: BatchAction<R, N>;

  constructor(run: BatchRun, action: BatchAction<R, N>) {
    this.#run = run;
    this.#action = action;
  }

  async outcomeOf(
    result: EngineResult<BatchTerms<R>, BatchNotes<N>>,
    engine: Engine<BatchTerms<R>>,
    wasHalted: boolean,
  ): Promise<BatchOutcome<N>> {
    const notes = result.type === "stopped" ? result.notes : (result.plan?.notes ?? null);
    const { warnings } = result;
    if (notes === null) {
      return { type: "ended", reason: { code: "other-run" }, dashboard: null, warnings };
    }
    const { issue } = notes.dashboard;
    const isUnanswered = this.#isUnanswered(result);
    const found = {
      dashboard: issue?.number ?? dashboardNumber(result.head.ledger.dashboard),
      warnings: [...warnings, ...warningsOf(notes, isUnanswered)],
    };
    if (notes.type === "stopped") return { type: "ended", reason: notes.reason, ...found };
    const planned = this.#planned(notes, wasHalted);
    switch (result.type) {
      case "stopped":
        return { ...planned, ...found };
      case "busy":
        return { ...planned, reason: { code: "other-run" }, halted: null, ...found };
      case "planned": {
        const handed = result.plan.acts.filter(isHandOver).map((act) => ({ act, delivery: null }));
        return { ...planned, isDryRun: true, handed, ...found };
      }
      case "done": {
        const handed = handedIn(result.done);
        const end = await this.#end(handed, notes, result.unrecorded, engine);
        return {
          ...planned,
          revision: this.#revision(this.#run.store.head.ledger),
          handed,
          waited: end.waited,
          finished: [...notes.finished, ...end.finished].filter(isEnd),
          reviewed: notes.reviewed,
          halted: haltedIn(this.#run.store.head.ledger, wasHalted),
          dashboard: end.dashboard,
          warnings: [...found.warnings, ...end.warnings],
        };
      }
    }
  }

  /** Whether a person answered in this run, and it did not come to that. */
  #isUnanswered({ type }: EngineResult<BatchTerms<R>, unknown>): boolean {
    const { answers } = this.#run.settings.answered;
    return answers.length > 0 && (type === "stopped" || type === "busy");
  }

  /** What a plan says, before anything was done. */
  #planned({ own, before, facts }: DecidedNotes<N>, wasHalted: boolean): DecidedRun<N> {
    return {
      type: "decided",
      isDryRun: false,
      reason: own.reason,
      own,
      revision: this.#revision(before),
      handed: [],
      waited: null,
      polls: facts.polls,
      finished: [],
      reviewed: [],
      halted: haltedIn(before, wasHalted),
    };
  }

  /** Waits, comments, and updates the dashboard, or opens it. @param unrecorded why results could not be recorded */
  async #end(
    handed: readonly Handed[],
    { dashboard: { issue } }: DecidedNotes<N>,
    unrecorded: string | null,
    engine: Engine<BatchTerms<R>>,
  ) {
    const warnings: string[] = [];
    const started = unrecorded === null ? acceptedIn(handed) : null;
    const waited = started && (await this.#action.wait(started.value));
    const job = waited?.job ?? null;
    const end = started && job && waitedEnd(started.batch, job);
    const closed =
      unrecorded === null ? await this.#close(engine, end) : { finished: [], opened: null };
    if (unrecorded !== null) {
      const deliveries = handed.flatMap(({ delivery }) => delivery ?? []);
      warnings.push(unrecordedText(unrecorded, startedText(deliveries)));
    }
    const number = issue?.number ?? openedNumber(closed.opened);
    const problem =
      number === null ? openingProblem(closed.opened) : await this.#update(number, issue?.body);
    if (problem !== null) {
      warnings.push(`The dashboard could not be written: ${problem}. The ledger is not affected.`);
    }
    return { waited, finished: closed.finished, dashboard: number, warnings };
  }

  /** @param before its body; undefined if this run opened it @returns why it could not be written; null if it is */
  async #update(number: number, before: string | undefined): Promise<string | null> {
    const { dashboard, store } = this.#run;
    const { head } = store;
    return await dashboard.update(number, before ?? null, (body) => this.bodyOf(head, body));
  }

  /** The dashboard's body for a ledger. @param before the body that it replaces */
  bodyOf(head: Head<Ledger>, before: string): string {
    const revision = this.#revision(head.ledger);
    return this.#run.dashboard.body(head, before, (ticked) =>
      this.#action.render(revision, ticked),
    );
  }

  /**
   * Runs the second plan. A later run finds again what could not be recorded.
   *
   * @returns `opened`: what became of opening the dashboard; null if it was not tried
   */
  async #close(engine: Engine<BatchTerms<R>>, waited: ReturnType<typeof waitedEnd>) {
    const { settings } = this.#run;
    // What was read before the job came to its end may be old.
    const reads = this.#action.reads();
    const closing = engine.run(
      (from, _, moment) => planClosing(from, waited, reads, moment, settings),
      { isRead: true },
    );
    const result = await valueOrError(closing, Unavailable);
    if (result instanceof Unavailable || result.type !== "done") {
      return { finished: [], opened: null };
    }
    const { finished } = result.plan.notes;
    const opening = result.done.find(({ act }) => act.type === "open-dashboard");
    const opened = result.unrecorded === null ? (opening?.delivery ?? null) : null;
    return { finished, opened };
  }

  #revision(ledger: Ledger): BatchRevision {
    return revisionOf(ledger, this.#run.store.now, this.#run.settings.rules);
  }
}

/** @param isUnanswered whether a person's answers were not applied */
function warningsOf<N extends OwnNotes>(notes: BatchNotes<N>, isUnanswered: boolean): string[] {
  const { unread } = notes.dashboard;
  const isNoneFound = notes.type === "decided" && notes.facts.isNoneFound;
  const all: SharedWarning[] = [
    ...(notes.type === "decided" ? notes.warnings : []),
    ...(isUnanswered ? [{ code: "not-answered" } as const] : []),
    ...(unread === null ? [] : [{ code: "dashboard-unread", reason: unread } as const]),
    ...(isNoneFound ? [{ code: "no-job-found" } as const] : []),
  ];
  return all.map((warning) => textOfReason(WARNINGS, warning));
}

function waitedEnd(batch: string, job: EndedJob): Parameters<typeof planClosing>[1] {
  return { batch, poll: { type: "known", value: polledOf(job) } };
}

/** The number of a dashboard that was opened; null for none. */
function openedNumber(opened: Delivery<BatchValue> | null): number | null {
  if (opened?.type !== "accepted" || opened.value === null) return null;
  return "number" in opened.value ? opened.value.number : null;
}

/** Why a dashboard was not opened; null for no problem. */
function openingProblem(opened: Delivery<BatchValue> | null): string | null {
  if (opened?.type === "refused") return opened.error.problem;
  return opened?.type === "uncertain" ? (opened.reason ?? "the run ended") : null;
}
