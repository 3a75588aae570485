import type { LedgerState, OpenChange } from "./read-ledger.ts";
import { type Change, type Handed, tickId } from "./record.ts";

/** A change that was found in a source. */
export interface FoundChange<C extends Change> {
  change: C;
  /** `owner/name@branch`; empty for a source without a cursor. */
  source: string;
  /** The commit that is the cursor once everything up to this change is decided. */
  sha: string;
  /** A filter leaves it out. */
  passedOver: boolean;
}

export interface Selecting<C extends Change> {
  /** What lies after the cursors; of each source, oldest first. */
  found: FoundChange<C>[];
  /** The boxes that are ticked, by {@link tickId}. */
  ticked: string[];
  maxChanges: number;
  maxAttempts: number;
}

export interface Selection<C extends Change> {
  /** What to hand over now: failed changes first, then new ones, oldest first. */
  handed: Handed<C>[];
  /** The cursors of a batch with these. */
  cursors: Record<string, string>;
  /** Cursors that have moved although nothing of this is handed over: what follows does not count. */
  moved: Record<string, string>;
  /** What has to wait for the next batch. */
  waiting: C[];
  /** What a person has to decide on, the ticked left out. */
  needsDecision: OpenChange<C>[];
}

/** Chooses what the next batch holds. */
export function selectChanges<C extends Change>(
  state: LedgerState<C>,
  { found, ticked, maxChanges, maxAttempts }: Selecting<C>,
): Selection<C> {
  const ticks = new Set(ticked);
  const stuck = [...state.open.values()].filter(({ batch: { stateNow } }) =>
    ["failed", "uncertain"].includes(stateNow),
  );
  const isFree = (fate: OpenChange<C>): boolean =>
    ticks.has(tickId(fate.batch.id, fate.handed.change.key)) || isRetried(fate, maxAttempts);
  const again = stuck.filter(isFree).map(
    ({ batch, handed: { change, attempt } }): Handed<C> => ({
      change,
      attempt: attempt + 1,
      after: batch.id,
    }),
  );
  const fresh = newChanges(state, found).map(
    (change): Handed<C> => ({ change, attempt: 1, after: null }),
  );
  const candidates = [...again, ...fresh];
  const handed = candidates.slice(0, maxChanges);
  const taken = new Set(handed.map(({ change }) => change.key));
  return {
    handed,
    cursors: decidedUpTo(state, found, taken),
    moved: decidedUpTo(state, found, new Set()),
    waiting: candidates.slice(maxChanges).map(({ change }) => change),
    needsDecision: stuck.filter((fate) => !isFree(fate)),
  };
}

/** Whether a change is handed over again without a person's decision. */
function isRetried<C extends Change>(
  { batch, handed }: OpenChange<C>,
  maxAttempts: number,
): boolean {
  return batch.stateNow === "failed" && batch.batch.retry && handed.attempt < maxAttempts;
}

/** The changes that the ledger does not hold, each once, oldest first. */
function newChanges<C extends Change>(state: LedgerState<C>, found: FoundChange<C>[]): C[] {
  const changes = new Map<string, C>();
  for (const { change, passedOver } of found) {
    if (!passedOver && !isHeld(state, change.key)) changes.set(change.key, change);
  }
  return [...changes.values()].sort((a, b) => a.landedAt - b.landedAt);
}

/** For each source the last of the changes that, with all before them, are passed over, held or taken. */
function decidedUpTo<C extends Change>(
  state: LedgerState<C>,
  found: FoundChange<C>[],
  taken: ReadonlySet<string>,
): Record<string, string> {
  const cursors = new Map<string, string>();
  const undecided = new Set<string>();
  for (const { change, source, sha, passedOver } of found) {
    const isDecided = passedOver || taken.has(change.key) || isHeldForGood(state, change.key);
    if (!isDecided) undecided.add(source);
    if (source !== "" && !undecided.has(source)) cursors.set(source, sha);
  }
  return Object.fromEntries(cursors);
}

/** Held for good: a claim may still be withdrawn. */
function isHeldForGood<C extends Change>(state: LedgerState<C>, key: string): boolean {
  return isHeld(state, key) && state.open.get(key)?.batch.stateNow !== "claimed";
}

function isHeld<C extends Change>({ known, open }: LedgerState<C>, key: string): boolean {
  return known.has(key) || open.has(key);
}
