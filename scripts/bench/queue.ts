// What a run of the queue costs, from the first of a thousand tasks to the last.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MemoryServers } from "../../emulator/local-world/memory/servers.ts";
import { type Bench, time, weigh } from "./measure.ts";
import { type Line, line, memoryAction, printLines, serving } from "./memory-action.ts";
import type { MemoryServer } from "./memory-server.ts";

/** Bounds: see docs/performance.md. */
const MAX_WRITES = 8;
const MAX_MEMORY = 120;
/** How much longer the last runs may take than the first: other work on the machine changes it. */
const MAX_GROWTH = 1.5;

const TASKS = 1_000;
const FILE = "tasks.json";
const MINUTE = 60_000;
/** In an hour, twenty runs with three tasks each: more than `per-hour` allows. */
const BETWEEN_RUNS = 3 * MINUTE;
const TAKES = 2 * MINUTE;
/** Every so often a run is weighed instead of timed. */
const WEIGHED = 20;
/** How many runs at the beginning and at the end are compared. */
const COMPARED = 100;
const MOST_RUNS = 1_000;

/** What the runs took. */
interface Measured {
  walls: number[];
  writes: number[];
  toGitHub: number[];
  memory: number[];
  results: Record<string, number>;
}

/** Works off a thousand tasks, prints what it took, and returns whether it stays within the bounds. */
export async function benchQueue(bench: Bench): Promise<boolean> {
  const tasks = Array.from({ length: TASKS }, (_, nth) => ({
    id: `endpoint-${nth + 1}`,
    prompt: `Document endpoint ${nth + 1} with its parameters and an example.`,
  }));
  writeFileSync(join(bench.work, FILE), JSON.stringify(tasks));
  const servers = new MemoryServers(() => ({ ending: "pull", takes: TAKES }));
  const lines = await serving(servers, bench, async (server) => {
    const measured = await workOff(servers, server, bench);
    const prompts = servers.agent.accepted.map(({ prompt }) => prompt);
    if (prompts.length !== TASKS || new Set(prompts).size !== TASKS) {
      throw new Error(`${prompts.length} requests for ${TASKS} tasks`);
    }
    return linesOf(measured);
  });
  return printLines(lines);
}

async function workOff(
  servers: MemoryServers,
  server: MemoryServer,
  bench: Bench,
): Promise<Measured> {
  const measured: Measured = { walls: [], writes: [], toGitHub: [], memory: [], results: {} };
  for (let run = 1, result = ""; result !== "finished"; run++) {
    if (run > MOST_RUNS) throw new Error(`not finished after ${MOST_RUNS} runs`);
    servers.now += BETWEEN_RUNS;
    server.requests.length = 0;
    const action = memoryAction("queue", server, bench.work, { "tasks-file": FILE });
    if (run % WEIGHED === 0) measured.memory.push(await weigh(action, bench));
    else measured.walls.push((await time(action, bench)).wall);
    const toGitHub = server.requests.filter((it) => !it.includes(" /v2/"));
    measured.toGitHub.push(toGitHub.length);
    measured.writes.push(toGitHub.filter((it) => !it.startsWith("GET ")).length);
    const outputs = readFileSync(join(bench.work, "output"), "utf8");
    result = /^result<<(\S+)\n(.*)\n\1$/m.exec(outputs)?.[2] ?? "";
    measured.results[result] = 1 + (measured.results[result] ?? 0);
  }
  return measured;
}

function linesOf({ walls, writes, toGitHub, memory, results }: Measured): Line[] {
  const first = median(walls.slice(0, COMPARED));
  const last = median(walls.slice(-COMPARED));
  const told = Object.entries(results).map(([result, count]) => `${count} ${result}`);
  console.log(`  ${TASKS} tasks in ${writes.length} runs: ${told.join(", ")}`);
  return [
    line("writes to GitHub in a run, at most", Math.max(...writes), MAX_WRITES),
    line("requests to GitHub in a run, at most", Math.max(...toGitHub), 20),
    line("MiB, at most", Math.max(...memory), MAX_MEMORY),
    line(
      `the first ${COMPARED} runs ${first.toFixed(0)} ms, the last ${last.toFixed(0)} ms; ratio`,
      last / first,
      MAX_GROWTH,
    ),
  ];
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
