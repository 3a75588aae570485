// Runs every workflow that the project shows under act, as real `uses:` steps, against the local world:
//
//   npm run try:examples             all
//   npm run try:examples -- upkeep   those whose name contains a text
//
// Needs act (https://github.com/nektos/act) in the PATH, or its path in ACT. Exits with 0 if all passed, with 1 if
// something failed, and with 2 if nothing was tried because act is missing.
import { Act, actVersion } from "./try-examples/act.ts";
import { type Plan, planFor, workflowOf } from "./try-examples/plans.ts";
import { type Trial, TrialWorld } from "./try-examples/trial.ts";
import { readSources } from "./try-examples/workflow.ts";

/** Lines of a failed run's log that are shown. */
const SHOWN_LINES = 40;
/** Trials at a time: what they do is mostly waiting. */
const AT_A_TIME = 3;
const MISSING = 2;
const INTERRUPTED = 130;

interface Entry {
  plan: Plan;
  trigger: string;
  trial: Trial;
}

interface Tried {
  entry: Entry;
  isPassed: boolean;
  /** What was seen, or what is wrong. */
  result: string;
  seconds: number;
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
  const plans = readSources()
    .map(planFor)
    .filter(({ id }) => id.includes(filter));
  const entries = plans.flatMap((plan) =>
    Object.entries(plan.trials).map(([trigger, trial]): Entry => ({ plan, trigger, trial })),
  );
  const gaps = plans.filter(({ missing }) => missing.length > 0);
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
    const isFine = tried.length > 0 && gaps.length === 0 && tried.every((one) => one.isPassed);
    process.exitCode = isFine ? 0 : 1;
  } finally {
    act.close();
  }
}

/** Tries them, a few at a time, and prints a table in order, each row as soon as it is known. */
async function tryAll(act: Act, entries: readonly Entry[]): Promise<Tried[]> {
  const widest = (titles: string[]) => Math.max(...titles.map(({ length }) => length));
  const workflows = widest(["workflow", ...entries.map(({ plan }) => plan.id)]);
  const triggers = widest(["trigger", ...entries.map(({ trigger }) => trigger)]);
  const row = (workflow: string, trigger: string, seconds: string, result: string) =>
    console.log(
      [workflow.padEnd(workflows), trigger.padEnd(triggers), seconds.padStart(4), result].join(
        "  ",
      ),
    );
  row("workflow", "trigger", "s", "result");
  const results: Promise<Tried>[] = [];
  for (const [index, entry] of entries.entries()) {
    const before = results[index - AT_A_TIME];
    results.push(Promise.resolve(before).then(() => tryOne(act, entry)));
  }
  const tried: Tried[] = [];
  for await (const { entry, isPassed, result, seconds, ...rest } of results) {
    const shown = `${isPassed ? "ok" : "FAILED"}: ${result.replaceAll(/\s+/g, " ")}`;
    row(entry.plan.id, entry.trigger, seconds.toFixed(1), shown);
    tried.push({ entry, isPassed, result, seconds, ...rest });
  }
  return tried;
}

async function tryOne(act: Act, entry: Entry): Promise<Tried> {
  const start = performance.now();
  let world: TrialWorld | undefined;
  const tried = (isPassed: boolean, result: string): Tried => ({
    ...{ entry, isPassed, result, seconds: (performance.now() - start) / 1000 },
    log: world?.runs.flatMap(({ log }) => log) ?? [],
  });
  try {
    world = await TrialWorld.open(act, workflowOf(entry.plan.source, entry.trial), entry.trial);
    return tried(true, await entry.trial.try(world));
  } catch (error) {
    return tried(false, error instanceof Error ? error.message : String(error));
  } finally {
    await world?.close();
  }
}

function report(tried: readonly Tried[]): void {
  const failed = tried.filter(({ isPassed }) => !isPassed);
  for (const { entry, result, log } of failed) {
    console.log(`\n${entry.plan.id}, ${entry.trigger}: ${result}`);
    for (const line of log.slice(-SHOWN_LINES)) {
      console.log(`  │ ${line.replaceAll("\n", "\n  │ ")}`);
    }
  }
  console.log(`\n${tried.length - failed.length} passed, ${failed.length} failed.`);
}
