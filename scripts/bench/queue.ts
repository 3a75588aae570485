// What a run of the queue costs, from the first of a thousand tasks to the last.
import { readFileSync, writeFileSync } from "node:fs";
import { MemoryServers } from "../../emulator/local-world/memory-servers.ts";
import { actionStep, fileOf, median, type Row, type Timed, time } from "./measure.ts";
import { serveMemory } from "./servers.ts";

const TASKS = 1_000;
const FILE = "tasks.json";
const MINUTE = 60_000;
/** In an hour, twenty runs with three tasks each: more than `per-hour` allows. */
const BETWEEN_RUNS = 3 * MINUTE;
const TAKES = 2 * MINUTE;
/** From how many tasks on the queue's runs are compared with those of one that has just begun. */
const LATE = 880;
/** How many runs of each, in alternation: other work on the machine affects both alike. */
const COMPARED = 30;
const MOST_RUNS = 1_000;

/** Works off a thousand tasks. */
export async function benchQueue(): Promise<Row[]> {
  const tasks = Array.from({ length: TASKS }, (_, nth) => ({
    id: `endpoint-${nth + 1}`,
    prompt: `Document endpoint ${nth + 1} with its parameters and an example.`,
  }));
  writeFileSync(fileOf(FILE), JSON.stringify(tasks));
  using late = await newQueue();
  using early = await newQueue();
  for (let run = 1; run <= 5; run++) await early.run();
  while (late.servers.agent.accepted.length < LATE) await late.run();
  for (let run = 1; run <= COMPARED; run++) {
    await early.run();
    await late.run();
  }
  const [first = 0, last = 0] = [early, late].map(({ runs }) =>
    median(runs.slice(-COMPARED).map(({ wall }) => wall)),
  );
  while (!late.results.has("finished")) await late.run();
  const prompts = late.servers.agent.accepted.map(({ prompt }) => prompt);
  if (prompts.length !== TASKS || new Set(prompts).size !== TASKS) {
    throw new Error(`${prompts.length} requests for ${TASKS} tasks`);
  }
  const most = (field: (run: Timed) => number) => Math.max(...late.runs.map(field));
  const writes = most(({ toGitHub }) => toGitHub.filter((it) => !it.startsWith("GET ")).length);
  return [
    ...[...late.results].map(([result, runs]): Row => [`${TASKS} tasks: ${result}`, runs, "runs"]),
    ["writes to GitHub in a run, at most", writes, "requests", 12],
    [
      "requests to GitHub in a run, at most",
      most(({ toGitHub }) => toGitHub.length),
      "requests",
      28,
    ],
    ["peak memory of a run, at most", most(({ memory }) => memory), "MiB", 120],
    ["time of a run of a new queue", first, "ms"],
    [`time of a run after ${LATE} tasks`, last, "ms"],
    [`time of a run after ${LATE} tasks to that of a new queue`, last / first, "×", 1.2],
  ];
}

/** A queue, and what its runs took. */
async function newQueue() {
  const servers = new MemoryServers(() => ({ outcome: "completed", takes: TAKES }));
  const server = await serveMemory(servers);
  const results = new Map<string, number>();
  const runs: Timed[] = [];
  const run = async () => {
    servers.now += BETWEEN_RUNS;
    runs.push(await time(actionStep("queue", server, { "tasks-file": FILE })));
    const outputs = readFileSync(fileOf("GITHUB_OUTPUT"), "utf8");
    const result = /^result<<(\S+)\n(.*)\n\1$/m.exec(outputs)?.[2] ?? "";
    results.set(result, 1 + (results.get(result) ?? 0));
    if (runs.length > MOST_RUNS) throw new Error(`not finished after ${MOST_RUNS} runs`);
  };
  const close = () => server[Symbol.dispose]();
  return { servers, results, runs, run, [Symbol.dispose]: close };
}
