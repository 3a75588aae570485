/**
 * The engine of every run that acts exactly once: read, decide, write down what is about to be done, do it, and write
 * down what came of it. What is read, decided, done and recorded is the program's; docs/ledger.md explains the
 * protocol.
 *
 *     ledger at a commit ── read ──▶ facts ── decide ──▶ plan ── swap ──▶ perform ── record ──▶ ledger
 *                                              ▲                  │
 *                                              └── another run was first: read and decide again
 */

import { isNews, type Revision, unchanged } from "./file.ts";
import {
  type Done,
  type EngineParts,
  type EngineResult,
  INTERRUPTED,
  type LostRef,
  type Plan,
  type Program,
  type Reading,
  type SavedAct,
  savedActs,
  type Terms,
  type TimedPlan,
  WITHDRAWN,
} from "./program.ts";
import { INTENT_LIFETIME, type LedgerStore, stopwatch } from "./store.ts";
import { OTHERS_FIRST, passingFailure, Unavailable } from "./unavailable.ts";

/** Maximum number of times that a run decides if others write first. */
const TRIES = 3;
/** Maximum number of attempts to move the ref. Repeating one with the same commit is safe. */
const MOVES = 3;
/** How long after deciding a run may begin an act, in milliseconds of its own clocks. */
const FRESH = INTENT_LIFETIME / 2;
/** After how many results they are recorded, without those of acts that were withdrawn. */
const RECORDED_TOGETHER = 5;

/** Writes to a ledger: moves its ref, and records results. */
export class Recorder<T extends Terms> {
  readonly #program: Pick<Program<T>, "record">;
  readonly #store: LedgerStore<T["ledger"]>;

  constructor(program: Pick<Program<T>, "record">, store: LedgerStore<T["ledger"]>) {
    this.#program = program;
    this.#store = store;
  }

  /** Writes a revision of the head. @returns false if another run was first */
  async swap(revision: Revision<T["ledger"]>): Promise<boolean> {
    const store = this.#store;
    const next = await store.commit(revision);
    if (!(await this.move(store.head.sha, next.sha))) return false;
    store.head = next;
    return true;
  }

  /**
   * Moves the ref from the commit that was read. If GitHub does not confirm it, the run has won if its commit is the
   * ref's or one of its ancestors.
   *
   * @returns whether the run has won
   */
  async move(from: string | null, to: string): Promise<boolean> {
    const { git } = this.#store;
    for (let attempt = 1; ; attempt++) {
      const moved = await git.move(from, to);
      if (moved.type === "moved") return true;
      const { sha } = await git.readRef();
      if (sha === to) return true;
      if (sha !== from) return sha !== null && (await git.contains(sha, to));
      if (moved.type === "refused" && moved.isRace) return false;
      if (moved.type === "refused") throw new Unavailable(moved.reason, moved.kind);
      if (attempt === MOVES) throw new Unavailable(moved.reason);
    }
  }

  /**
   * Records results. They must not be lost: if another run was first, or no ledger was read, they are recorded on the
   * newest one, until the write succeeds or the run has to end.
   *
   * @param writes how often the ledger was written at least
   * @returns what was recorded; null if the ledger has it already
   */
  async record(acts: readonly SavedAct<T>[], writes = 0): Promise<Revision<T["ledger"]> | null> {
    const [program, store] = [this.#program, this.#store];
    for (let attempt = 1; ; attempt++) {
      let failure = new Unavailable(OTHERS_FIRST);
      try {
        if (attempt > 1 || store.head.sha === null) await this.#readNewest(writes);
        let revision = unchanged(store.head.ledger);
        for (const { act, result } of acts) {
          revision = program.record(revision, act, result, store.now);
        }
        if (!isNews(revision, store.head.ledger)) return null;
        if (await this.swap(revision)) return revision;
      } catch (error) {
        failure = passingFailure(error, store.head);
      }
      if (!(await store.git.pause(attempt))) throw failure;
    }
  }

  async #readNewest(writes: number): Promise<void> {
    const store = this.#store;
    const last = store.head;
    const { sha, ledger } = await store.read();
    const isNewest = ledger.writes >= Math.max(writes, last.ledger.writes);
    if (isNewest && (sha !== null || last.sha === null)) return;
    // The newest known ledger is the one that this run has read.
    store.head = last;
    // An old copy may lack the intents, and then looks as if their results were recorded.
    if (sha !== null || last.sha === null) throw new Unavailable("GitHub shows an old copy of it");
    // The ref was deleted meanwhile.
    if (!(await this.move(null, last.sha))) throw new Unavailable(OTHERS_FIRST);
  }
}

/** Runs a program on its ledger. */
export class Engine<T extends Terms> {
  readonly #parts: EngineParts<T>;
  readonly #recorder: Recorder<T>;

  constructor(parts: EngineParts<T>) {
    this.#parts = parts;
    this.#recorder = new Recorder(parts.program, parts.store);
  }

