import { expect, test } from "vitest";
import type { RunResult } from "../../../emulator/runner/runner.ts";
import { testKills } from "../../support/kills.ts";
import type { LedgerSetup } from "../../support/ledger-setup.ts";
import { setUpQueue } from "../../support/queue-setup.ts";
import { setUpUpkeep } from "../../support/upkeep-setup.ts";

const LIMIT = 10 * 60_000;
/** Past the time in which an intent may belong to a living run, in milliseconds. */
const PAST_LIFETIME = 11 * 60_000;
/** Most runs until nothing is left to do. */
const MOST_RUNS = 8;

/** A world in which the next run has something to do. */
interface Story {
  name: string;
  set(): Promise<LedgerSetup & { items: readonly string[] }>;
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
      await it.run();
      await it.history.advance(60 * 60_000);
      const sha = it.history.home.push({ message: "Add a limit" });
      return { ...it, items: [...it.items, sha] };
    },
  },
  { name: "the first run of a queue", set: setUpTasks, result: "started" },
  {
    name: "a run of a queue that finds tasks at their end",
    result: "started",
    set: async () => {
      const it = await setUpTasks();
      await it.run({ inputs: { "max-running": "2" } });
      await it.history.advance(60 * 60_000);
      return it;
    },
  },
];

async function setUpChanges() {
  const it = await setUpUpkeep();
  const { number } = await it.history.land({ title: "Add retries" }, "squash");
  const sha = it.history.home.push({ message: "Rename a flag" });
  return { ...it, items: [`/pull/${number}`, sha] };
}

async function setUpTasks() {
  const it = await setUpQueue(JSON.stringify(TASKS.map((id) => ({ id, prompt: `Task ${id}.` }))));
  return Object.assign(it, { items: TASKS.map((id) => `Task ${id}.`) });
}

/** Runs until nothing is left to do, and gives what is wrong then, as sentences. */
async function settle(it: Awaited<ReturnType<Story["set"]>>): Promise<string[]> {
  const wrong: string[] = [];
  for (let run = 1, ran: RunResult | null = null; ran === null || !isQuiet(ran); run++) {
    await it.history.advance(PAST_LIFETIME);
    ran = await it.run();
    if (ran.exitCode !== 0) return [`a run afterward fails:\n${ran.stdout}`];
    if (run === MOST_RUNS) return [`not quiet after ${run} runs:\n${ran.stdout}`];
  }
  const sent = await it.prompts();
  const { sha, ledger } = it.ledger();
  const [dashboard, ...others] = (await it.dashboards()).filter(({ state }) => state === "open");
  if (others.length > 0) wrong.push(`${others.length + 1} dashboards`);
  if (!dashboard?.body.includes(sha)) wrong.push("the dashboard shows another ledger");
  const undecided = /^## Needs a decision[\s\S]*?(?=^## |$(?![\s\S]))/m.exec(dashboard?.body ?? "");
  for (const item of it.items) {
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
    start: (it, through) => it.start(through),
    outputs: { result: story.result },
    check: async (it, ended, { signal, post }) => {
      expect(ended.signal).toBe(signal === "SIGKILL" ? signal : null);
      if (post) await it.run({ entry: "post", state: ended.state });
      expect(await settle(it)).toEqual([]);
    },
  });

  test.concurrent(`${story.name}, three times at the same moment: each is sent once`, {
    timeout: LIMIT,
  }, async () => {
    await using it = await story.set();
    const ran = await Promise.all([it.run(), it.run(), it.run()]);
    expect(ran.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(await settle(it)).toEqual([]);
  });
}
