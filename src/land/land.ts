import type { RunContext } from "../github/run-context.ts";
import { parseInputs, type ReadInput } from "../inputs/checks.ts";
import { LAND } from "../inputs/land.ts";
import { freshness } from "../ledger/protocol/send-batches.ts";
import { type Head, Unavailable } from "../ledger/protocol/store.ts";
import { shortHash } from "../ledger/run/ledger-run.ts";
import { type Dependencies, inParallel } from "../runtime/dependencies.ts";
import { cancelledRun } from "../runtime/errors.ts";
import { PullActs } from "./act.ts";
import { commentText } from "./comment.ts";
import { decide, type Facts, isAction, needsOf, person, wait } from "./decide.ts";
import {
  ageIntents,
  type Entry,
  editOf,
  endPull,
  intend,
  type LandEdit,
  type LandLedger,
  takeRead,
  takeResults,
  takeUnread,
} from "./ledger.ts";
import { findPulls, readPull } from "./read.ts";
import { type LandOutcome, reportLand } from "./report.ts";
import {
  type LandRun,
  needsPreview,
  type ReadStanding,
  type Standing,
  setUpRun,
  warn,
} from "./run.ts";

/** The number of docs pull requests that are read at the same time. */
const AT_ONCE = 8;
/** Maximum number of times that a run decides if others write first. */
const DECISIONS = 3;
const HELD = wait("Another run is at work on it.");

/**
 * Takes each docs pull request to merged or closed: the agent gets its problems, and people get the rest.
 *
 * @returns whether the step fails
 */
export async function land(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const inputs = parseInputs(LAND, read, context);
  dependencies.http.checkProxy(inputs.githubApiUrl);
  const outcome = await runLand(setUpRun(inputs, context, dependencies));
  return reportLand(outcome, inputs.dryRun, dependencies);
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
    const edit = editOf(head);
    ageIntents(edit);
    await findPulls(edit, run);
    const standings = await standingsOf(edit, run);
    const shown = { ...head, ledger: edit.ledger, standings, error: null };
    if (inputs.dryRun) return shown;
    const busy = standings.filter(isRead).filter((standing) => hasWork(standing, run));
    for (const { entry, step } of busy) intend(edit, entry, store.options.runName, step);
    if (!edit.isChanged) return shown;
    if (busy.length > 0) remember(busy.map(({ result }) => result));
    const written = await store.write(edit);
    if (written !== null) return await act(run, written, standings, busy, isFresh);
    remember(null);
    if (time < DECISIONS) continue;
    dependencies.log.info("Other runs were faster each time, so they do what there is to do.");
    const left = standings.map((one) => (isAction(one.step) ? { ...one, step: HELD } : one));
    return { ...shown, standings: left };
  }
}

async function standingsOf(edit: LandEdit, run: LandRun): Promise<Standing[]> {
  const { stop } = run.dependencies.cancellation;
  const all = await inParallel(edit.ledger.open, AT_ONCE, async (entry) => {
    if (stop.aborted) throw cancelledRun();
    return { entry, read: await readPull(entry, run) };
  });
  return all.map(({ entry, read }) => standingOf(entry, read, edit, run));
}

function standingOf(entry: Entry, read: Facts | string, edit: LandEdit, run: LandRun): Standing {
  const facts = typeof read === "string" ? null : read;
  if (facts === null) takeUnread(edit, entry);
  else takeRead(edit, entry, facts);
  const isHeld = entry.intent !== null;
  const found = facts === null || isHeld ? HELD : decide(facts, entry, run.inputs, edit.now);
  const step = typeof read === "string" ? person(read) : found;
  const needs = needsOf(step);
  // Only an attempt shows whether GitHub merges it.
  if (!isHeld && step.type !== "merge" && needs !== entry.needs) {
    entry.needs = needs;
    if (needs !== "") warn(run, entry, needs);
  }
  if (facts !== null && step.type === "ended") {
    const { state, endedAt } = facts.pull;
    endPull(edit, entry, state === "merged" ? "merged" : "closed", endedAt || edit.time);
  }
  return { entry, facts, step, result: { url: entry.url, entry: {} } };
}

function isRead(standing: Standing): standing is ReadStanding {
  return standing.facts !== null;
}

function hasWork(standing: ReadStanding, run: LandRun): boolean {
  const { entry, facts, step } = standing;
  if (entry.intent !== null || step.type === "ended") return false;
  const { inputs } = run;
  const { labels, assignees, reviewers } = inputs;
  const isSetUp =
    entry.isSetUp || [labels, assignees, reviewers].every((names) => names.length === 0);
  const isShown = () =>
    !inputs.comment || entry.comment?.digest === shortHash(commentText(entry, facts, step, inputs));
  return isAction(step) || step.isReminder || !isSetUp || needsPreview(standing, run) || !isShown();
}

/** Acts on one docs pull request after the other, after the intents are in the ledger. */
async function act(
  run: LandRun,
  head: Head<LandLedger>,
  standings: Standing[],
  busy: readonly ReadStanding[],
  isFresh: () => boolean,
): Promise<LandOutcome> {
  const { store, remember, dependencies } = run;
  const { stop } = dependencies.cancellation;
  const results = busy.map(({ result }) => result);
  const mayGoOn = () => isFresh() && run.limits.error === null && !stop.aborted;
  for (const standing of busy) {
    if (!mayGoOn()) break;
    await new PullActs(standing, run).perform(() => remember(results));
    remember(results);
  }
  for (const standing of standings.filter(isRead)) {
    const isLast = standing.step.type === "ended" && standing.entry.comment !== null;
    if (isLast && mayGoOn()) await new PullActs(standing, run).show();
  }
  const outcome = {
    ...head,
    standings,
    error: run.limits.error ?? (stop.aborted ? cancelledRun() : null),
  };
  if (busy.length === 0) return outcome;
  const change = (edit: LandEdit) => takeResults(edit, store.options.runName, results);
  try {
    const after = await store.record(change);
    remember(null);
    return { ...outcome, ...after };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const what = `What was done could not be recorded: ${error.why}. The post step tries again.`;
    dependencies.log.warning(what);
    return outcome;
  }
}
