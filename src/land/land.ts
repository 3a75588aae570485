import { inRepository, type RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { Engine } from "../ledger/engine.ts";
import type { EngineResult, Plan } from "../ledger/program.ts";
import { unrecordedText } from "../ledger/record-saved.ts";
import { errorAfter } from "../ledger/unavailable.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError, cancelledRun } from "../runtime/errors.ts";
import type { DoneAct, LandTerms } from "./acts.ts";
import { parseLandInputs } from "./inputs.ts";
import { HELD } from "./plan.ts";
import { landProgram } from "./program.ts";
import { reportLand } from "./report.ts";
import { type ReportedPull, reportedPull } from "./results.ts";
import { ALL_DONE_RECORDED, type LandRun, setUpRun } from "./run.ts";
import { isAction } from "./step.ts";

/**
 * Takes each docs pull request to merged or closed: the agent gets its problems, and people get the rest.
 */
export async function land(
  read: ReadInput,
  runContext: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const inputs = parseLandInputs(read, runContext);
  const context = inRepository(runContext);
  const { stop } = dependencies.cancellation;
  const run = setUpRun(inputs, context, dependencies);
  const outcome = await runEngine(run).catch((error: unknown) => {
    throw errorAfter(stop, error, ALL_DONE_RECORDED);
  });
  const pulls = reportedPulls(outcome);
  report(outcome, pulls, run);
  const error = keyError(outcome) ?? (stop.aborted ? cancelledRun(ALL_DONE_RECORDED) : null);
  if (error !== null) throw error;
}

/** @throws ActionError nothing was done */
async function runEngine(run: LandRun): Promise<EngineResult<LandTerms>> {
  const { inputs, store, dependencies } = run;
  const { clock, cancellation, outputs } = dependencies;
  const engine = new Engine<LandTerms>({
    program: landProgram(run),
    store,
    clock,
    stop: cancellation.stop,
    save: (saved) => outputs.saveState(saved),
  });
  return await engine.run({ isDryRun: inputs.dryRun });
}

const OUTDATED = "Reading took more than 5 minutes, so nothing more is sent, merged or closed.";

function report(
  outcome: EngineResult<LandTerms>,
  pulls: readonly ReportedPull[],
  { inputs, store, repository, dependencies }: LandRun,
): void {
  const { log } = dependencies;
  if (outcome.type === "busy") {
    log.info("Other runs wrote to the ledger first, three times. A later run tries again.");
  }
  if (outcome.type === "done" && outcome.unrecorded !== null) {
    log.warning(unrecordedText(outcome.unrecorded));
  }
  const plan = planOf(outcome);
  for (const warning of plan?.notes.warnings ?? []) log.warning(warning);
  if (doneIn(outcome).some(({ result }) => result.type === "outdated")) log.warning(OUTDATED);
  // If nothing was written, the planned ledger is shown.
  const ledger = outcome.type === "done" ? outcome.head.ledger : (plan ?? outcome.head).ledger;
  const end = { ledger, sha: outcome.head.sha, now: store.now, pulls, repository };
  reportLand(end, inputs.dryRun, dependencies);
}

function planOf(outcome: EngineResult<LandTerms>): Plan<LandTerms> | null {
  return "plan" in outcome ? outcome.plan : null;
}

function reportedPulls(outcome: EngineResult<LandTerms>): ReportedPull[] {
  const pulls = planOf(outcome)?.notes.pulls ?? [];
  const done = doneIn(outcome);
  return pulls.map((tracked) => {
    const { step, entry } = tracked;
    const isLost = outcome.type === "busy" && isAction(step);
    const acts = done.filter(({ act }) => "place" in act && act.place.url === entry.url);
    return reportedPull({ ...tracked, step: isLost ? HELD : step }, acts);
  });
}

function doneIn(outcome: EngineResult<LandTerms>): readonly DoneAct[] {
  return outcome.type === "done" ? outcome.done : [];
}

/** The error if the service has refused the key; null if it has not. */
function keyError(outcome: EngineResult<LandTerms>): ActionError | null {
  for (const { result } of doneIn(outcome)) {
    if (result.type !== "refused" || result.by !== "key") continue;
    const { kind, problem, advice } = result.error;
    return new ActionError(kind, problem, advice);
  }
  return null;
}
