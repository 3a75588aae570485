import { inRepository, type RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import type { Saved } from "../ledger/program.ts";
import { recordSaved } from "../ledger/record-saved.ts";
import { Recorder } from "../ledger/recorder.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { LandTerms } from "./acts.ts";
import { parseLandInputs } from "./inputs.ts";
import { setUpLandRun } from "./land-run.ts";
import { landProgram } from "./program.ts";

/**
 * The post step of a run that was killed or could not record what it did: records what is known.
 *
 * @param state what the main step saved
 */
export async function recordKilledLand(
  state: unknown,
  read: ReadInput,
  runContext: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const inputs = parseLandInputs(read, runContext);
  const context = inRepository(runContext);
  const run = setUpLandRun(inputs, context, dependencies);
  const saved = state as Saved<LandTerms>;
  const recorder = new Recorder<LandTerms>(landProgram(run).record, run.store);
  await recordSaved(recorder, saved, dependencies.log);
}
