/** Each reason of a run for which somebody or something has to act: its way out is carried out, and helps. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { QUEUE_REASONS } from "../../src/queue/reasons.ts";
import { UPKEEP_REASONS } from "../../src/upkeep/reasons.ts";
import { runKilled } from "../support/kills.ts";
import { someOf } from "../support/sample.ts";
import { tasksFile } from "../support/world/tasks.ts";
import { startWorld, type World, type WorldOptions } from "../support/world/world.ts";

interface WayOut {
  readonly options?: WorldOptions;
  /** Inputs of the runs until the reason is there. */
  readonly inputs?: Record<string, string>;
  /** Brings the reason about. */
  begin(world: World, run: () => Promise<unknown>): Promise<void>;
  readonly result: string;
  /** What a person or time does. @returns other inputs */
  end(world: World): Promise<Record<string, string>>;
}

type Codes<T extends Record<string, { waitsFor: string }>> = keyof T;

/** The test that carries it out. */
interface Elsewhere {
  readonly file: string;
  readonly test: string;
}

/** `none`: nothing has to be done. */
type Row = WayOut | Elsewhere | "none";

type Rows<T extends Record<string, { waitsFor: string }>> = Record<Codes<T>, Row>;

const FAILING: WorldOptions = { steering: { durationMs: 0, outcome: "failed" } };
const SLOW: WorldOptions = { steering: { durationMs: null } };

async function land(world: World, title: string): Promise<void> {
  await world.github.land({ title });
}

async function landTwice(world: World, run: () => Promise<unknown>): Promise<void> {
  await land(world, "One");
  await run();
  await world.passTime(3 * 60_000);
  await run();
  await land(world, "Two");
}

/** Kills a run while its request is under way: the next ones take it for alive, for ten minutes. */
async function killAtRequest(
  world: World,
  action: "upkeep" | "queue",
  inputs: Record<string, string> = {},
): Promise<void> {
  const kill = { at: /POST \/v2\/agent/, when: "before", signal: "SIGKILL" } as const;
  await using _ended = await runKilled(world, kill, (through) =>
    world.start(action, { ...through, inputs: { ...inputs, ...through.inputs } }),
  );
}

/** After ten minutes, nobody knows what became of the request. */
async function answerTheQuestion(world: World, action: "upkeep" | "queue") {
  await world.passTime(11 * 60_000);
  await world.run(action, { inputs: { "max-running": "1" } });
  await world.tick(action, "again");
  return {};
}

const UPKEEP: Rows<typeof UPKEEP_REASONS> = {
  "other-issue": "none",
  "nothing-new": "none",
  "other-run": {
    result: "busy",
    begin: async (world, run) => {
      await landTwice(world, run);
      await killAtRequest(world, "upkeep");
    },
    end: (world) => answerTheQuestion(world, "upkeep"),
  },
  behind: {
    file: "upkeep-budget.test.ts",
    test: "of 120 repositories that all move each hour, each change is handed over once, and a run says what is left",
  },
  "changes-unread": {
    file: "upkeep-unread.test.ts",
    test: "a change whose labels cannot be read waits, and needs a decision after a day",
  },
  paused: {
    result: "paused",
    begin: async (world, run) => {
      await landTwice(world, run);
      await world.editDashboard("upkeep", { state: "closed" });
    },
    end: async (world) => {
      await world.editDashboard("upkeep", { state: "open" });
      return {};
    },
  },
  halted: {
    options: FAILING,
    inputs: { "max-failures": "1" },
    result: "held",
    begin: async (world, run) => {
      await land(world, "One");
      await run();
      await world.passTime();
      await run();
    },
    end: async () => ({ "max-failures": "2" }),
  },
  "at-work": {
    options: SLOW,
    result: "busy",
    begin: async (world, run) => {
      await land(world, "One");
      await run();
      await world.passTime();
      await land(world, "Two");
    },
    end: async (world) => {
      await world.passTime(2 * 60 * 60_000);
      return { "job-deadline-hours": "1" };
    },
  },
  "docs-pull-open": {
    inputs: { "open-pull-request": "hold" },
    result: "held",
    begin: landTwice,
    end: async () => ({ "open-pull-request": "continue" }),
  },
  "daily-limit": {
    inputs: { "max-jobs-per-day": "1" },
    result: "limited",
    begin: landTwice,
    end: async () => ({ "max-jobs-per-day": "2" }),
  },
};

