// npm run cost: measures how long runs of the bundles take that do not wait, and sweeps; and prints the minutes
// that GitHub bills for a day of jobs, waiting against collecting: the table of docs/cost.md.
//
//   --runs N    how often each is measured (default 15)
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { MemoryServers, REPOSITORY } from "../emulator/local-world/memory/servers.ts";
import { type Side, time } from "./bench/measure.ts";
import { serveMemory } from "./bench/memory-server.ts";
import { costTable, type RunTimes } from "./cost/minutes.ts";

/** Comments that a measured sweep finishes. */
const FINISHED = 20;
const MINUTE = 60_000;

const root = resolve(import.meta.dirname, "..");
const work = mkdtempSync(join(tmpdir(), "docs-agent-cost-"));
const { values } = parseArgs({ options: { runs: { type: "string", default: "15" } } });

const servers = new MemoryServers(() => ({ outcome: "none", takes: MINUTE }));
servers.now = Date.now() - 10 * MINUTE;
const given = { title: "Docs" };
servers.issues.answer("POST", "/issues", { query: new URLSearchParams(), given });
const issue = String(servers.issues.issues[0]?.number);
const server = await serveMemory(servers, () => {});

/** An action as a runner starts it. */
function step(entry: string, inputs: Record<string, string>): Side {
  const files = { GITHUB_OUTPUT: "output", GITHUB_STATE: "state", GITHUB_STEP_SUMMARY: "summary" };
  const paths = Object.entries(files).map(([name, file]) => [name, join(work, file)] as const);
  for (const [, path] of paths) writeFileSync(path, "");
  writeFileSync(join(work, "event.json"), "{}");
  const all = {
    ...{ "api-key": "mint_cost", "project-id": "docs", "github-token": "ghs_cost" },
    ...{ "github-api-url": server.address, "base-url": server.address },
    ...inputs,
  };
  const env = Object.entries(all).map(([key, value]) => [`INPUT_${key.toUpperCase()}`, value]);
  return {
    ...{ name: entry, file: join(root, "dist", entry, "index.js"), args: [] },
    env: {
      ...Object.fromEntries([...env, ...paths]),
      ...{ GITHUB_EVENT_NAME: "schedule", GITHUB_EVENT_PATH: join(work, "event.json") },
      ...{ GITHUB_REPOSITORY: REPOSITORY, GITHUB_RUN_ID: "1", GITHUB_RUN_ATTEMPT: "1" },
      GITHUB_SERVER_URL: "https://github.com",
    },
  };
}

/** Seconds that a step takes, from its process's start to its exit. */
async function seconds(entry: string, inputs: Record<string, string>): Promise<number> {
  const bench = { runs: 1, work, firstRequest: { at: undefined } };
  return (await time(step(entry, inputs), bench)).wall / 1000;
}

function median(numbers: readonly number[]): number {
  return (
    [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN
  );
}

async function measure(): Promise<RunTimes> {
  const [starts, sweeps, finishes]: number[][] = [[], [], []];
  const starting = { prompt: "Document it.", wait: "false", "issue-number": issue };
  for (let run = 0; run < Number(values.runs); run++) {
    sweeps?.push(await seconds("collect", {}));
    for (let job = 0; job < FINISHED; job++) starts?.push(await seconds("main", starting));
    servers.now += 2 * MINUTE;
    finishes?.push(await seconds("collect", {}));
    servers.issues.comments = [];
  }
  const sweep = median(sweeps ?? []);
  return {
    start: median(starts ?? []),
    sweep,
    finish: (median(finishes ?? []) - sweep) / FINISHED,
  };
}

try {
  const times = await measure();
  const shown = Object.entries(times).map(([name, value]) => `${name} ${value.toFixed(3)} s`);
  console.log(`Measured, node ${process.version}: ${shown.join(", ")}\n`);
  console.log(costTable(times));
} finally {
  server.close();
  rmSync(work, { recursive: true });
}
