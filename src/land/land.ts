import { inRepository, type RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { Engine } from "../ledger/engine.ts";
import type { Done, Saved } from "../ledger/program.ts";
import { recordSaved, unrecordedText } from "../ledger/record-saved.ts";
import { Recorder } from "../ledger/recorder.ts";
import { errorAfter } from "../ledger/unavailable.ts";
import { isOfProject } from "../runtime/delivery.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError, cancelledRun, orThrow } from "../runtime/errors.ts";
import type { LandTerms } from "./acts.ts";
import { parseLandInputs } from "./inputs.ts";
import { ALL_DONE_RECORDED, type LandRun, setUpLandRun } from "./land-run.ts";
import { type ReportedPull, reportedPull } from "./outcome.ts";
import { planLand } from "./plan.ts";
import { landProgram } from "./program.ts";
import { isAction } from "./record.ts";
import { reportLand } from "./summary.ts";
import { waitFor } from "./waits.ts";

type LandResult = Awaited<ReturnType<typeof runEngine>>;

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
  const run = setUpLandRun(inputs, context, dependencies);
  const outcome = await orThrow(runEngine(run), (error) =>
    errorAfter(stop, error, ALL_DONE_RECORDED),
  );
  const pulls = reportedPulls(outcome, run.store.now);
  report(outcome, pulls, run);
  const error = serviceError(outcome) ?? (stop.aborted ? cancelledRun(ALL_DONE_RECORDED) : null);
  if (error !== null) throw error;
}

/** @throws ActionError nothing was done */
async function runEngine(run: LandRun) {
  const { inputs, store, dependencies } = run;
  const { clock, cancellation, outputs } = dependencies;
  const engine = new Engine<LandTerms>({
    program: landProgram(run),
    store,
    clock,
    stop: cancellation.stop,
    save: (saved) => outputs.saveState(saved),
  });
  return await engine.run((from, reads, moment) => planLand(from, reads, moment, run), {
    dryRun: inputs.dryRun,
  });
}

const OUTDATED =
  "The run took more than 5 minutes after it had decided, so nothing more is sent, merged or closed.";

function report(outcome: LandResult, pulls: readonly ReportedPull[], run: LandRun): void {
  const { log } = run.dependencies;
  if (outcome.type === "busy") {
    log.info("Other runs wrote to the ledger first, three times. A later run tries again.");
  }
  if (outcome.type === "done" && outcome.unrecorded !== null) {
    log.warning(unrecordedText(outcome.unrecorded));
  }
  const plan = planIn(outcome);
  for (const warning of plan?.notes.warnings ?? []) log.warning(warning);
  if (doneIn(outcome).some(isOutdated)) log.warning(OUTDATED);
  // If nothing was written, the planned ledger is shown.
  const ledger = outcome.type === "done" ? outcome.head.ledger : (plan ?? outcome.head).ledger;
  reportLand({ ledger, sha: outcome.head.sha }, pulls, outcome.type === "planned", run);
}

function isOutdated({ delivery }: Done<LandTerms>): boolean {
  return delivery.type === "not-sent" && delivery.code === "outdated";
}

function planIn(outcome: LandResult) {
  return "plan" in outcome ? outcome.plan : null;
}

/** @param now GitHub's time, in milliseconds since 1970 */
function reportedPulls(outcome: LandResult, now: number): ReportedPull[] {
  const pulls = planIn(outcome)?.notes.pulls ?? [];
  const done = doneIn(outcome);
  return pulls.map((tracked) => {
    const { decision, entry } = tracked;
    const acts = done.filter(({ act }) => "place" in act && act.place.url === entry.url);
    const isLost = outcome.type === "busy" && isAction(decision.type);
    const held = waitFor({ code: "other-run" }, entry.waiting, now);
    return reportedPull(isLost ? { ...tracked, decision: held } : tracked, acts, now);
  });
}

function doneIn(outcome: LandResult): readonly Done<LandTerms>[] {
  return outcome.type === "done" ? outcome.done : [];
}

/** The error if the service has refused the key, or no credits are left; null if neither. */
function serviceError(outcome: LandResult): ActionError | null {
  for (const { delivery } of doneIn(outcome)) {
    if (delivery.type !== "refused" || !isOfProject(delivery)) continue;
    const { kind, problem, advice } = delivery.error;
    return new ActionError(kind, problem, advice);
  }
  return null;
}

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
