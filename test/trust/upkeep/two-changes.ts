import type { RunOptions, RunResult } from "../../../emulator/runner/runner.ts";
import { RequestGate, type When } from "../../support/request-gate.ts";
import { setUpkeepWorld, type UpkeepWorld } from "../../support/upkeep-world.ts";

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

/** A world with two changes that no run has seen. */
export async function twoChanges(): Promise<UpkeepWorld & { urls: string[] }> {
  const it = await setUpkeepWorld();
  const one = await it.history.land({ title: "Add retries" }, "squash");
  const two = await it.history.push({ message: "Rename a flag" });
  const { url, repository } = it.world.github;
  const urls = [`${url}/${repository}/pull/${one.number}`, `${url}/${repository}/commit/${two}`];
  return { ...it, urls };
}

/** The requests of a run that nobody kills. */
export async function requestsOf(): Promise<string[]> {
  await using it = await twoChanges();
  await using gate = new RequestGate();
  const ran = await it.run(await through(gate, it));
  if (ran.outputs.result !== "started") throw new Error(`it does not hand over:\n${ran.stdout}`);
  return gate.requests;
}

/** Kills a run, runs until all is quiet, and returns what is wrong then, as sentences. */
export async function runKilled({ at, when, post }: Kill): Promise<string[]> {
  await using it = await twoChanges();
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
  await using it = await twoChanges();
  const ran = await Promise.all(Array.from({ length: count }, () => it.run()));
  const wrong = ran.flatMap((one) => (one.exitCode === 0 ? [] : [`a run fails:\n${one.stdout}`]));
  return [...wrong, ...(await whatIsWrong(it))];
}

/** Lets a gate stand before both servers. */
async function through(gate: RequestGate, { world }: UpkeepWorld): Promise<RunOptions> {
  return {
    apiUrl: await gate.before(world.github.url),
    inputs: { "base-url": await gate.before(world.service.url) },
  };
}

async function whatIsWrong(it: UpkeepWorld & { urls: string[] }): Promise<string[]> {
  const wrong: string[] = [];
  let ran: RunResult | undefined;
  for (let run = 1; ran === undefined || !isQuiet(ran); run++) {
    await it.history.advance(PAST_LIVING);
    ran = await it.run();
    if (ran.exitCode !== 0) return [`a run afterwards fails:\n${ran.stdout}`];
    if (run === MOST_RUNS) return [`not quiet after ${run} runs:\n${ran.stdout}`];
  }
  const prompts = await it.prompts();
  const open = (await it.dashboards()).filter(({ state }) => state === "open");
  if (open.length !== 1) wrong.push(`${open.length} open dashboards`);
  const visible = (open[0]?.body ?? "")
    .split(/^## /m)
    .filter((section) => /^(Waiting|Needs a decision)/.test(section))
    .join();
  for (const url of it.urls) {
    const times = prompts.filter((prompt) => prompt.includes(url)).length;
    if (times > 1) wrong.push(`${url} is in ${times} accepted requests`);
    if (times === 0 && !visible.includes(url)) wrong.push(`${url} is lost:\n${open[0]?.body}`);
  }
  return wrong;
}

function isQuiet({ outputs }: RunResult): boolean {
  return outputs.result === "idle" && outputs.finished === "[]";
}
