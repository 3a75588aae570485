// What a run of the queue costs, from the first of a thousand tasks to the last.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MemoryServers } from "../../emulator/local-world/memory-servers.ts";
import { type Line, line, printLines } from "./lines.ts";
import { type Bench, median, time, weigh } from "./measure.ts";
import { memoryAction, serving } from "./memory-action.ts";
import type { MemoryServer } from "./memory-server.ts";

/** Bounds: see docs/performance.md. */
const MAX_WRITES = 12;
const MAX_REQUESTS = 28;
const MAX_MEMORY = 120;
/** How much longer a late run may take than an early one. */
const MAX_GROWTH = 1.2;

const TASKS = 1_000;
const FILE = "tasks.json";
const MINUTE = 60_000;
/** In an hour, twenty runs with three tasks each: more than `per-hour` allows. */
const BETWEEN_RUNS = 3 * MINUTE;
const TAKES = 2 * MINUTE;
/** Every so often a run is weighed instead of timed. */
const WEIGHED = 20;
/** From how many tasks on the queue's runs are compared with those of one that has just begun. */
const LATE = 880;
/** How many runs of each, in alternation: other work on the machine affects both alike. */
const COMPARED = 30;
const MOST_RUNS = 1_000;

/** Works off a thousand tasks, prints what it took, and returns whether it stays within the bounds. */
export async function benchQueue(bench: Bench): Promise<boolean> {
  const tasks = Array.from({ length: TASKS }, (_, nth) => ({
    id: `endpoint-${nth + 1}`,
    prompt: `Document endpoint ${nth + 1} with its parameters and an example.`,
  }));
  writeFileSync(join(bench.work, FILE), JSON.stringify(tasks));
  const late = newServers();
  const early = newServers();
  const lines = await serving(late, bench, (lateServer) =>
    serving(early, bench, async (earlyServer) => {
      const queue = new MeasuredQueue(late, lateServer, bench);
      const fresh = new MeasuredQueue(early, earlyServer, bench);
      for (let run = 1; run <= 5; run++) await fresh.run();
      while (late.agent.accepted.length < LATE) await queue.run();
      const walls: { early: number; late: number }[] = [];
      for (let run = 1; run <= COMPARED; run++) {
        walls.push({ early: await fresh.run(), late: await queue.run() });
      }
      while (!("finished" in queue.results)) await queue.run();
      checkRequests(late);
      return [
        ...queue.lines(),
        growth(medianTime(walls.map((it) => it.early)), medianTime(walls.map((it) => it.late))),
      ];
    }),
  );
  return printLines(lines);
}

function newServers(): MemoryServers {
  return new MemoryServers(() => ({ outcome: "completed", takes: TAKES }));
}

function checkRequests({ agent }: MemoryServers): void {
  const prompts = agent.accepted.map(({ prompt }) => prompt);
  if (prompts.length !== TASKS || new Set(prompts).size !== TASKS) {
    throw new Error(`${prompts.length} requests for ${TASKS} tasks`);
  }
}

function growth(early: number, late: number): Line {
  const what = `after ${LATE} tasks ${late.toFixed(0)} ms a run, after none ${early.toFixed(0)} ms; ratio`;
  return line(what, late / early, MAX_GROWTH);
}

/** A queue, and what its runs took. */
class MeasuredQueue {
  readonly results: Record<string, number> = {};
  readonly #servers: MemoryServers;
  readonly #server: MemoryServer;
  readonly #bench: Bench;
  readonly #writes: number[] = [];
  readonly #toGitHub: number[] = [];
  readonly #memory: number[] = [];

  constructor(servers: MemoryServers, server: MemoryServer, bench: Bench) {
    this.#servers = servers;
    this.#server = server;
    this.#bench = bench;
  }

  /** One run; how long it took, in milliseconds. */
  async run(): Promise<number> {
    const { work } = this.#bench;
    this.#servers.now += BETWEEN_RUNS;
    this.#server.requests.length = 0;
    const action = memoryAction("queue", this.#server, this.#bench, { "tasks-file": FILE });
    let wall = Number.NaN;
    if (this.#writes.length % WEIGHED === 0) this.#memory.push(await weigh(action, this.#bench));
    else wall = (await time(action, this.#bench)).wall;
    const toGitHub = this.#server.requests.filter((it) => !it.includes(" /v2/"));
    this.#toGitHub.push(toGitHub.length);
    this.#writes.push(toGitHub.filter((it) => !it.startsWith("GET ")).length);
    const outputs = readFileSync(join(work, "output"), "utf8");
    const result = /^result<<(\S+)\n(.*)\n\1$/m.exec(outputs)?.[2] ?? "";
    this.results[result] = 1 + (this.results[result] ?? 0);
    if (this.#writes.length > MOST_RUNS) throw new Error(`not finished after ${MOST_RUNS} runs`);
    return wall;
  }

  lines(): Line[] {
    const told = Object.entries(this.results).map(([result, count]) => `${count} ${result}`);
    console.log(`  ${TASKS} tasks in ${this.#writes.length} runs: ${told.join(", ")}`);
    return [
      line("writes to GitHub in a run, at most", Math.max(...this.#writes), MAX_WRITES),
      line("requests to GitHub in a run, at most", Math.max(...this.#toGitHub), MAX_REQUESTS),
      line("MiB, at most", Math.max(...this.#memory), MAX_MEMORY),
    ];
  }
}

/** Runs that were weighed have no time. */
function medianTime(walls: readonly number[]): number {
  return median(walls.filter((it) => !Number.isNaN(it)));
}
