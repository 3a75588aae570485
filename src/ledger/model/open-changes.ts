import type { LedgerState, OpenChange } from "./read-ledger.ts";
import type { Change } from "./record.ts";

/** What a person has to decide on: handed over as often as allowed, or perhaps received already. */
export function needsDecisionOf<C extends Change>(
  state: LedgerState<C>,
  maxAttempts: number,
): OpenChange<C>[] {
  return [...state.open.values()].filter(({ batch, handed }) => {
    if (batch.stateNow === "uncertain") return true;
    const isSpent = !batch.batch.retry || handed.attempt >= maxAttempts;
    return batch.stateNow === "failed" && isSpent;
  });
}

/** Changes of failed batches that are handed over again by themselves. */
export function waitingAgain<C extends Change>(
  state: LedgerState<C>,
  maxAttempts: number,
): OpenChange<C>[] {
  return [...state.open.values()].filter(
    ({ batch, handed }) =>
      batch.stateNow === "failed" && batch.batch.retry && handed.attempt < maxAttempts,
  );
}
