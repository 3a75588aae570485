// npm run bench: each action's whole process, from start to exit, against a script that sends the same
// requests with node:http alone, on loopback; and the size of the bundles.
//
//   --runs N    how often each side runs (default 40)
//   --only upkeep    measures upkeep alone; so do --only collect, --only queue, --only land, --only gate,
//                    --only doctor, --only start-up and --only days
//
// Exits with 1 if a value is above its bound. It is not part of the tests, because times depend on the machine's load.
import { statSync } from "node:fs";
import { cpus } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ACTIONS } from "./actions.ts";
import { benchCollect } from "./bench/collect.ts";
import { benchDays } from "./bench/days.ts";
import { benchLand } from "./bench/land.ts";
import type { Row } from "./bench/measure.ts";
import { benchQueue } from "./bench/queue.ts";
import { benchDoctor, benchGate, benchStartUp } from "./bench/start-up.ts";
import { benchUpkeep } from "./bench/upkeep.ts";

const { values } = parseArgs({
  options: { runs: { type: "string", default: "40" }, only: { type: "string" } },
});
const benches: Record<string, (runs: number) => Promise<Row[]>> = {
  "start-up": benchStartUp,
  upkeep: benchUpkeep,
  gate: benchGate,
  collect: benchCollect,
  queue: benchQueue,
  land: benchLand,
  doctor: benchDoctor,
  days: benchDays,
};

/** Prints a table. A value above its bound fails the command. */
function print(name: string, rows: readonly Row[]): void {
  const shown = rows.map(([measured, value, unit, bound]) => {
    const isPast = bound !== undefined && !(value <= bound);
    if (isPast) process.exitCode = 1;
    const rounded = Number(value.toFixed(value < 10 ? 2 : 0));
    const judged = bound === undefined ? {} : { "at most": bound, "": isPast ? "PAST" : "ok" };
    return { measured, value: rounded, unit, ...judged };
  });
  console.log(`\n${name}`);
  console.table(shown);
}

console.log(`node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}`);
console.log(`${values.runs} runs of each in alternation, medians`);
for (const [name, measure] of Object.entries(benches)) {
  if (values.only !== undefined && values.only !== name) continue;
  print(name, await measure(Number(values.runs)));
}

const dist = resolve(import.meta.dirname, "../dist");
const sizeOf = (entry: string) => statSync(resolve(dist, entry, "index.js")).size / 1024;
print(
  "bundles",
  ACTIONS.map(({ name }): Row => [`dist/${name}/index.js`, sizeOf(name), "KiB"]),
);
