// Runs every workflow that the project shows under act, as real `uses:` steps, against the local world:
//
//   npm run try:examples             all
//   npm run try:examples -- upkeep   those whose name contains a text
//
// Needs act (https://github.com/nektos/act) in the PATH, or its path in ACT. Exits with 0 if all passed, with 1 if
// something failed, and with 2 if nothing was tried because act is missing.
import { Act, actVersion } from "./try-examples/act.ts";
import { planFor } from "./try-examples/plans.ts";
import { tryOut } from "./try-examples/trial.ts";
import { readSources } from "./try-examples/workflow.ts";

/** Lines of a failed run's log that are shown. */
const SHOWN_LINES = 40;
/** Trials at a time: what they do is mostly waiting. */
const AT_A_TIME = 3;
const MISSING = 2;
const INTERRUPTED = 130;

const version = actVersion();
if (version === undefined) {
  console.log(
    "Nothing was tried: act is missing. Install it (https://nektosact.com/installation/, or 'go install " +
      "github.com/nektos/act@latest'), or set ACT to its path.",
  );
  process.exitCode = MISSING;
} else {
  console.log(`act ${version}, Node ${process.versions.node}\n`);
  const act = new Act();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      act.close();
      process.exit(INTERRUPTED);
    });
  }
  try {
    await main(act, process.argv[2] ?? "");
  } finally {
    act.close();
  }
}

/** Tries them, a few at a time, and prints a table in order, each row as soon as it is known. */
async function main(act: Act, filter: string): Promise<void> {
  const plans = readSources()
    .map(planFor)
    .filter(({ id }) => id.includes(filter));
  const entries = plans.flatMap(({ id, source, trials }) =>
    Object.entries(trials).map(([trigger, trial]) => ({ id, trigger, source, trial })),
  );
  const widest = (titles: string[]) => Math.max(...titles.map(({ length }) => length));
  const workflows = widest(entries.map(({ id }) => id));
  const triggers = widest(entries.map(({ trigger }) => trigger));
  const tried: Promise<{ row: string; error: string | undefined; log: string[] }>[] = [];
  for (const [index, { id, trigger, source, trial }] of entries.entries()) {
    const attempt = async () => {
      await tried[index - AT_A_TIME];
      const begun = performance.now();
      const log: string[] = [];
      const error = await tryOut(act, source, [trigger, trial], (lines) => log.push(...lines)).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      const row = `${id.padEnd(workflows)}  ${trigger.padEnd(triggers)}  ${seconds.padStart(4)}`;
      return { row, error, log };
    };
    tried.push(attempt());
  }
  const failed: string[] = [];
  for await (const { row, error, log } of tried) {
    console.log(`${row}  ${error === undefined ? "ok" : `FAILED: ${error}`}`);
    const lines = log.slice(-SHOWN_LINES).map((line) => `  │ ${line.replaceAll("\n", "\n  │ ")}`);
    if (error !== undefined) failed.push([`\n${row}  ${error}`, ...lines].join("\n"));
  }
  for (const text of failed) console.log(text);
  const gaps = plans.filter(({ missing }) => missing.length > 0);
  for (const { id, missing } of gaps) {
    console.log(`Nothing is tried with ${id} (${missing.join(", ")}).`);
  }
  console.log(`\n${entries.length - failed.length} passed, ${failed.length} failed.`);
  if (entries.length === 0 || gaps.length + failed.length > 0) process.exitCode = 1;
}
