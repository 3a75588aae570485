import { connector } from "../github/api/connect.ts";
import { inRepository, type RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { cancelledRun } from "../runtime/errors.ts";
import { NO_FINDINGS } from "./ask.ts";
import { parseDoctorInputs } from "./inputs.ts";
import { judge } from "./judge.ts";
import { readGitHub } from "./read-github.ts";
import { readService } from "./read-service.ts";
import { report } from "./report.ts";
import { removeRef, type SavedTrial, trialRef } from "./trial-ref.ts";

/** Checks a whole set-up, and changes nothing that lasts. @returns whether something is wrong */
export async function doctor(
  read: ReadInput,
  runContext: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const inputs = parseDoctorInputs(read, runContext);
  const context = inRepository(runContext);
  const { repository, serverUrl, workflow } = context;
  const save = (trial: SavedTrial | null) => dependencies.outputs.saveState(trial);
  const { stop } = dependencies.cancellation;
  const service = await readService(inputs, dependencies);
  if (stop.aborted) throw cancelledRun(NO_FINDINGS);
  const run = { inputs, context, dependencies, save };
  const github = await readGitHub(run, service.pullLinks);
  if (stop.aborted) throw cancelledRun(NO_FINDINGS);
  const facts = { inputs, repository, serverUrl, workflow, service: service.facts, github };
  return report(judge(facts), dependencies);
}

/**
 * The post step of a killed main step: deletes the trial ref.
 *
 * @param saved the main step's state
 * @public
 */
export async function removeTrialRef(
  saved: unknown,
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const { githubToken, githubApiUrl } = parseDoctorInputs(read, context);
  if (githubToken.type === "invalid") return;
  const connect = connector({ githubToken: githubToken.value, githubApiUrl }, dependencies);
  const trial = saved as SavedTrial;
  const refusal = await removeRef(trialRef(trial, connect, dependencies));
  if (refusal === null) dependencies.outputs.saveState(null);
  else dependencies.log.warning(`The trial ref ${trial.ref} could not be deleted: ${refusal}.`);
}
