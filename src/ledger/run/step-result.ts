import type { ActionError } from "../../runtime/errors.ts";

/** What a run means for its step. `R` is what the output `result` may say. */
export interface LedgerStepResult<R extends string> {
  /** Empty: nothing is known to have been started, and the step fails. */
  result: R | "";
  /** Why the step fails, although the ledger could be worked with; null: it does not. */
  error: ActionError | null;
  /** Why the ledger could not be worked with: nothing was sent, and the step fails; null: it could. */
  unusable: ActionError | null;
}

/**
 * Whether the step fails.
 *
 * @throws ActionError when the ledger could not be worked with
 */
export function failsStep({ error, unusable }: LedgerStepResult<string>): boolean {
  if (unusable !== null) throw unusable;
  return error !== null;
}
