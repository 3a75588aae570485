import type { ActionError } from "../runtime/errors.ts";

/** A comment that was brought to its end, as the output `finished` has it. */
export interface FinishedComment {
  jobId: string;
  /** Empty when it is not known. */
  status: string;
  prLink: string;
  commentUrl: string;
}

/** What a sweep has done, counted in comments. */
export interface SweepResult {
  readonly checked: number;
  readonly running: number;
  readonly finished: readonly FinishedComment[];
  /** No job can be polled with these inputs: the service refuses the key, or is not at this address. */
  readonly refused: ActionError | null;
}

/** There was nothing to do. */
export const NOTHING_SWEPT: SweepResult = { checked: 0, running: 0, finished: [], refused: null };
