import type { ReadInput } from "../inputs/checks.ts";
import { readRecoverInputs } from "../inputs/recover.ts";
import { recoverRun } from "../ledger/run/recover.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { UPKEEP_LEDGER } from "./upkeep-ledger.ts";

/**
 * The post step: writes down what is still known of the batch of a run that was killed, or that could not
 * write it itself.
 *
 * @param saved what the main step has left
 * @returns false: the main step's failure is what counts
 */
export async function recoverUpkeep(
  saved: unknown,
  read: ReadInput,
  dependencies: Dependencies,
): Promise<boolean> {
  await recoverRun(UPKEEP_LEDGER, saved, readRecoverInputs(read), dependencies);
  return false;
}
