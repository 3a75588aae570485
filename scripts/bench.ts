// npm run bench: each action's whole process, from start to exit, against a script that sends the same
// requests with node:http alone, on loopback; the size of the bundles; and the waiting schedule, simulated.
//
//   --runs N    how often each side runs (default 40)
//   --only upkeep    measures upkeep alone; so do --only collect and --only queue
//
// Exits with 1 past the bounds below. The times depend on what else the machine does, so it is no part of the tests.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { benchCollect } from "./bench/collect.ts";
import { alternate, type Result, type Side } from "./bench/measure.ts";
import { benchQueue } from "./bench/queue.ts";
import { startServer } from "./bench/server.ts";
import { mostPollsInTenMinutes, simulation, table } from "./bench/simulate.ts";
import { benchUpkeep } from "./bench/upkeep.ts";

/** How much more than the bare script an action may take. */
const MAX_TIME_RATIO = 2.0;
const MAX_MEMORY_RATIO = 1.5;
/** Largest number of polls for a job of ten minutes. */
const MAX_POLLS = 50;

const root = resolve(import.meta.dirname, "..");
const work = mkdtempSync(join(tmpdir(), "docs-agent-bench-"));
const { values } = parseArgs({
  options: { runs: { type: "string", default: "40" }, only: { type: "string" } },
});
const runs = Number(values.runs);

interface Scenario {
  /** As the bare script and the table name it. */
  name: string;
  entry: string;
  inputs: Record<string, string>;
}

const SCENARIOS: Scenario[] = [
  {
    name: "job",
    entry: "main",
    inputs: {
      "project-id": "docs",
      prompt: "Bring the documentation up to date.",
      "poll-interval-seconds": "0.001",
      "issue-number": "1",
    },
  },
  { name: "jobs", entry: "jobs", inputs: { "project-id": "docs" } },
  {
    name: "assistant",
    entry: "assistant",
    inputs: { domain: "docs", question: "How do I rotate a key?" },
  },
];

const firstRequest: { at: bigint | undefined } = { at: undefined };
const server = await startServer(() => {
  firstRequest.at ??= process.hrtime.bigint();
});
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** The action as a runner starts it. */
function action({ name, entry, inputs }: Scenario): Side {
  for (const file of ["output", "state", "summary"]) writeFileSync(join(work, file), "");
  writeFileSync(join(work, "event.json"), "{}");
  const all = {
    "api-key": "mint_bench",
    "github-token": "ghs_bench",
    "github-api-url": address,
    "base-url": address,
    ...inputs,
  };
  const given = Object.entries(all).map(([key, value]) => [`INPUT_${key.toUpperCase()}`, value]);
  return {
    name: `the action (${name})`,
    file: join(root, "dist", entry, "index.js"),
    args: [],
    env: {
      ...Object.fromEntries(given),
      GITHUB_EVENT_NAME: "schedule",
      GITHUB_EVENT_PATH: join(work, "event.json"),
      GITHUB_REPOSITORY: "acme/docs",
      GITHUB_RUN_ID: "1",
      GITHUB_RUN_ATTEMPT: "1",
      GITHUB_OUTPUT: join(work, "output"),
      GITHUB_STATE: join(work, "state"),
      GITHUB_STEP_SUMMARY: join(work, "summary"),
    },
  };
}

/**
 * The same script as CommonJS. It starts faster: to import node:http, a module has to look at all that it
 * exports, and with that loads Node's own fetch.
 */
function bareCommonJs({ name }: Scenario): Side {
  const source = readFileSync(join(root, "scripts/bench/bare.mjs"), "utf8");
  const file = join(work, "bare.cjs");
  const required = 'const { request } = require("node:http");';
  writeFileSync(
    file,
    source.replace(/^import .*"node:http";$/m, required).replace(/^await scripts/m, "scripts"),
  );
  return { ...bare({ name, entry: "", inputs: {} }), name: `bare CommonJS (${name})`, file };
}

function bare({ name }: Scenario): Side {
  return {
    name: `bare script (${name})`,
    file: join(root, "scripts/bench/bare.mjs"),
    args: [name],
    env: { SERVICE: address, GITHUB: address },
  };
}

/** Rows of the table for one scenario, and whether it stays within the bounds. */
function compare(name: string, yardstick: Result, commonJs: Result, measured: Result) {
  const time = measured.wall / yardstick.wall;
  const memory = measured.memory / yardstick.memory;
  const row = [
    name,
    `${yardstick.wall.toFixed(0)} ms`,
    `${measured.wall.toFixed(0)} ms`,
    time.toFixed(2),
    `${commonJs.wall.toFixed(0)} ms`,
    (measured.wall / commonJs.wall).toFixed(2),
    `${measured.first.toFixed(0)} ms`,
    `${yardstick.memory.toFixed(0)} MiB`,
    `${measured.memory.toFixed(0)} MiB`,
    memory.toFixed(2),
  ];
  return { row, isWithin: time <= MAX_TIME_RATIO && memory <= MAX_MEMORY_RATIO };
}

try {
  console.log(`node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}`);
  console.log(`${runs} runs of each in alternation, medians\n`);
  const head =
    "action|script|action|ratio|script, CommonJS|ratio|first request|script|action|ratio".split(
      "|",
    );
  const rows = [head, head.map(() => "---")];
  let isWithin = true;
  const scenarios = values.only === undefined ? SCENARIOS : [];
  for (const scenario of scenarios) {
    const sides = [bare(scenario), bareCommonJs(scenario), action(scenario)];
    const [yardstick, commonJs, measured] = await alternate(sides, { runs, work, firstRequest });
    if (!yardstick || !commonJs || !measured) throw new Error("nothing was measured");
    const compared = compare(scenario.name, yardstick, commonJs, measured);
    rows.push(compared.row);
    isWithin &&= compared.isWithin;
  }
  console.log(table(rows));

  const bench = { runs, work, firstRequest };
  const others = { upkeep: benchUpkeep, collect: benchCollect, queue: benchQueue };
  for (const [name, measure] of Object.entries(others)) {
    if (values.only !== undefined && values.only !== name) continue;
    console.log(`\n${name.charAt(0).toUpperCase()}${name.slice(1)}:`);
    isWithin = (await measure(bench)) && isWithin;
  }

  console.log("\nBundles:");
  const posts = ["post", "upkeep-post", "queue-post"];
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
} finally {
  server.close();
  rmSync(work, { recursive: true });
}
