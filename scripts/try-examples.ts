// Runs every workflow that the project shows under act, as real `uses:` steps, against the local world:
//
//   npm run try:examples             all
//   npm run try:examples -- upkeep   those whose name contains a text
//
// Needs act (https://github.com/nektos/act) in the PATH, or its path in ACT. Exits with 0 if all passed, with 1 if
// something failed, and with 2 if nothing was tried because act is missing.
import { Act, actVersion } from "./try-examples/act.ts";
import { readSources } from "./try-examples/sources.ts";
import { headOf, lineOf, type Row, widthsOf } from "./try-examples/table.ts";
import type { Trial } from "./try-examples/trial.ts";
import { TrialSetup } from "./try-examples/trial-setup.ts";
import { type Plan, planFor, workflowOf } from "./try-examples/trials.ts";

/** Lines of a failed run's log that are shown. */
const SHOWN_LINES = 40;
/** Trials at a time: what they do is mostly waiting. */
const AT_A_TIME = 3;
const MISSING = 2;
const INTERRUPTED = 130;

interface Entry {
  plan: Plan;
  trial: Trial;
}

interface Tried {
  row: Row;
  replaced: string[];
  log: string[];
}

const version = actVersion();
if (version === undefined) {
  console.log(
    "Nothing was tried: act is missing. Install it (https://nektosact.com/installation/, or 'go install " +
      "github.com/nektos/act@latest'), or set ACT to its path.",
  );
  process.exitCode = MISSING;
} else {
  await main(version, process.argv[2] ?? "");
}

async function main(actVersion: string, filter: string): Promise<void> {
  const plans = readSources().map(planFor);
  const entries = plans
    .flatMap((plan) => plan.trials.map((trial) => ({ plan, trial })))
    .filter(({ plan }) => plan.id.includes(filter));
  const gaps = plans.filter(({ id, missing }) => id.includes(filter) && missing.length > 0);
  const act = new Act();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      act.close();
      process.exit(INTERRUPTED);
    });
  }
  try {
    console.log(`act ${actVersion}, Node ${process.versions.node}\n`);
    const tried = await tryAll(act, entries);
    for (const { id, missing } of gaps) {
      console.log(`Nothing is tried with ${id} (${missing.join(", ")}).`);
    }
    report(tried);
    const isFine = tried.length > 0 && gaps.length === 0 && tried.every(({ row }) => row.isPassed);
    process.exitCode = isFine ? 0 : 1;
  } finally {
    act.close();
  }
}

/** Tries them, a few at a time, and prints their rows in order. */
async function tryAll(act: Act, entries: Entry[]): Promise<Tried[]> {
  const widths = widthsOf(
    entries.map(({ plan, trial }) => ({ workflow: plan.id, trigger: trial.name })),
  );
  console.log(headOf(widths));
  const results: Promise<Tried>[] = [];
  for (const [index, entry] of entries.entries()) {
    const before = results[index - AT_A_TIME];
    results.push(Promise.resolve(before).then(() => tryOne(act, entry)));
  }
  const tried: Tried[] = [];
  for (const result of results) {
    const one = await result;
    console.log(lineOf(one.row, widths));
    tried.push(one);
  }
  return tried;
}

async function tryOne(act: Act, { plan, trial }: Entry): Promise<Tried> {
  const start = performance.now();
  const row = (isPassed: boolean, result: string): Row => ({
    ...{ workflow: plan.id, trigger: trial.name, isPassed, result },
    seconds: (performance.now() - start) / 1000,
  });
  let setup: TrialSetup | undefined;
  const seen = () => ({
    replaced: [...(setup?.replaced ?? [])],
    log: setup?.runs.flatMap(({ log }) => log) ?? [],
  });
  try {
    setup = await TrialSetup.open(act, workflowOf(plan.source, trial), trial);
    const result = await trial.try(setup);
    const note = seen().replaced.map((one) => ` [${one}]`);
    return { row: row(true, result + note.join("")), ...seen() };
  } catch (error) {
    return { row: row(false, error instanceof Error ? error.message : String(error)), ...seen() };
  } finally {
    await setup?.close();
  }
}

function report(tried: Tried[]): void {
  const failed = tried.filter(({ row }) => !row.isPassed);
  for (const { row, log } of failed) {
    console.log(`\n${row.workflow}, ${row.trigger}: ${row.result}`);
    for (const line of log.slice(-SHOWN_LINES))
      console.log(`  │ ${line.replaceAll("\n", "\n  │ ")}`);
  }
  const count = tried.length - failed.length;
  console.log(`\n${count} passed, ${failed.length} failed.`);
}
