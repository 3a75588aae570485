/** Writes to a ledger as a compare-and-swap. The only file that moves a ledger's ref. */

import { ActionError, valueOrError } from "../runtime/errors.ts";
import { isNews, type Revision, unchanged } from "./file.ts";
import type { Program, Saved, Terms } from "./program.ts";
import type { LedgerStore } from "./store.ts";
import { OTHERS_FIRST, passingFailure, Unavailable } from "./unavailable.ts";

/** Maximum number of attempts to move the ref. Repeating one with the same commit is safe. */
const MOVES = 3;

/** Writes to a ledger: moves its ref, and records results. */
export class Recorder<T extends Terms> {
  readonly #record: Program<T>["record"];
  readonly #store: LedgerStore<T["ledger"]>;

  constructor(record: Program<T>["record"], store: LedgerStore<T["ledger"]>) {
    this.#record = record;
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
  async record(
    acts: readonly Saved<T>["acts"][number][],
    writes = 0,
  ): Promise<Revision<T["ledger"]> | null> {
    const store = this.#store;
    for (let attempt = 1; ; attempt++) {
      const mustRead = attempt > 1 || store.head.sha === null;
      const recorded = await valueOrError(this.#recordOnce(acts, writes, mustRead), ActionError);
      if (!(recorded instanceof ActionError)) return recorded;
      const failure = passingFailure(recorded, store.head);
      if (!(await store.git.pause(attempt))) throw failure;
    }
  }

  /** The head with results, before they are written. */
  revisionWith(acts: readonly Saved<T>["acts"][number][]): Revision<T["ledger"]> {
    const store = this.#store;
    return acts.reduce(
      (revision, { act, delivery }) => this.#record(revision, act, delivery, store.now),
      unchanged(store.head.ledger),
    );
  }

  /** @throws Unavailable also if another run was first */
  async #recordOnce(
    acts: readonly Saved<T>["acts"][number][],
    writes: number,
    mustRead: boolean,
  ): Promise<Revision<T["ledger"]> | null> {
    const store = this.#store;
    if (mustRead) await this.#readNewest(writes);
    const revision = this.revisionWith(acts);
    if (!isNews(revision, store.head.ledger)) return null;
    if (await this.swap(revision)) return revision;
    throw new Unavailable(OTHERS_FIRST);
  }

  async #readNewest(writes: number): Promise<void> {
    const store = this.#store;
    const last = store.head;
    const { sha, ledger } = await store.read();
    const isNewest = this.hasWrites(ledger, last.ledger, writes);
    if (isNewest && (sha !== null || last.sha === null)) return;
    // The newest known ledger is the one that this run has read.
    store.head = last;
    // An old copy may lack the intents, and then looks as if their results were recorded.
    if (sha !== null || last.sha === null) throw new Unavailable("GitHub shows an old copy of it");
    // The ref was deleted meanwhile.
    if (!(await this.move(null, last.sha))) throw new Unavailable(OTHERS_FIRST);
  }

  /** Whether a ledger has all the writes of the one that this run knows, and that its main step knew of. */
  protected hasWrites(ledger: T["ledger"], known: T["ledger"], writes: number): boolean {
    return ledger.writes >= Math.max(known.writes, writes);
  }
}
