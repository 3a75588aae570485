import type { RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseLandInputs } from "../inputs/land.ts";
import { freshness } from "../ledger/protocol/send-batches.ts";
import { DECISIONS, type Head } from "../ledger/protocol/store.ts";
import { Unavailable } from "../ledger/protocol/unavailable.ts";
import { type Dependencies, inParallel } from "../runtime/dependencies.ts";
import { ActionError, cancelledRun } from "../runtime/errors.ts";
import { PullActs } from "./act.ts";
import { decide, isAction, needsOf, person, wait } from "./decide.ts";
import type { LandEdit, LandLedger } from "./ledger.ts";
import { findByComments, findInLedgers, readPull } from "./read.ts";
import { type LandOutcome, reportLand } from "./report.ts";
import { type LandRun, setUpRun, type TrackedPull } from "./run.ts";

/** The number of docs pull requests that are read at the same time. */
const AT_ONCE = 8;
const HELD = wait("Another run is at work on it.");

/**
 * Takes each docs pull request to merged or closed: the agent gets its problems, and people get the rest.
 */
export async function land(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const inputs = parseLandInputs(read, context);
  const { stop } = dependencies.cancellation;
  const outcome = await runLand(setUpRun(inputs, context, dependencies)).catch((error) => {
    // Requests that a signal interrupted say nothing about GitHub.
    throw stop.aborted && error instanceof ActionError ? cancelledRun() : error;
  });
  reportLand(outcome, inputs.dryRun, dependencies);
  const error = outcome.error ?? (stop.aborted ? cancelledRun() : null);
  if (error !== null) throw error;
}

/**
 * One run of land: finds docs pull requests, decides about each, records its intents, acts, and records the results.
 *
 * @throws ActionError
 */
async function runLand(run: LandRun): Promise<LandOutcome> {
  const { inputs, store, remember, dependencies } = run;
  for (let time = 1; ; time++) {
    const isFresh = freshness(dependencies.clock);
    const head = await store.read();
    const edit = store.edit();
    edit.ageIntents();
    await findInLedgers(edit, run);
    await findByComments(edit, run);
    const pulls = await trackedPulls(edit, run);
    const outcome = { ...head, ledger: edit.ledger, pulls, error: null };
    if (inputs.dryRun) return outcome;
    const due = pulls
      .flatMap((tracked) => (tracked.facts ? [new PullActs(tracked, tracked.facts, run)] : []))
      .filter(({ isDue }) => isDue);
    for (const {
      tracked: { entry, step },
    } of due) {
      const news = (step.problems ?? []).map(({ id }) => id);
      if (step.type !== "ended") edit.intend(entry, store.options.runName, step.why, news);
    }
    if (!edit.isChanged) return outcome;
    if (due.length > 0) remember(due.map(({ tracked }) => tracked.result));
    // Entries get the time at which the run began. What a slow run has read may be younger.
    const written = isFresh() ? await store.write(edit) : null;
    if (written !== null) return await act(run, written, pulls, due, isFresh);
    remember(null);
    if (time < DECISIONS) continue;
    dependencies.log.info(
      "Other runs were faster each time, or this one took too long. A later run acts.",
    );
    for (const tracked of pulls) if (isAction(tracked.step)) tracked.step = HELD;
    return outcome;
  }
}

async function trackedPulls(edit: LandEdit, run: LandRun): Promise<TrackedPull[]> {
  const { stop } = run.dependencies.cancellation;
  const all = await inParallel(edit.ledger.open, AT_ONCE, async (entry) => {
    if (stop.aborted) throw cancelledRun();
    return { entry, read: await readPull(entry, run) };
  });
  return all.map(({ entry, read }) => {
    const facts = typeof read === "string" ? null : read;
    edit.takeRead(entry, facts?.pull ?? null);
    const isHeld = entry.intent !== null;
    const found = facts === null || isHeld ? HELD : decide(facts, entry, run.inputs, edit.now);
    const step = typeof read === "string" ? person(read) : found;
    const { needs: needed } = entry;
    // Only an attempt shows whether GitHub merges it.
    if (!isHeld && step.type !== "merge") entry.needs = needsOf(step);
    const { state = "open", endedAt = "" } = facts?.pull ?? {};
    if (step.type === "ended" && state !== "open") edit.end(entry, state, endedAt || edit.time);
    const result = { url: entry.url, sent: "withdrawn" as const, entry: {} };
    return { entry, facts, step, needed, result };
  });
}

/** Acts on one docs pull request after the other, after the intents are in the ledger. */
async function act(
  { limits, store, remember, dependencies }: LandRun,
  head: Head<LandLedger>,
  pulls: TrackedPull[],
  due: readonly PullActs[],
  isFresh: () => boolean,
): Promise<LandOutcome> {
  const { stop } = dependencies.cancellation;
  const results = due.map(({ tracked }) => tracked.result);
  for (const one of due) {
    if (!isFresh() || limits.error !== null || stop.aborted) break;
    await one.perform(isFresh, () => remember(results));
    remember(results);
  }
  const { error } = limits;
  const change = (edit: LandEdit) => edit.takeResults(store.options.runName, results);
  try {
    const after = await store.record(change);
    remember(null);
    return { ...after, pulls, error };
  } catch (thrown) {
    if (!(thrown instanceof Unavailable)) throw thrown;
    const what = `What was done could not be recorded: ${thrown.why}. The post step tries again.`;
    dependencies.log.warning(what);
    return { ...head, pulls, error };
  }
}
