/**
 * The engine of every run that acts exactly once: plan, write down what is about to be done, confirm it, do it, and
 * write down what came of it. What is planned, confirmed, done and recorded is the program's; docs/ledger.md explains
 * the protocol. Read this file first, then recorder.ts, which moves the ref.
 *
 *     ledger at a commit ── plan ──▶ plan ── swap ──▶ confirm, perform ── record ──▶ ledger
 *                            ▲ reads what it asks for   │
 *                            └── another run was first: plan again
 */

import type { DryRun } from "../inputs/ledger.ts";
import { type NotSent, notSent } from "../runtime/delivery.ts";
import { orThrow, valueOrError } from "../runtime/errors.ts";
import { isNews } from "./file.ts";
import {
  type Done,
  type EngineParts,
  type EngineResult,
  type LostRef,
  needsConfirmation,
  type Plan,
  type PlanFunction,
  type Planned,
  type Terms,
} from "./program.ts";
import { Recorder } from "./recorder.ts";
import { INTENT_LIFETIME, stopwatch } from "./store.ts";
import { Unavailable } from "./unavailable.ts";

/** Maximum number of times that a run plans if others write first. */
const TRIES = 3;
/** How long after it began to plan a run may begin an act, in milliseconds of its own clocks. */
const FRESH = INTENT_LIFETIME / 2;
/** After how many results they are recorded, without those of acts that were not sent. */
const RECORDED_TOGETHER = 5;

/** The run ended while the request was being sent. */
const INTERRUPTED = { type: "uncertain", reason: null, error: null } as const;

/** A plan, and how many milliseconds have passed since it was begun: since the time of its intents. */
export interface TimedPlan<T extends Terms, N> {
  readonly plan: Plan<T, N>;
  readonly elapsed: () => number;
}

/** Runs the plans of a program on its ledger. Each step is a method, so that a test can leave it out. */
export class Engine<T extends Terms> {
  protected readonly parts: EngineParts<T>;
  protected readonly recorder: Recorder<T>;
  readonly #reads: T["reads"];
  /** How many decisions were begun. */
  #decisions = 0;
  /** Results that are not recorded yet. The next write records them, too. */
  #pending: readonly Done<T>[] = [];

  constructor(parts: EngineParts<T>) {
    this.parts = parts;
    this.#reads = parts.program.reads();
    const { record } = parts.program;
    this.recorder = new Recorder<T>(record.bind(parts.program), parts.store);
  }

