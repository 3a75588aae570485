/** Each reason of a run for which somebody or something has to act: its way out is carried out, and helps. */

import { expect, test } from "vitest";
import { QUEUE_REASONS } from "../../src/queue/reasons.ts";
import { UPKEEP_REASONS } from "../../src/upkeep/reasons.ts";
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

/** `elsewhere`: the test that carries it out. `none`: nothing has to be done. */
type Rows<T extends Record<string, { waitsFor: string }>> = Record<Codes<T>, WayOut | string>;

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

const UPKEEP: Rows<typeof UPKEEP_REASONS> = {
  "other-issue": "none",
  "nothing-new": "none",
  "other-run": "upkeep-cancelled.test.ts: the intent becomes a question",
  behind: "upkeep-budget.test.ts: the next runs go on",
  "changes-unread": "src/batches/ways-out.test.ts: unreadable",
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
  "other-run": "upkeep-cancelled.test.ts: the intent becomes a question",
  paused: "upkeep's",
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
    typeof way === "string" ? [] : [[action, code, way] as const],
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
    const rows: Record<string, WayOut | string> = ways;
    for (const [code, { waitsFor }] of waiting) {
      expect([code, waitsFor, rows[code]]).not.toEqual([code, "person", "none"]);
    }
  }
});
