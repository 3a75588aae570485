import { ActionError } from "../runtime/errors.ts";
import type { Log } from "../runtime/log.ts";
import type { Recorder } from "./engine.ts";
import type { SavedAct, Terms } from "./program.ts";

/** Records in a post step what its main step has saved. @param details added to the log; empty for none */
export async function recordSaved<T extends Terms>(
  recorder: Recorder<T>,
  acts: readonly SavedAct<T>[],
  log: Log,
  details = "",
): Promise<void> {
  try {
    await recorder.record(acts);
    log.info(`What the run has done is recorded.${details}`);
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    log.warning(`What the run has done could not be recorded. ${error.problem}${details}`);
  }
}
