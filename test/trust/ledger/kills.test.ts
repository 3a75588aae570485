import { expect, test } from "vitest";
import type { RunResult } from "../../../emulator/runner/runner.ts";
import { testKills } from "../../support/kills.ts";
import { HOUR, MINUTE, startWorld, type World } from "../../support/world/world.ts";

const LIMIT = 10 * MINUTE;
/** Past the time in which an intent may belong to a living run, in milliseconds. */
const PAST_LIFETIME = 11 * MINUTE;
/** Most runs until nothing is left to do. */
const MOST_RUNS = 8;

/** A world in which the next run of an action has something to do. */
interface Scene {
  world: World;
  action: "upkeep" | "queue";
  /** What is to be sent once. */
  items: readonly string[];
}

interface Story {
  name: string;
  set(): Promise<Scene>;
  /** What the run ends with that nobody kills. */
  result: string;
}

const TASKS = ["one", "two", "three"];

const STORIES: readonly Story[] = [
  { name: "the first run of upkeep", set: setUpChanges, result: "started" },
  {
    name: "a run of upkeep that finds a batch at its end",
    result: "continued",
    set: async () => {
      const it = await setUpChanges();
      await it.world.run("upkeep");
      await it.world.passTime(HOUR);
      const sha = it.world.github.home.push({ message: "Add a limit" });
      return { ...it, items: [...it.items, sha] };
    },
  },
  { name: "the first run of a queue", set: setUpTasks, result: "started" },
  {
    name: "a run of a queue that finds tasks at their end",
    result: "started",
    set: async () => {
      const it = await setUpTasks();
      await it.world.run("queue", { inputs: { "max-running": "2" } });
      await it.world.passTime(HOUR);
      return it;
    },
  },
];

async function setUpChanges(): Promise<Scene> {
  const world = await startWorld();
  const { number } = await world.github.land({ title: "Add retries" }, "squash");
  const sha = world.github.home.push({ message: "Rename a flag" });
  return { world, action: "upkeep", items: [`/pull/${number}`, sha] };
}

async function setUpTasks(): Promise<Scene> {
  const tasks = TASKS.map((id) => ({ id, prompt: `Task ${id}.` }));
  const world = await startWorld({ tasks: JSON.stringify(tasks) });
  return { world, action: "queue", items: tasks.map(({ prompt }) => prompt) };
}

/** Runs until nothing is left to do, and gives what is wrong then, as sentences. */
async function settle({ world, action, items }: Scene): Promise<string[]> {
  const wrong: string[] = [];
  for (let run = 1, ran: RunResult | null = null; ran === null || !isQuiet(ran); run++) {
    await world.passTime(PAST_LIFETIME);
    ran = await world.run(action);
    if (ran.exitCode !== 0) return [`a run afterward fails:\n${ran.stdout}`];
    if (run === MOST_RUNS) return [`not quiet after ${run} runs:\n${ran.stdout}`];
  }
  const sent = await world.prompts();
  const { sha, ledger } = world.ledger(action);
  const [dashboard, ...others] = world.dashboards(action).filter(({ state }) => state === "open");
  if (others.length > 0) wrong.push(`${others.length + 1} dashboards`);
  if (!dashboard?.body.includes(sha)) wrong.push("the dashboard shows another ledger");
  const undecided = /^## Needs a decision[\s\S]*?(?=^## |$(?![\s\S]))/m.exec(dashboard?.body ?? "");
  for (const item of items) {
    const times = sent.filter((prompt) => prompt.includes(item)).length;
    if (times > 1) wrong.push(`${item} is in ${times} accepted requests`);
    if (times === 0 && !undecided?.[0].includes(item)) wrong.push(`${item} is lost`);
  }
  const isUnclear = ledger.batches.some(({ state }) => state !== "uncertain");
  if (isUnclear) wrong.push(`something is left to do: ${JSON.stringify(ledger.batches)}`);
  return wrong;
}

function isQuiet({ outputs }: RunResult): boolean {
  const { result = "", finished = "[]", runningCount = "0" } = outputs;
  return ["idle", "finished"].includes(result) && finished === "[]" && runningCount === "0";
}

for (const story of STORIES) {
  // All kills, in memory, are in the fault matrix of ledgers.
  await testKills({
    name: story.name,
    promise: "each is sent once or shown",
    setUp: story.set,
    start: ({ world, action }, through) => world.start(action, through),
    outputs: { result: story.result },
    check: async (it, { state, through, ...ended }, { signal, post }) => {
      expect(ended.signal).toBe(signal === "SIGKILL" ? signal : null);
      if (post) await it.world.run(it.action, { ...through, entry: "post", state });
      expect(await settle(it)).toEqual([]);
    },
  });

  test.concurrent(`${story.name}, three times at the same moment: each is sent once`, {
    timeout: LIMIT,
  }, async () => {
    const it = await story.set();
    await using world = it.world;
    const ran = await Promise.all([1, 2, 3].map(() => world.run(it.action)));
    expect(ran.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(await settle(it)).toEqual([]);
  });
}
