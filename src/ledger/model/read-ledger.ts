import {
  type BatchNow,
  type ClaimNow,
  claimNow,
  isUnreportedBatch,
  mayStillReport,
  takeAsUncertain,
} from "./claim-now.ts";
import { missingNumbers, pastNumbers } from "./claim-numbers.ts";
import { collectClaims } from "./collect-claims.ts";
import { newerCursor } from "./cursor.ts";
import { KnownKeys } from "./known-keys.ts";
import {
  type Change,
  type Checkpoint,
  type Cursor,
  type DatedClaim,
  dayOf,
  type Handed,
  type LedgerComment,
  type Start,
} from "./record.ts";

/** What the ledger is read from. */
export interface LedgerSources<C extends Change> {
  /** What the dashboard's body holds, as often as it was read; none if it holds nothing valid. */
  checkpoints: Checkpoint<C>[];
  /** All comments, or those written since the `since` of one of the checkpoints. */
  comments: LedgerComment<C>[];
  /** What this run knows by itself: batches that it found ended, and its own claim. */
  own: DatedClaim<C>[];
  /** Cursors that this run has moved on over changes which do not count. */
  moved?: Record<string, Cursor>;
  /** The time of the answer with the comments, by GitHub's clock, in milliseconds since 1970. */
  now: number;
  /** The id of a claim to leave out. */
  without?: string | null;
}

/** What became of a change when it was last handed over. */
export interface OpenChange<C extends Change> {
  batch: BatchNow<C>;
  handed: Handed<C>;
}

/** What the ledger says. */
export interface LedgerState<C extends Change> {
  now: number;
  /** Oldest first. */
  claims: ClaimNow<C>[];
  /** By key, the changes that are handed over, or about to be, and not done. */
  open: Map<string, OpenChange<C>>;
  /** Keys of the changes that are done. */
  known: KnownKeys;
  /** By source. */
  cursors: Map<string, Cursor>;
  /** Requests that went out or may have, by batch. */
  starts: Map<string, Start>;
  /** By day (days since 1970), how many changes that landed on it are done. */
  doneByDay: Map<number, number>;
  /** Highest number of a claim that names its comment, or is too old to do so. */
  highest: number;
  /** Number for the next claim. */
  next: number;
  /** Numbers (0: the beginning) that a thread without a checkpoint should show and does not. */
  missing: number[];
}

/**
 * Folds checkpoints and comments to what the ledger says. Neither their order matters nor whether
 * something is told twice.
 */
export function readLedger<C extends Change>(sources: LedgerSources<C>): LedgerState<C> {
  const { now, comments } = sources;
  const written = checkpointsIn(comments);
  const checkpoints = [...sources.checkpoints, ...written];
  const found = collectClaims({ ...sources, checkpoints });
  const claims = found.claims.map((claim) => claimNow(claim, now));
  const known = new KnownKeys();
  for (const checkpoint of checkpoints) known.addEncoded(checkpoint.known);
  const doneByDay = countDone(checkpoints, claims, known);
  return {
    now,
    claims,
    known,
    doneByDay,
    open: openChanges(claims, known),
    cursors: readCursors([sources.moved ?? {}, ...checkpoints.map((one) => one.cursors)], claims),
    starts: readStarts(checkpoints, claims),
    highest: Math.max(found.highest, ...pastNumbers(claims)),
    next: Math.max(found.highest, ...claims.map(({ claim }) => claim.number)) + 1,
    missing: sources.checkpoints.length > 0 ? [] : missingNumbers(comments, written),
  };
}

/**
 * The claims that hold a change, that are uncertain because their runs have not said how they ended, and
 * whose runs might still do so.
 */
export function unreportedClaims<C extends Change>({
  claims,
  open,
  now,
}: LedgerState<C>): DatedClaim<C>[] {
  const holding = new Set([...open.values()].map(({ batch }) => batch.id));
  return claims
    .filter(({ batches }) =>
      batches.some((batch) => isUnreportedBatch(batch) && holding.has(batch.id)),
    )
    .filter((claim) => mayStillReport(claim, now))
    .map(takeAsUncertain)
    .map((taken) => ({ ...taken, claim: { ...taken.claim, takenAsUncertain: [] } }));
}

