import { ActionError, valueOrError } from "../runtime/errors.ts";
import type { Log } from "../runtime/log.ts";
import type { Saved, Terms } from "./program.ts";
import type { Recorder } from "./recorder.ts";

/** Records in a post step what its main step has saved. @param details a sentence for the log; null for none */
export async function recordSaved<T extends Terms>(
  recorder: Recorder<T>,
  { acts, writes }: Saved<T>,
  log: Log,
  details: string | null = null,
): Promise<void> {
  const recorded = await valueOrError(recorder.record(acts, writes), ActionError);
  if (recorded instanceof ActionError) {
    const { problem } = recorded;
    log.warning(joined(["The results of the run could not be recorded.", problem, details]));
  } else if (recorded !== null) {
    log.info(joined(["The results of the run are recorded.", details]));
  }
}

/** A warning of a main step whose results its post step records. @param details a sentence between; null for none */
export function unrecordedText(reason: string, details: string | null = null): string {
  const problem = `The results of this run could not be recorded: ${reason}.`;
  return joined([problem, details, "The post step tries again."]);
}

function joined(sentences: readonly (string | null)[]): string {
  return sentences.filter((text) => text !== null).join(" ");
}
