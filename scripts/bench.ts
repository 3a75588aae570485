// npm run bench: each action's whole process, from start to exit, against a script that sends the same
// requests with node:http alone, on loopback; the size of the bundles; and the waiting schedule, simulated.
//
//   --runs N    how often each side runs (default 40)
//   --only upkeep    measures upkeep alone; so do --only collect, --only queue and --only start-up
//
// Exits with 1 past a bound. The times depend on what else the machine does, so it is no part of the tests.
import { globSync, statSync } from "node:fs";
import { cpus } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { benchCollect } from "./bench/collect.ts";
import { type Line, line } from "./bench/measure.ts";
import { benchQueue } from "./bench/queue.ts";
import { mostPollsInTenMinutes, simulation } from "./bench/simulate.ts";
import { benchStartUp } from "./bench/start-up.ts";
import { benchUpkeep } from "./bench/upkeep.ts";

/** Largest number of polls for a job of ten minutes. */
const MAX_POLLS = 50;

const { values } = parseArgs({
  options: { runs: { type: "string", default: "40" }, only: { type: "string" } },
});
const benches: Record<string, (runs: number) => Promise<Line[]>> = {
  "start-up": benchStartUp,
  upkeep: benchUpkeep,
  collect: benchCollect,
  queue: benchQueue,
};

function print(lines: readonly Line[]): void {
  for (const { text, isWithin } of lines) {
    console.log(`  ${isWithin ? "ok  " : "PAST"} ${text}`);
    if (!isWithin) process.exitCode = 1;
  }
}

console.log(`node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}`);
console.log(`${values.runs} runs of each in alternation, medians`);
for (const [name, measure] of Object.entries(benches)) {
  if (values.only !== undefined && values.only !== name) continue;
  console.log(`\n${name}:`);
  print(await measure(Number(values.runs)));
}

console.log("\nBundles:");
const dist = resolve(import.meta.dirname, "../dist");
for (const file of globSync("*/index.js", { cwd: dist }).sort()) {
  console.log(`  dist/${file}  ${(statSync(resolve(dist, file)).size / 1024).toFixed(0)} KiB`);
}
console.log(`\nWaiting, simulated:\n\n${simulation()}\n`);
print([line("polls for a job of ten minutes, at most", mostPollsInTenMinutes(), MAX_POLLS)]);
