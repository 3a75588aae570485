import type { ReadInput } from "../inputs/checks.ts";
import { readRecoverInputs } from "../inputs/ledger.ts";
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
  await recoverRun(queueLedger(name), run, readRecoverInputs(read), dependencies);
  dependencies.log.info("The tasks of the killed run were recorded on the dashboard.");
  return false;
}