  /**
   * @param isRead whether the store has the ledger already, so that the first decision needs no read
   * @throws ActionError nothing was done
   */
  async run({ isDryRun = false, isRead = false } = {}): Promise<EngineResult<T>> {
    const { program, store, clock } = this.#parts;
    const warnings: string[] = [];
    const plans: TimedPlan<T>[] = [];
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      if (!isRead || attempt > 1) await store.read();
      // If the ledger holds the intents of a plan, its write seemed to be lost and has succeeded.
      let timed = plans.find(({ plan }) => this.#isHeld(plan));
      if (timed === undefined) {
        const { living, reading, warning } = await this.#read(isDryRun);
        if (warning !== null) warnings.push(warning);
        if (reading === null) continue;
        if (reading.type === "stopped") return { ...reading, head: store.head, warnings };
        const name = `${store.options.runName}.${attempt}`;
        const plan = program.decide(living, reading.facts, { now: store.now, name });
        if (isDryRun) return { type: "planned", plan, head: store.head, warnings };
        timed = { plan, elapsed: stopwatch(clock) };
        plans.push(timed);
        // The write of an earlier plan may have succeeded unnoticed.
        const intended = plans.flatMap((made) => made.plan.acts);
        if (plan.acts.length > 0) this.#save([], intended);
        if (isNews(plan, store.head.ledger) && !(await this.#recorder.swap(plan))) continue;
      }
      const performed = await this.#perform(timed);
      return { type: "done", plan: timed.plan, ...performed, head: store.head, warnings };
    }
    return { type: "busy", plan: plans.at(-1)?.plan ?? null, head: store.head, warnings };
  }

  #isHeld({ acts }: Plan<T>): boolean {
    const { program, store } = this.#parts;
    return acts.some((act) => program.holds(store.head.ledger, act));
  }

  /** @returns `living`: the ledger that `reading` is for; `reading` is null if the ledger is to be read again */
  async #read(isDryRun: boolean) {
    const { store } = this.#parts;
    let warning: string | null = null;
    let read = await this.#readOnce();
    if (read.reading.type === "lost") {
      warning = await this.#restore(read.reading, isDryRun);
      read = await this.#readOnce();
    } else if (read.reading.type === "set back") {
      await store.readAgain();
      read = await this.#readOnce();
      if (read.reading.type === "set back") throw read.reading.error;
    }
    const { living, reading } = read;
    const isUsable = reading.type === "facts" || reading.type === "stopped";
    return { living, reading: isUsable ? reading : null, warning };
  }

  /** In the living ledger, the acts of dead runs are uncertain. */
  async #readOnce(): Promise<{ living: Revision<T["ledger"]>; reading: Reading<T> }> {
    const { program, store } = this.#parts;
    const living = program.expire(unchanged(store.head.ledger), store.isDead);
    const reading = await program.read({ sha: store.head.sha, ledger: living.ledger });
    return { living, reading };
  }

  /**
   * Creates a ref that is missing, or begins anew if GitHub no longer has its commit.
   *
   * @returns a sentence about it; null if another run was first
   */
  async #restore({ sha, writes }: LostRef, isDryRun: boolean): Promise<string | null> {
    const { store } = this.#parts;
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
    const isRestored = await this.#recorder.move(null, sha);
    await store.readAgain();
    return isRestored ? `The ref ${ref} was missing. It was restored at commit ${sha}.` : null;
  }

  /** Performs one act after the other, and records the results. What is not performed is withdrawn. */
  async #perform({ plan: { acts }, elapsed }: TimedPlan<T>) {
    const { program, store, stop, save } = this.#parts;
    const done: Done<T>[] = [];
    /** Those that are not recorded yet. */
    let pending: Done<T>[] = [];
    try {
      for (const [nth, act] of acts.entries()) {
        const rest = acts.slice(nth + 1);
        let result: Done<T>["result"] = WITHDRAWN;
        if (elapsed() < FRESH && !stop.aborted && program.goesOn(act, done)) {
          this.#save([...pending, { act, result: INTERRUPTED }], rest);
          result = await program.perform(act, { head: store.head, done });
        }
        done.push({ act, result });
        pending.push({ act, result });
        const begun = pending.filter(({ result: { type } }) => type !== "withdrawn");
        if (rest.length > 0 && begun.length < RECORDED_TOGETHER) continue;
        this.#save(pending, rest);
        await this.#recorder.record(pending);
        pending = [];
      }
      if (acts.length > 0) save(null);
      return { done, unrecorded: null };
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      // What was saved stays, and the post step tries again.
      return { done, unrecorded: error.reason };
    }
  }

  #save(done: readonly Done<T>[], rest: readonly T["act"][]): void {
    const { store, save } = this.#parts;
    save({ acts: savedActs(done, rest), writes: store.head.ledger.writes });
  }
}