  /**
   * @param dryRun `new`: a dry run, as long as there is no ledger
   * @param isRead whether the store has the ledger already, so that the first plan needs no read
   * @param leavesResults whether the last results are left to the write of the next plan, or to {@link recordLeft}
   * @throws ActionError nothing was done
   */
  async run<N>(
    planFunction: PlanFunction<T, N>,
    {
      dryRun = false,
      isRead = false,
      leavesResults = false,
    }: { dryRun?: DryRun; isRead?: boolean; leavesResults?: boolean } = {},
  ): Promise<EngineResult<T, N>> {
    const { store, clock } = this.parts;
    const warnings: string[] = [];
    const plans: TimedPlan<T, N>[] = [];
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      if (!isRead || attempt > 1) await store.read();
      const isDryRun = dryRun === "new" ? store.head.sha === null : dryRun;
      // If the ledger holds the intents of a plan, its write seemed to be lost and has succeeded.
      let timed = plans.find(({ plan }) => this.isWritten(plan));
      if (timed === undefined) {
        const elapsed = stopwatch(clock);
        const planned = await this.#plan(planFunction, isDryRun, warnings);
        if (planned === null) continue;
        if (planned.type === "stopped") return { ...planned, head: store.head, warnings };
        const { plan } = planned;
        if (isDryRun) return { type: "planned", plan, head: store.head, warnings };
        // Planning again takes no time, because nothing is asked again.
        if (attempt < TRIES && !this.isFresh(elapsed())) continue;
        timed = { plan, elapsed };
        plans.push(timed);
        if (plan.acts.length > 0) this.savePlans(plans);
        const writing = this.write(plan);
        if (!(await orThrow(writing, (error) => this.#withdrawing(plans, error)))) continue;
      }
      this.#pending = [];
      const performed = await this.perform(timed, leavesResults);
      return { type: "done", plan: timed.plan, ...performed, head: store.head, warnings };
    }
    return { type: "busy", plan: plans.at(-1)?.plan ?? null, head: store.head, warnings };
  }

  /** Records the results that a run has left. @returns why they could not be recorded; null if they are */
  async recordLeft(): Promise<string | null> {
    if (this.#pending.length === 0) return null;
    const unrecorded = await this.#record();
    // What was saved stays, and the post step tries again.
    if (unrecorded === null) this.parts.save(null);
    return unrecorded;
  }

  protected isWritten({ acts }: Plan<T, unknown>): boolean {
    const { program, store } = this.parts;
    return acts.some((act) => program.hasIntent(store.head.ledger, act));
  }

  /**
   * A write that failed may have succeeded unnoticed. The write of what is left ends its intents, too; without any, the
   * post step does.
   */
  #withdrawing<E>(plans: readonly TimedPlan<T, unknown>[], error: E): E {
    if (this.#pending.length === 0) return error;
    const acts = plans.flatMap(({ plan }) => plan.acts);
    const ends = acts.map((act) => ({ act, delivery: notSent("cancelled") }));
    this.#pending = [...this.#pending, ...ends];
    return error;
  }

  /** @param warnings gets one if the ref was missing @returns null if the ledger is to be read again */
  async #plan<N>(plan: PlanFunction<T, N>, isDryRun: boolean, warnings: string[]) {
    const { store } = this.parts;
    let planned = await this.#planOnce(plan);
    if (planned.type === "lost") {
      const warning = await this.#restore(planned, isDryRun);
      if (warning !== null) warnings.push(warning);
      planned = await this.#planOnce(plan);
    } else if (planned.type === "set-back") {
      await store.readAgain();
      planned = await this.#planOnce(plan);
      if (planned.type === "set-back") throw planned.error;
    }
    return planned.type === "plan" || planned.type === "stopped" ? planned : null;
  }

  /** Plans on the living ledger, in which the acts of dead runs are uncertain. */
  async #planOnce<N>(plan: PlanFunction<T, N>): Promise<Planned<T, N>> {
    const { program, store } = this.parts;
    const living = program.expire(this.recorder.revisionWith(this.#pending), store.isDead);
    this.#decisions += 1;
    const name = `${store.options.runName}.${this.#decisions}`;
    return await plan(living, this.#reads, { now: store.now, name });
  }

  /**
   * Creates a ref that is missing, or begins anew if GitHub no longer has its commit.
   *
   * @returns a sentence about it; null if another run was first
   */
  async #restore({ sha, writes }: LostRef, isDryRun: boolean): Promise<string | null> {
    const { store } = this.parts;
    const { ref } = store.options;
    if ((await store.git.readFile(sha, "ledger.json")) === null) {
      // The count goes on, so that the new ledger does not look set back before the dashboard shows it.
      store.head = { sha: null, ledger: { ...store.head.ledger, writes } };
      return `The ref ${ref} is missing, and GitHub no longer has its last commit ${sha}. The ledger begins anew.`;
    }
    if (isDryRun) {
      await store.readAt(sha);
      return `The ref ${ref} is missing. A run without \`dry-run\` restores it at commit ${sha}.`;
    }
    const isRestored = await this.recorder.move(null, sha);
    await store.readAgain();
    return isRestored ? `The ref ${ref} was missing. It was restored at commit ${sha}.` : null;
  }

  /** Writes the ledger with the intents. @returns false if another run was first */
  protected async write(plan: Plan<T, unknown>): Promise<boolean> {
    return !isNews(plan, this.parts.store.head.ledger) || (await this.recorder.swap(plan));
  }

  /** Performs one act after the other, and records the results. */
  protected async perform({ plan: { acts }, elapsed }: TimedPlan<T, unknown>, leavesLast = false) {
    const { program, store } = this.parts;
    const done: Done<T>[] = [];
    for (const [nth, act] of acts.entries()) {
      const rest = acts.slice(nth + 1);
      let delivery: Done<T>["delivery"] | null = await this.#notBegun(act, done, elapsed);
      if (delivery === null) {
        this.saveSending(act, rest);
        delivery = await program.perform(act, { head: store.head, done });
      }
      done.push({ act, delivery });
      this.#pending = [...this.#pending, { act, delivery }];
      this.saveResults(this.#pending, rest);
      const isLeft = rest.length > 0 ? !this.isTimeToRecord(this.#pending) : leavesLast;
      if (isLeft) continue;
      const unrecorded = rest.length > 0 ? await this.#record() : await this.recordLeft();
      if (unrecorded !== null) return { done, unrecorded };
    }
    return { done, unrecorded: null };
  }

  /** @returns why the results could not be recorded; null if they are */
  async #record(): Promise<string | null> {
    const recorded = await valueOrError(this.recorder.record(this.#pending), Unavailable);
    if (recorded instanceof Unavailable) return recorded.reason;
    this.#pending = [];
    return null;
  }

  /** Why an act is not begun; null if it is. */
  async #notBegun(
    act: T["act"],
    done: readonly Done<T>[],
    elapsed: () => number,
  ): Promise<NotSent | null> {
    const { program, stop } = this.parts;
    if (stop.aborted) return notSent("cancelled");
    if (!program.shouldRun(act, done)) return notSent("held-back");
    const changed = await this.confirm(act);
    // What a signal interrupted says nothing about GitHub.
    if (stop.aborted) return notSent("cancelled");
    if (changed !== null) return changed;
    return this.isFresh(elapsed()) ? null : notSent("outdated");
  }

  protected async confirm(act: T["act"]): Promise<NotSent | null> {
    const { program, store } = this.parts;
    if (!needsConfirmation(act)) return null;
    return await program.confirm(act, store.head, program.reads());
  }

  protected isFresh(elapsed: number): boolean {
    return elapsed < FRESH;
  }

  protected isTimeToRecord(pending: readonly Done<T>[]): boolean {
    return pending.filter(isBegun).length >= RECORDED_TOGETHER;
  }

  /** Saves the acts of all plans: the write of an earlier one may have succeeded unnoticed. */
  protected savePlans(plans: readonly TimedPlan<T, unknown>[]): void {
    const acts = plans.flatMap(({ plan }) => plan.acts);
    this.#save(this.#pending, acts);
  }

  protected saveSending(act: T["act"], rest: readonly T["act"][]): void {
    this.#save([...this.#pending, { act, delivery: INTERRUPTED }], rest);
  }

  protected saveResults(pending: readonly Done<T>[], rest: readonly T["act"][]): void {
    this.#save(pending, rest);
  }

  /** @param rest acts that were not started: only the end of their intents is saved */
  #save(done: readonly Done<T>[], rest: readonly T["act"][]): void {
    const { store, save } = this.parts;
    const last = new Map(rest.map((act) => [act.id, { act, delivery: notSent("cancelled") }]));
    const acts = [...done, ...last.values()].map(({ act: { type, id }, delivery }) => {
      return { act: { type, id }, delivery };
    });
    save({ acts, writes: store.head.ledger.writes });
  }
}

function isBegun<T extends Terms>({ delivery }: Done<T>): boolean {
  return delivery.type !== "not-sent";
}
