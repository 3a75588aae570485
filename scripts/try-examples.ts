// Runs every workflow that the project shows with act, as real `uses:` steps, against the local world:
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
/** Trials at a time. They mostly wait. */
const AT_A_TIME = 3;
const MISSING = 2;
const INTERRUPTED = 130;

const version = actVersion();
if (version === undefined) {
  console.log(
    "Nothing was tried: act is missing. Install it (https://nektosact.com/installation/, or 'go install " +
      "github.com/nektos/act@latest'), or set ACT to its path.",
  );
  process.exit(MISSING);
}
console.log(`act ${version}, Node ${process.versions.node}\n`);
const act = new Act();
process.once("exit", () => act.close());
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(INTERRUPTED));

const plans = readSources()
  .map(planFor)
  .filter(({ id }) => id.includes(process.argv[2] ?? ""));
const entries = plans.flatMap(({ id, source, trials }) =>
  Object.entries(trials).map((entry) => ({ title: `${id}, ${entry[0]}`, source, entry })),
);
const failed: string[] = [];
const queue = entries.values();
/** Runs one trial after the other, and prints a line at the end of each. */
const worker = async () => {
  for (const { title, source, entry } of queue) {
    const begun = performance.now();
    const log: string[] = [];
    let error = "";
    try {
      await tryOut(act, source, entry, (lines) => log.push(...lines));
    } catch (thrown) {
      error = `: ${thrown instanceof Error ? thrown.message : thrown}`;
      const lines = log.slice(-SHOWN_LINES).join("\n").replaceAll("\n", "\n  │ ");
      failed.push(`\n${title}${error}\n  │ ${lines}`);
    }
    const seconds = ((performance.now() - begun) / 1000).toFixed(1).padStart(5);
    console.log(`${error ? "FAILED" : "ok    "} ${seconds} s  ${title}${error}`);
  }
};
await Promise.all(Array.from({ length: AT_A_TIME }, worker));
for (const text of failed) console.log(text);
console.log(`\n${entries.length - failed.length} passed, ${failed.length} failed.`);
if (entries.length === 0 || failed.length > 0) process.exitCode = 1;
