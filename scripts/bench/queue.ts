// Measures a run of the queue after many tasks, and one at the beginning.
import { MemoryServers } from "../../emulator/local-world/memory-servers.ts";
import { actionStep, median, type Row, type Timed, time } from "./measure.ts";
import { serveMemory } from "./servers.ts";

const TASKS = 1_000;
const MINUTE = 60_000;
/** In an hour, twenty runs with three tasks each: more than `max-jobs-per-hour` allows. */
const BETWEEN_RUNS = 3 * MINUTE;
const TAKES = 2 * MINUTE;
/** Number of tasks after which the queue's runs are compared with those of a new queue. */
const LATE = 880;
/** Number of runs of each. They alternate, so that other load on the machine affects both alike. */
const COMPARED = 30;

export async function benchQueue(): Promise<Row[]> {
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
  const most = (field: (run: Timed) => number) => Math.max(...late.runs.map(field));
  const writes = most(
    ({ toGitHub }) => toGitHub.filter((request) => !request.startsWith("GET ")).length,
  );
  const requests = most(({ toGitHub }) => toGitHub.length);
  return [
    ["writes to GitHub in a run, at most", writes, "requests", 12],
    ["requests to GitHub in a run, at most", requests, "requests", 28],
    ["peak memory of a run, at most", most(({ memory }) => memory), "MiB", 120],
    ["time of a run of a new queue", first, "ms"],
    [`time of a run after ${LATE} tasks`, last, "ms"],
    [`time of a run after ${LATE} tasks to that of a new queue`, last / first, "×", 1.2],
  ];
}

interface MeasuredQueue extends Disposable {
  servers: MemoryServers;
  /** Every run so far. */
  runs: Timed[];
  run(): Promise<void>;
}

async function newQueue(): Promise<MeasuredQueue> {
  const tasks = Array.from({ length: TASKS }, (_, nth) => ({
    id: `endpoint-${nth + 1}`,
    prompt: `Document endpoint ${nth + 1} with its parameters and an example.`,
  }));
  const servers = new MemoryServers(() => ({ outcome: "completed", takes: TAKES }));
  const server = await serveMemory(servers);
  const workspaceFiles = { "tasks.json": JSON.stringify(tasks) };
  const step = actionStep("queue", server, { "tasks-file": "tasks.json" }, { workspaceFiles });
  const runs: Timed[] = [];
  const run = async () => {
    servers.now += BETWEEN_RUNS;
    runs.push(await time(step));
  };
  return { servers, runs, run, [Symbol.dispose]: () => server[Symbol.dispose]() };
}
