import {
  type BatchNow,
  type ClaimNow,
  isUnreportedBatch,
  mayStillReport,
  takeAsUncertain,
} from "./claim-now.ts";
import type { KeyLimits } from "./known-keys.ts";
import { MarkerSize } from "./marker-size.ts";
import type { LedgerState } from "./read-ledger.ts";
import { type Change, type Checkpoint, type DatedClaim, dayOf, tickId } from "./record.ts";

/**
 * How far back the next run reads beyond what this one has read, in milliseconds. GitHub may answer from
 * a copy of its database that is behind by seconds, and its clocks differ a little: an hour is far more,
 * and costs nothing as long as a page of comments holds it.
 */
const OVERLAP = 60 * 60_000;
const DAY = 24 * 60 * 60_000;
/** For how many days changes are counted for the line of coverage. */
const COVERED_DAYS = 31;

export interface CheckpointLimits extends KeyLimits {
  /** Characters of the marker for the claims and the requests that still count. */
  claims: number;
  /** For how long a request counts against a limit, in milliseconds. */
  countedFor: number;
}

/**
 * GitHub takes a body of 65,536 characters. Beside what people read (22,000), and what an action keeps
 * for itself (6,000), this leaves room for the keys: up to 14,000 for numbers, 9,500 for hashes.
 */
export const CHECKPOINT_LIMITS: CheckpointLimits = {
  claims: 13_000,
  countedFor: DAY,
  numbers: 20_000,
  prints: 1_000,
};

/**
 * What the next run begins with. Reading the ledger from this and from the comments written since gives
 * the same as reading all comments, as long as nobody deletes any; what was deleted, it still knows.
 */
export function makeCheckpoint<C extends Change>(
  state: LedgerState<C>,
  limits: CheckpointLimits = CHECKPOINT_LIMITS,
): Checkpoint<C> {
  const batches = state.claims.flatMap((claim) => claim.batches);
  const claimed = new Set(
    batches.flatMap(({ id, stateNow }) => (stateNow === "claimed" ? [id] : [])),
  );
  const starts = [...state.starts.values()].filter(
    ({ batch, at }) => !claimed.has(batch) && state.now - at < limits.countedFor,
  );
  const { kept, since } = keepClaims(state, limits.claims - new MarkerSize().add(starts));
  return {
    kind: "checkpoint",
    since,
    highest: state.highest,
    cursors: Object.fromEntries(state.cursors),
    claims: kept,
    starts,
    known: state.known.encode(limits),
    doneByDay: Object.fromEntries(
      [...state.doneByDay].filter(([day]) => day > dayOf(state.now) - COVERED_DAYS),
    ),
  };
}

/**
 * Keeps the claims that still matter, and of those at their end the newest, as far as there is room.
 * Where there is too little even for the first, the newest of them are left to be read again; but none
 * that is taken as uncertain while its comment may still come to say something else. The newest with a
 * pull request is always kept, if need be without its changes: the next batch may go to its job.
 */
function keepClaims<C extends Change>(
  state: LedgerState<C>,
  room: number,
): { kept: DatedClaim<C>[]; since: number } {
  const ids = neededClaims(state);
  const needed = state.claims
    .filter(({ claim }) => ids.has(claim.id))
    .sort((a, b) => a.updatedAt - b.updatedAt);
  const done = state.claims
    .filter(({ claim, batches }) => !ids.has(claim.id) && isDone(batches))
    .reverse()
    .map(takeAsUncertain);
  const kept: DatedClaim<C>[] = [];
  const size = new MarkerSize();
  let since = Math.max(0, state.now - OVERLAP);
  let left = room;
  for (const claim of needed) {
    const taken = takeAsUncertain(claim);
    left -= size.add(taken);
    const isTaken = claim.batches.some(isUnreportedBatch) && mayStillReport(claim, state.now);
    if (left >= 0 || isTaken) kept.push(taken);
    // GitHub's times are whole seconds.
    else since = Math.min(since, claim.updatedAt - 1000);
  }
  const documented = done.find(hasPullRequest);
  for (const claim of done) {
    if (left >= 0) left -= size.add(claim);
    if (left >= 0) kept.push(claim);
    else if (claim === documented) kept.push(withoutChanges(claim));
  }
  return { kept, since };
}

function hasPullRequest<C extends Change>({ claim }: DatedClaim<C>): boolean {
  return claim.batches.some(({ state, prLink }) => state === "done" && prLink !== null);
}

/** That they are done is known by their keys. */
function withoutChanges<C extends Change>({ claim, ...dated }: DatedClaim<C>): DatedClaim<C> {
  const batches = claim.batches.map((batch) => ({ ...batch, handed: [], cursors: {} }));
  return { ...dated, claim: { ...claim, takenAsUncertain: [], batches } };
}

/**
 * Ids of the claims that may have gone out and whose changes are not all done or handed over again, and
 * of those written so lately that another run may still go on from what they were before.
 */
function neededClaims<C extends Change>({ claims, known, now }: LedgerState<C>): Set<string> {
  const batches = claims.flatMap((claim) => claim.batches);
  // A claim that may still be withdrawn does not take a change out of earlier hands.
  const later = batches.filter(
    ({ stateNow }) => stateNow !== "claimed" && stateNow !== "withdrawn",
  );
  const handedOn = new Set(
    later.flatMap(({ batch }) =>
      batch.handed.flatMap(({ change, after }) =>
        after === null ? [] : [tickId(after, change.key)],
      ),
    ),
  );
  const isOpen = ({ id, stateNow, batch }: BatchNow<C>): boolean =>
    stateNow === "running" ||
    ((stateNow === "failed" || stateNow === "uncertain") &&
      batch.handed.some(
        ({ change: { key } }) => !known.has(key) && !handedOn.has(tickId(id, key)),
      ));
  const needed = claims.filter(
    ({ claim, updatedAt, batches: own }) =>
      claim.comment !== null && (now - updatedAt < OVERLAP || own.some(isOpen)),
  );
  return new Set(needed.map(({ claim }) => claim.id));
}

function isDone<C extends Change>(batches: ClaimNow<C>["batches"]): boolean {
  return batches.some(({ stateNow }) => stateNow === "done");
}
