/** What a run of the engine is made of: a program, its plan, its acts and their results. */

import type { Clock } from "../runtime/clock.ts";
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

/** The results of acts that the engine itself knows of. A program adds its own. */
export type BasicResult =
  /** Nothing was started. */
  | { readonly type: "withdrawn" }
  /** The request may have been received. */
  | { readonly type: "uncertain"; readonly reason: string };

/** The types of a program. */
export interface Terms {
  ledger: LedgerFile;
  facts: unknown;
  /** Why a run ends without deciding. */
  stop: unknown;
  act: ActKey;
  /** Plain data, without secrets. */
  result: { readonly type: string };
  /** What the program has to say about its plan. */
  notes: unknown;
}

/** What a run is about to do: a value. The ledger is as it is to be, with the intents of the acts. */
export interface Plan<T extends Terms> extends Revision<T["ledger"]> {
  readonly acts: readonly T["act"][];
  readonly notes: T["notes"];
}

/** A plan, and how many milliseconds have passed since it was made. */
export interface TimedPlan<T extends Terms> {
  readonly plan: Plan<T>;
  readonly elapsed: () => number;
}

/** An act and its result. */
export interface Done<T extends Terms> {
  readonly act: T["act"];
  readonly result: T["result"] | BasicResult;
}

/** What a post step records of an act. */
export interface SavedAct<T extends Terms> {
  readonly act: ActKey;
  readonly result: T["result"] | BasicResult;
}

/** What the main step saves for its post step. */
export interface Saved<T extends Terms> {
  readonly acts: readonly SavedAct<T>[];
  /** How often the ledger had been written. With fewer writes, it is an old copy. */
  readonly writes: number;
}

/** There is no ref, but this was its commit after so many writes. */
export interface LostRef {
  type: "lost";
  sha: string;
  writes: number;
}

export type Reading<T extends Terms> =
  | { type: "facts"; facts: T["facts"] }
  | { type: "stopped"; stop: T["stop"] }
  | LostRef
  /** The ledger has fewer writes than are known of. The error, unless a second read shows otherwise. */
  | { type: "set back"; error: ActionError };

export interface Moment {
  /** GitHub's time, in milliseconds since 1970. */
  readonly now: number;
  /** A name that no other decision of any run has. */
  readonly name: string;
}

/** What a run has done when the next act begins. */
export interface Progress<T extends Terms> {
  /** The ledger that was written last. */
  readonly head: Head<T["ledger"]>;
  readonly done: readonly Done<T>[];
}

/** One kind of run. `decide`, `record` and `expire` are pure. */
export interface Program<T extends Terms> {
  /** Reads what deciding needs, and changes nothing. @throws ActionError nothing was written or sent */
  read(head: Head<T["ledger"]>): Promise<Reading<T>>;
  decide(from: Revision<T["ledger"]>, facts: T["facts"], moment: Moment): Plan<T>;
  perform(act: T["act"], progress: Progress<T>): Promise<T["result"] | BasicResult>;
  /** Records a result. May be applied twice, and to a ledger that other runs have written meanwhile. */
  record(
    from: Revision<T["ledger"]>,
    act: ActKey,
    result: T["result"] | BasicResult,
    now: number,
  ): Revision<T["ledger"]>;
  /** Records that the results of dead runs' acts are not known. @param isDead by the time of an intent, ISO 8601 */
  expire(
    from: Revision<T["ledger"]>,
    isDead: (writtenAt: string) => boolean,
  ): Revision<T["ledger"]>;
  /** Whether the ledger holds the intent of this act. */
  holds(ledger: T["ledger"], act: ActKey): boolean;
  /** Whether an act is still begun after what was done before it. Otherwise it is withdrawn. */
  goesOn(act: T["act"], done: readonly Done<T>[]): boolean;
}

/** What the engine works with. */
export interface EngineParts<T extends Terms> {
  readonly program: Program<T>;
  readonly store: LedgerStore<T["ledger"]>;
  readonly clock: Pick<Clock, "now" | "timeOfDay">;
  /** Aborted when the run is cancelled. */
  readonly stop: AbortSignal;
  /** Saves what the post step records if the run is killed; null for nothing. */
  save(saved: Saved<T> | null): void;
}

/** How a run ended, with the ledger as it is known then. */
export type EngineResult<T extends Terms> = {
  head: Head<T["ledger"]>;
  warnings: readonly string[];
} & (
  | { type: "stopped"; stop: T["stop"] }
  /** Other runs wrote first, each time. `plan`: the last one that was made; null if none was. */
  | { type: "busy"; plan: Plan<T> | null }
  /** A dry run: nothing was written or done. */
  | { type: "planned"; plan: Plan<T> }
  /** `unrecorded`: why the results could not be recorded; null if they are. The post step tries again. */
  | { type: "done"; plan: Plan<T>; done: readonly Done<T>[]; unrecorded: string | null }
);

export const WITHDRAWN = { type: "withdrawn" } as const;
export const INTERRUPTED = {
  type: "uncertain",
  reason: "The run ended while the request was being sent",
} as const;

/** @param rest acts that were not started: only the end of their intents is saved */
export function savedActs<T extends Terms>(
  done: readonly Done<T>[],
  rest: readonly T["act"][],
): SavedAct<T>[] {
  const last = new Map(rest.map((act) => [act.id, { act, result: WITHDRAWN }]));
  return [...done, ...last.values()].map(({ act: { type, id }, result }) => {
    return { act: { type, id }, result };
  });
}
