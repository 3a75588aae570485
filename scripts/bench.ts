// npm run bench: each action's whole process, from start to exit, against a script that sends the same
// requests with node:http alone, on loopback; the size of the bundles; and the waiting schedule, simulated.
//
//   --runs N    how often each side runs (default 40)
//   --only upkeep    measures upkeep alone; so do --only collect, --only queue and --only start-up
//   --variants    measures instead what two choices are worth: undici by its parts, and a flag of V8
//
// Exits with 1 past the bounds below. The times depend on what else the machine does, so it is no part of the tests.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { benchCollect } from "./bench/collect.ts";
import type { Bench } from "./bench/measure.ts";
import { benchQueue } from "./bench/queue.ts";
import { startServer } from "./bench/server.ts";
import { mostPollsInTenMinutes, simulation } from "./bench/simulate.ts";
import { benchStartUp, MAX_MEMORY_RATIO, MAX_TIME_RATIO } from "./bench/start-up.ts";
import { benchUpkeep } from "./bench/upkeep.ts";

/** Largest number of polls for a job of ten minutes. */
const MAX_POLLS = 50;

const root = resolve(import.meta.dirname, "..");
const work = mkdtempSync(join(tmpdir(), "docs-agent-bench-"));
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "40" },
    only: { type: "string" },
    variants: { type: "boolean", default: false },
  },
});
const bench: Bench = { runs: Number(values.runs), work, firstRequest: { at: undefined } };
const server = await startServer(() => {
  bench.firstRequest.at ??= process.hrtime.bigint();
});
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function measureAll(): Promise<void> {
  const { only } = values;
  let isWithin = true;
  if (only === undefined || only === "start-up") isWithin = await benchStartUp(bench, address);
  const others = { upkeep: benchUpkeep, collect: benchCollect, queue: benchQueue };
  for (const [name, measure] of Object.entries(others)) {
    if (only !== undefined && only !== name) continue;
    console.log(`\n${name.charAt(0).toUpperCase()}${name.slice(1)}:`);
    isWithin = (await measure(bench)) && isWithin;
  }

  console.log("\nBundles:");
  const posts = ["post", "ledger-post"];
  for (const entry of ["main", "jobs", "assistant", "upkeep", "collect", "queue", ...posts]) {
    const { size } = statSync(join(root, "dist", entry, "index.js"));
    console.log(`  dist/${entry}/index.js  ${(size / 1024).toFixed(0)} KiB`);
  }

  console.log("\nWaiting, simulated:\n");
  console.log(simulation());
  const most = mostPollsInTenMinutes();
  console.log(`\nMost polls for a job of ten minutes: ${most} (bound ${MAX_POLLS}).`);
  if (!isWithin || most > MAX_POLLS) {
    console.error(
      `\nPast the bounds: ${MAX_TIME_RATIO} × the time, ${MAX_MEMORY_RATIO} × the memory, ${MAX_POLLS} polls; those of upkeep, collect and the queue are beside what was measured.`,
    );
    process.exitCode = 1;
  }
}

try {
  console.log(`node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}`);
  console.log(`${bench.runs} runs of each in alternation, medians\n`);
  if (values.variants) {
    const { benchVariants } = await import("./bench/variants.ts");
    await benchVariants(bench, address);
  } else {
    await measureAll();
  }
} finally {
  server.close();
  rmSync(work, { recursive: true });
}
