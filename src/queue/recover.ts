import type { ApiKeys } from "../github/markers.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { recoverRun, type SavedRun } from "../ledger/recover.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { queueLedger } from "./queue-ledger.ts";
import type { TaskChange } from "./task-change.ts";

/** What the main step leaves for its post step: plain data without a secret. */
export interface SavedQueue {
  run: SavedRun<TaskChange>;
  /** Of the queue. */
  name: string;
}

/**
 * The post step: writes down what is still known of the tasks of a run that was killed.
 *
 * @returns false: the main step's failure is what counts
 */
export async function recoverQueue(
  { run, name }: SavedQueue,
  read: ReadInput,
  dependencies: Dependencies,
): Promise<boolean> {
  const previous = read("previous-api-key").trim();
  const keys: ApiKeys = previous === "" ? [read("api-key")] : [read("api-key"), previous];
  const githubToken = read("github-token").trim();
  await recoverRun(queueLedger(name), run, { keys, githubToken }, dependencies);
  dependencies.log.info("The tasks of the run that was killed are written down on the dashboard.");
  return false;
}
