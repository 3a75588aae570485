import { ActionError } from "../runtime/errors.ts";
import type { Log } from "../runtime/log.ts";
import type { Recorder } from "./engine.ts";
import type { Saved, Terms } from "./program.ts";

/** Records in a post step what its main step has saved. @param details added to the log; empty for none */
export async function recordSaved<T extends Terms>(
  recorder: Recorder<T>,
  { acts, writes }: Saved<T>,
  log: Log,
  details = "",
): Promise<void> {
  try {
    const recorded = await recorder.record(acts, writes);
    if (recorded !== null) log.info(`The results of the run are recorded.${details}`);
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    log.warning(`The results of the run could not be recorded. ${error.problem}${details}`);
  }
}

/** A warning of a main step whose results its post step records. @param details sentences between; empty for none */
export function unrecordedText(reason: string, details = ""): string {
  return `The results of this run could not be recorded: ${reason}.${details} The post step tries again.`;
}