/** Checkpoints that stand in comments. What begins there has the number of that comment. */
function checkpointsIn<C extends Change>(comments: LedgerComment<C>[]): Checkpoint<C>[] {
  return comments.flatMap(({ id, record }) => {
    if (record?.kind !== "checkpoint") return [];
    const cursors = Object.entries(record.cursors).map(([source, cursor]) => [
      source,
      { ...cursor, comment: cursor.comment ?? id },
    ]);
    return [{ ...record, cursors: Object.fromEntries(cursors) }];
  });
}

/** Adds what is done to `known`, and counts each change once. */
function countDone<C extends Change>(
  checkpoints: Checkpoint<C>[],
  claims: ClaimNow<C>[],
  known: KnownKeys,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const checkpoint of checkpoints) {
    for (const [day, count] of Object.entries(checkpoint.doneByDay)) {
      // Of two checkpoints the later holds what the earlier counted.
      counts.set(Number(day), Math.max(count, counts.get(Number(day)) ?? 0));
    }
  }
  for (const { batch, stateNow } of claims.flatMap(({ batches }) => batches)) {
    for (const { change } of stateNow === "done" ? batch.handed : []) {
      if (known.has(change.key)) continue;
      known.add(change.key, change.landedAt);
      const day = dayOf(change.landedAt);
      counts.set(day, 1 + (counts.get(day) ?? 0));
    }
  }
  return counts;
}

/**
 * What became of each change that is not done: it is running if any batch with it is; else about to be
 * sent; else the newest batch decides.
 */
function openChanges<C extends Change>(
  claims: ClaimNow<C>[],
  known: KnownKeys,
): Map<string, OpenChange<C>> {
  const open = new Map<string, OpenChange<C>>();
  for (const batch of claims.flatMap(({ batches }) => batches)) {
    if (batch.stateNow === "withdrawn") continue;
    for (const handed of batch.batch.handed) {
      const { key } = handed.change;
      const before = open.get(key);
      const isDecided = before !== undefined && rank(before.batch) > rank(batch);
      if (!isDecided && !known.has(key)) open.set(key, { batch, handed });
    }
  }
  return open;
}

/** What became of each change that is not done, but for claims that may still be withdrawn. */
export function changesHeldForGood<C extends Change>({
  claims,
  known,
}: LedgerState<C>): Map<string, OpenChange<C>> {
  const certain = claims.map((claim) => ({
    ...claim,
    batches: claim.batches.filter(({ stateNow }) => stateNow !== "claimed"),
  }));
  return openChanges(certain, known);
}

function rank({ stateNow }: BatchNow<Change>): number {
  return stateNow === "running" ? 2 : stateNow === "claimed" ? 1 : 0;
}

/** A claim moves the cursors once it cannot be withdrawn any more. */
function readCursors<C extends Change>(
  known: Record<string, Cursor>[],
  claims: ClaimNow<C>[],
): Map<string, Cursor> {
  const cursors = new Map<string, Cursor>();
  const add = (source: string, cursor: Cursor): void => {
    const other = cursors.get(source);
    cursors.set(source, other === undefined ? cursor : newerCursor(other, cursor));
  };
  for (const [source, cursor] of known.flatMap(Object.entries<Cursor>)) add(source, cursor);
  for (const { claim, commentId, batches } of claims) {
    for (const { batch, stateNow } of batches) {
      if (stateNow === "claimed" || stateNow === "withdrawn") continue;
      for (const [source, sha] of Object.entries(batch.cursors)) {
        add(source, { sha, number: claim.number, comment: commentId, moved: 0 });
      }
    }
  }
  return cursors;
}

function readStarts<C extends Change>(
  checkpoints: Checkpoint<C>[],
  claims: ClaimNow<C>[],
): Map<string, Start> {
  const starts = new Map<string, Start>();
  for (const start of checkpoints.flatMap((checkpoint) => checkpoint.starts)) {
    starts.set(start.batch, start);
  }
  for (const { batches, createdAt } of claims) {
    for (const { id, batch, stateNow } of batches) {
      const isRejected = stateNow === "failed" && batch.jobId === null;
      if (stateNow !== "withdrawn" && !isRejected) starts.set(id, { batch: id, at: createdAt });
    }
  }
  return starts;
}
