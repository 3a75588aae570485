/** What the issue of a ledger answers to a run. */

import type { Change, Checkpoint, LedgerComment } from "./record.ts";

/**
 * Something that was not answered as hoped. `refused`: for certain nothing was done. `lost`: it may have
 * been done, now or later. `why` is for people.
 */
export interface Failed {
  failed: "refused" | "lost";
  why: string;
}

/** What the dashboard's body says. */
export interface Dashboard<C extends Change> {
  /** Closed by a person: nothing is sent. */
  isClosed: boolean;
  /** Null if the body holds no checkpoint with a valid signature. */
  checkpoint: Checkpoint<C> | null;
  /** Signed by the key before the last rotation. */
  isSignedByPreviousKey: boolean;
  /** Ids of the ticked boxes. */
  ticked: string[];
}

export interface Thread<C extends Change> {
  comments: LedgerComment<C>[];
  /** The `Date` of the first page's answer, in milliseconds since 1970. */
  now: number;
}

export function hasFailed<T extends object>(answer: T | Failed): answer is Failed {
  return "failed" in answer;
}
