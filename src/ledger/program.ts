/** What a run of the engine is made of: a program, its plan, its acts and what becomes of them. */

import type { Watch } from "../runtime/clock.ts";
import type { Delivery, NotSent } from "../runtime/delivery.ts";
import type { ActionError } from "../runtime/errors.ts";
import type { LedgerFile, Revision } from "./file.ts";
import type { Head, LedgerStore } from "./store.ts";

/**
 * Identifies an act in the ledger. Its other fields are only for {@link Program.perform}. Acts with the same ID share
 * an intent, which ends with the last of them.
 */
export interface ActKey {
  readonly type: string;
  readonly id: string;
}

/**
 * Acts that cannot be taken back, or that cost money: right before one, the decision is taken again on fresh reads. The
 * second of the six rules of ARCHITECTURE.md.
 */
const CONFIRMED = ["merge", "enqueue", "update", "close", "follow-up", "start"] as const;

export type ConfirmedType = (typeof CONFIRMED)[number];

export function needsConfirmation<A extends ActKey>(
  act: A,
): act is Extract<A, { type: ConfirmedType }> {
  return CONFIRMED.some((type) => type === act.type);
}

/** The types of a program. */
export interface Terms {
  ledger: LedgerFile;
  /** What a plan may ask for. */
  reads: unknown;
  act: ActKey;
  /** What an accepted delivery says. Plain data, without secrets. */
  value: unknown;
}

/** What a run is about to do: a value. The ledger is as it is to be, with the intents of the acts. */
export interface Plan<T extends Terms, N> extends Revision<T["ledger"]> {
  readonly acts: readonly T["act"][];
  /** What there is to say about it. */
  readonly notes: N;
}

export type Planned<T extends Terms, N> =
  | { readonly type: "plan"; readonly plan: Plan<T, N> }
  /** The run ends without writing. `notes`: why. */
  | { readonly type: "stopped"; readonly notes: N }
  | LostRef
  /** The ledger has fewer writes than are known of. The error, unless a second read shows otherwise. */
  | { readonly type: "set-back"; readonly error: ActionError };

/** There is no ref, but this was its commit after so many writes. */
export interface LostRef {
  readonly type: "lost";
  readonly sha: string;
  readonly writes: number;
}

export interface Moment {
  /** GitHub's time when planning began, in milliseconds since 1970. */
  readonly now: number;
  /** A name that no other decision of any run has. */
  readonly name: string;
}

/**
 * Decides: reads from top to bottom like the action's page, and asks for a fact where the decision depends on it.
 * Changes nothing; with the same answers, it gives the same plan. If another run was first, it plans again with answers
 * that are older than the ledger.
 *
 * @throws ActionError nothing was written or sent
 */
export type PlanFunction<T extends Terms, N> = (
  from: Revision<T["ledger"]>,
  reads: T["reads"],
  moment: Moment,
) => Promise<Planned<T, N>>;

/** An act and what became of it. */
export interface Done<T extends Terms> {
  readonly act: T["act"];
  readonly delivery: Delivery<T["value"]>;
}

/** What the main step saves for its post step. */
export interface Saved<T extends Terms> {
  readonly acts: readonly { readonly act: ActKey; readonly delivery: Delivery<T["value"]> }[];
  /** How often the ledger had been written. With fewer writes, it is an old copy. */
  readonly writes: number;
}

/** One kind of run. */
export interface Program<T extends Terms> {
  /** Makes reads of which each is asked at most once. Those that it made before are not asked. */
  reads(): T["reads"];
  /**
   * Takes the decision on one act again.
   *
   * @param reads fresh ones
   * @returns null if the act is still what is decided
   */
  confirm(
    act: Extract<T["act"], { type: ConfirmedType }>,
    head: Head<T["ledger"]>,
    reads: T["reads"],
  ): Promise<NotSent | null>;
  perform(
    act: T["act"],
    /** What the run has done before. `head`: the ledger that was written last. */
    progress: { readonly head: Head<T["ledger"]>; readonly done: readonly Done<T>[] },
  ): Promise<Delivery<T["value"]>>;
  /**
   * Records what became of an act. Pure. May be applied twice, and to a ledger that other runs have written meanwhile.
   *
   * @param now GitHub's time, in milliseconds since 1970
   */
  record(
    from: Revision<T["ledger"]>,
    act: ActKey,
    delivery: Delivery<T["value"]>,
    now: number,
  ): Revision<T["ledger"]>;
  /** Records that what became of dead runs' acts is not known. @param isDead by the time of an intent, ISO 8601 */
  expire(
    from: Revision<T["ledger"]>,
    isDead: (writtenAt: string) => boolean,
  ): Revision<T["ledger"]>;
  /** Whether the ledger holds the intent of this act. */
  hasIntent(ledger: T["ledger"], act: ActKey): boolean;
  /** Whether an act is still begun after what was done before it. */
  shouldRun(act: T["act"], done: readonly Done<T>[]): boolean;
}

/** What the engine works with. */
export interface EngineParts<T extends Terms> {
  readonly program: Program<T>;
  readonly store: LedgerStore<T["ledger"]>;
  readonly clock: Watch;
  /** Aborted when the run is cancelled. */
  readonly stop: AbortSignal;
  /** Saves what the post step records if the run is killed; null for nothing. */
  save(saved: Saved<T> | null): void;
}

/** How a run ended, with the ledger as it is known then. */
export type EngineResult<T extends Terms, N> = {
  readonly head: Head<T["ledger"]>;
  readonly warnings: readonly string[];
} & (
  | { readonly type: "stopped"; readonly notes: N }
  /** Other runs wrote first, each time. `plan`: the last one that was made; null if none was. */
  | { readonly type: "busy"; readonly plan: Plan<T, N> | null }
  /** A dry run: nothing was written or done. */
  | { readonly type: "planned"; readonly plan: Plan<T, N> }
  | {
      readonly type: "done";
      readonly plan: Plan<T, N>;
      readonly done: readonly Done<T>[];
      /** Why the results could not be recorded; null if they are. The post step tries again. */
      readonly unrecorded: string | null;
    }
);
