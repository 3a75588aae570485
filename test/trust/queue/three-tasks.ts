import type { RunOptions, RunResult } from "../../../emulator/runner/runner.ts";
import { type QueueWorld, setQueueWorld } from "../../support/queue-world.ts";
import { RequestGate, type When } from "../../support/request-gate.ts";
import { namesIn } from "./file.ts";

/** Where a run is killed, and whether its post step follows. */
export interface Kill {
  at: number;
  when: When;
  post: boolean;
}

/** Past the time in which a claim may belong to a living run, in milliseconds. */
const PAST_LIVING = 11 * 60_000;
/** Most runs until a world is quiet. */
const MOST_RUNS = 8;
const NAMES = ["t1", "t2", "t3"];
const TASKS = JSON.stringify(NAMES.map((id) => ({ id, prompt: `Task ${id}.` })));

/** The requests of a run that nobody kills. */
export async function requestsOf(): Promise<string[]> {
  await using it = await setQueueWorld(TASKS);
  await using gate = new RequestGate();
  const ran = await it.run(await through(gate, it));
  if (ran.outputs.startedCount !== "3") throw new Error(`it does not start:\n${ran.stdout}`);
  return gate.requests;
}

/** Kills a run, runs until all is quiet, and returns what is wrong then, as sentences. */
export async function runKilled({ at, when, post }: Kill): Promise<string[]> {
  await using it = await setQueueWorld(TASKS);
  await using gate = new RequestGate({ at, when });
  const options = await through(gate, it);
  const run = it.start(options);
  const isReached = await Promise.race([gate.reached, run.result.then(() => false)]);
  run.signal("SIGKILL");
  const { state } = await run.result;
  if (!isReached) return ["the run ended without this request"];
  if (post) await it.run({ entry: "post", state });
  return await whatIsWrong(it);
}

/** Starts so many runs at the same moment; the same. */
export async function runAtOnce(count: number): Promise<string[]> {
  await using it = await setQueueWorld(TASKS);
  const ran = await Promise.all(Array.from({ length: count }, () => it.run()));
  const wrong = ran.flatMap((one) => (one.exitCode === 0 ? [] : [`a run fails:\n${one.stdout}`]));
  return [...wrong, ...(await whatIsWrong(it))];
}

/** Lets a gate stand before both servers. */
async function through(gate: RequestGate, { world }: QueueWorld): Promise<RunOptions> {
  return {
    apiUrl: await gate.before(world.github.url),
    inputs: { "base-url": await gate.before(world.service.url) },
  };
}

async function whatIsWrong(it: QueueWorld): Promise<string[]> {
  const wrong: string[] = [];
  let ran: RunResult | undefined;
  for (let run = 1; ran === undefined || !isQuiet(ran); run++) {
    await it.history.advance(PAST_LIVING);
    ran = await it.run();
    if (ran.exitCode !== 0) return [`a run afterwards fails:\n${ran.stdout}`];
    if (run === MOST_RUNS) return [`not quiet after ${run} runs:\n${ran.stdout}`];
  }
  const sent = (await it.prompts()).flatMap(namesIn);
  const open = (await it.dashboards()).filter(({ state }) => state === "open");
  if (open.length !== 1) wrong.push(`${open.length} open dashboards`);
  const visible = (open[0]?.body ?? "")
    .split(/^## /m)
    .filter((section) => /^(Waiting|Needs a decision)/.test(section))
    .flatMap(namesIn);
  for (const name of NAMES) {
    const times = sent.filter((it) => it === name).length;
    if (times > 1) wrong.push(`${name} is in ${times} accepted requests`);
    if (times === 0 && !visible.includes(name)) wrong.push(`${name} is lost:\n${open[0]?.body}`);
  }
  return wrong;
}

function isQuiet({ outputs }: RunResult): boolean {
  const isAtEnd = outputs.result === "idle" || outputs.result === "finished";
  return isAtEnd && outputs.runningCount === "0";
}
