import type {
  Batch,
  BatchState,
  Change,
  Claim,
  DatedClaim,
  LedgerComment,
} from "../../src/ledger/model/record.ts";

/** Records to build tests from. Times are in milliseconds. */
export const NOON = Date.UTC(2026, 0, 1, 12);
export const MINUTE = 60_000;

export function change(key: string, landedAt = NOON): Change {
  return { key, landedAt };
}

/** A batch with these changes, handed over for the first time. */
export function batch(
  keys: string[],
  state: BatchState = "intended",
  more: Partial<Batch<Change>> = {},
): Batch<Change> {
  return {
    state,
    handed: keys.map((key) => ({ change: change(key), attempt: 1, after: null })),
    cursors: {},
    jobId: ["running", "failed", "done"].includes(state) ? "job" : null,
    prLink: null,
    reason: "",
    retry: true,
    ...more,
  };
}

/** A claim with one number as its own and its comment's. */
export function claim(
  number: number,
  batches: Batch<Change>[],
  more: Partial<Claim<Change>> = {},
): Claim<Change> {
  return {
    kind: "claim",
    id: `c${number}`,
    number,
    comment: number,
    takenAsUncertain: [],
    batches,
    ...more,
  };
}

/** The comment with a claim, as it should be. */
export function comment(
  record: Claim<Change>,
  more: Partial<LedgerComment<Change>> = {},
): LedgerComment<Change> {
  return { id: record.comment ?? record.number, createdAt: NOON, updatedAt: NOON, record, ...more };
}

export function dated(record: Claim<Change>, time = NOON): DatedClaim<Change> {
  return { claim: record, createdAt: time, updatedAt: time };
}
