import type { ReadInput } from "../inputs/checks.ts";
import { readRecoverInputs } from "../inputs/ledger.ts";
import { recoverRun } from "../ledger/recover.ts";
import type { SavedClaim } from "../ledger/saved-claim.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { QUEUE_TEXTS } from "./queue-ledger.ts";
import type { TaskChange } from "./task-change.ts";

/**
 * The post step: writes down what is still known of the tasks of a run that was killed, or that could not
 * write it itself.
 *
 * @returns false: the main step's failure is what counts
 */
export async function recoverQueue(
  saved: SavedClaim<TaskChange>,
  read: ReadInput,
  dependencies: Dependencies,
): Promise<boolean> {
  await recoverRun(QUEUE_TEXTS, saved, readRecoverInputs(read), dependencies);
  return false;
}
