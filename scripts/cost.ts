// npm run cost: prints the example and the tables of docs/cost.md: what a month of upkeep costs, and the minutes that
// GitHub bills for a day of jobs, waiting against collecting. For the latter, it measures how long runs of the
// bundles take that do not wait, and sweeps.
//
//   --runs N    how often each is measured (default 15)
import { parseArgs } from "node:util";
import { MemoryServers } from "../emulator/local-world/memory-servers.ts";
import { actionStep, median, time } from "./bench/measure.ts";
import { serveMemory } from "./bench/servers.ts";
import { costTable, type RunTimes } from "./cost/minutes.ts";
import { monthTable, sizeTable, typicalMonth } from "./cost/month.ts";

/** Comments that a measured sweep finishes. */
const FINISHED = 20;
const MINUTE = 60_000;

const { values } = parseArgs({ options: { runs: { type: "string", default: "15" } } });

const servers = new MemoryServers(() => ({ outcome: "no-changes", takes: MINUTE }));
servers.now = Date.now() - 10 * MINUTE;
const issue = String(servers.repository.openIssue({ title: "Docs" }).number);
using server = await serveMemory(servers);

/** Seconds that a step takes, from its process's start to its exit. */
async function seconds(entry: string, inputs: Record<string, string>): Promise<number> {
  return (await time(actionStep(entry, server, inputs))).wall / 1000;
}

async function measure(): Promise<RunTimes> {
  const [starts, sweeps, finishes]: number[][] = [[], [], []];
  const starting = { prompt: "Document it.", wait: "false", "issue-number": issue };
  for (let run = 0; run < Number(values.runs); run++) {
    sweeps?.push(await seconds("collect", {}));
    for (let job = 0; job < FINISHED; job++) starts?.push(await seconds("main", starting));
    servers.now += 2 * MINUTE;
    finishes?.push(await seconds("collect", {}));
    for (const comment of servers.repository.commentsOn(Number(issue))) {
      servers.repository.setComment(comment, null);
    }
  }
  const sweep = median(sweeps ?? []);
  return {
    start: median(starts ?? []),
    sweep,
    finish: (median(finishes ?? []) - sweep) / FINISHED,
  };
}

for (const text of [typicalMonth(), monthTable(), sizeTable()]) console.log(`${text}\n`);
const times = await measure();
const shown = Object.entries(times).map(([name, value]) => `${name} ${value.toFixed(3)} s`);
console.log(`Measured, node ${process.version}: ${shown.join(", ")}\n`);
console.log(costTable(times));
