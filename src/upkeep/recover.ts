import type { ApiKeys } from "../github/markers.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { recoverRun } from "../ledger/recover.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { SavedUpkeep } from "./saved-upkeep.ts";
import { UPKEEP_LEDGER } from "./upkeep-ledger.ts";

/**
 * The post step: writes down what is still known of the batch of a run that was killed, or that could not
 * write it itself.
 *
 * @returns false: the main step's failure is what counts
 */
export async function recoverUpkeep(
  saved: SavedUpkeep,
  read: ReadInput,
  dependencies: Dependencies,
): Promise<boolean> {
  const previous = read("previous-api-key").trim();
  const keys: ApiKeys = previous === "" ? [read("api-key")] : [read("api-key"), previous];
  const githubToken = read("github-token").trim();
  await recoverRun(UPKEEP_LEDGER, saved, { keys, githubToken }, dependencies);
  return false;
}