const QUEUE: Rows<typeof QUEUE_REASONS> = {
  "other-issue": "none",
  finished: "none",
  "nothing-waits": "none",
  "other-run": {
    options: { tasks: tasksFile("a", "b") },
    inputs: { "max-running": "1" },
    result: "busy",
    begin: async (world, run) => {
      await run();
      await world.passTime(3 * 60_000);
      await run();
      world.tasks = tasksFile("a", "b", "c");
      await killAtRequest(world, "queue", { "max-running": "2" });
    },
    end: (world) => answerTheQuestion(world, "queue"),
  },
  paused: {
    options: { ...SLOW, tasks: tasksFile("a", "b") },
    inputs: { "max-running": "1" },
    result: "paused",
    begin: async (world, run) => {
      await run();
      await world.editDashboard("queue", { state: "closed" });
    },
    end: async (world) => {
      await world.editDashboard("queue", { state: "open" });
      return { "max-running": "2" };
    },
  },
  halted: {
    options: { ...FAILING, tasks: tasksFile("a", "b") },
    inputs: { "max-failures": "1", "max-running": "1" },
    result: "held",
    begin: async (_, run) => {
      await run();
      await run();
    },
    end: async (world) => {
      await world.tick("queue", "go-on");
      return {};
    },
  },
  "all-running": {
    options: { ...SLOW, tasks: tasksFile("a", "b") },
    inputs: { "max-running": "1" },
    result: "busy",
    begin: async (_, run) => {
      await run();
    },
    end: async () => ({ "max-running": "2" }),
  },
  "hourly-limit": {
    options: { ...SLOW, tasks: tasksFile("a", "b") },
    inputs: { "max-jobs-per-hour": "1" },
    result: "limited",
    begin: async (_, run) => {
      await run();
    },
    end: async () => ({ "max-jobs-per-hour": "2" }),
  },
  "no-tasks": {
    options: { tasks: "[]" },
    result: "idle",
    begin: async () => {},
    end: async (world) => {
      world.tasks = tasksFile("a");
      return {};
    },
  },
  "decisions-open": {
    options: { ...FAILING, tasks: tasksFile("a") },
    inputs: { "max-attempts": "1" },
    result: "idle",
    begin: async (_, run) => {
      await run();
      await run();
    },
    end: async (world) => {
      await world.tick("queue", "again");
      return {};
    },
  },
};

const ROWS = (["upkeep", "queue"] as const).flatMap((action) =>
  Object.entries(action === "upkeep" ? UPKEEP : QUEUE).flatMap(([code, way]) =>
    way !== "none" && "begin" in way ? [[action, code, way] as const] : [],
  ),
);

test.each(someOf(ROWS))("%s: the way out of %s helps", async (action, _, way) => {
  await using world = await startWorld(way.options ?? {});
  const inputs = way.inputs ?? {};
  const run = () => world.run(action, { inputs });
  await way.begin(world, run);
  expect((await run()).outputs.result).toBe(way.result);
  const other = await way.end(world);
  const after = await world.run(action, { inputs: { ...inputs, ...other } });
  expect(after.outputs.result).toMatch(/^(started|continued)$/);
});

test("what waits for a person, a reviewer or a limit has a way out that is tried", () => {
  const tables = { upkeep: [UPKEEP_REASONS, UPKEEP], queue: [QUEUE_REASONS, QUEUE] } as const;
  for (const [reasons, ways] of Object.values(tables)) {
    const waiting = Object.entries(reasons).filter(([, { waitsFor }]) => waitsFor !== "nobody");
    const rows: Record<string, Row> = ways;
    for (const [code, { waitsFor }] of waiting) {
      expect([code, waitsFor, rows[code]]).not.toEqual([code, "person", "none"]);
    }
  }
});

test("each way out that is carried out elsewhere has its test there", () => {
  const all: Row[] = [...Object.values(UPKEEP), ...Object.values(QUEUE)];
  const elsewhere = all.flatMap((row) => (row !== "none" && "file" in row ? [row] : []));
  for (const { file, test: name } of elsewhere) {
    const text = readFileSync(new URL(file, import.meta.url), "utf8");
    expect(text).toContain(JSON.stringify(name));
  }
});
