import { describe, expect, test } from "vitest";
import { type RunExample, stateOf, tasksOf } from "../../test/support/example-states.ts";
import { tickId } from "../ledger/model/record.ts";
import { decideStarts, type StartFacts } from "./decide-starts.ts";
import { taskKey } from "./task-change.ts";

const MINUTE = 60_000;

/** What is started of the tasks `a` to `e`, and why nothing is. */
function decided(runs: RunExample[], over: Partial<StartFacts> = {}) {
  const { handed, reason } = decideStarts({
    ...{ state: stateOf(...runs), tasks: tasksOf("a", "b", "c", "d", "e"), ticked: [] },
    ...{ maxRunning: 3, perHour: 50, maxAttempts: 3, ...over },
  });
  return {
    ids: handed.map(({ change }) => change.id),
    attempts: handed.map((it) => it.attempt),
    reason,
  };
}

test("tasks are started in the order of the file, as many as may run", () => {
  expect(decided([]).ids).toEqual(["a", "b", "c"]);
  expect(decided([], { maxRunning: 100 }).ids).toEqual(["a", "b", "c", "d", "e"]);
});

test("what runs takes a place, and what is done gives it back", () => {
  const runs = [{ tasks: [{ id: "a" }, { id: "b", state: "running" as const }] }];
  expect(decided(runs).ids).toEqual(["c", "d"]);
  expect(decided(runs, { maxRunning: 1 })).toMatchObject({ ids: [], reason: "busy" });
});

test("what runs takes a place although the file has lost it", () => {
  const runs = [{ tasks: [{ id: "x", state: "running" as const }] }];
  expect(decided(runs, { maxRunning: 1 })).toMatchObject({ ids: [], reason: "busy" });
});

describe("an hour", () => {
  const started = (age: number) => [{ tasks: [{ id: "a" }, { id: "b" }], age: age * MINUTE }];

  test("is any 60 minutes by GitHub's clock, and the minute that a run may take", () => {
    expect(decided(started(60.9), { perHour: 2 })).toMatchObject({ ids: [], reason: "limited" });
    expect(decided(started(61), { perHour: 2 }).ids).toEqual(["c", "d"]);
    expect(decided(started(10), { perHour: 3 }).ids).toEqual(["c"]);
  });

  test("counts what the service may have received, and not what it refused", () => {
    const runs = (state: "uncertain" | "withdrawn" | "failed") => [
      { tasks: [{ id: "a", state, jobId: null, retry: false }], age: MINUTE },
    ];
    expect(decided(runs("uncertain"), { perHour: 1 }).reason).toBe("limited");
    expect(decided(runs("withdrawn"), { perHour: 1 }).ids).toEqual(["a"]);
    expect(decided(runs("failed"), { perHour: 1 }).ids).toEqual(["b"]);
  });
});

describe("a task that failed", () => {
  const failed = (attempt: number, id = "d") => [
    { tasks: [{ id, state: "failed" as const, attempt }] },
  ];

  test("comes before new ones, until `max-attempts`", () => {
    expect(decided(failed(2))).toMatchObject({ ids: ["d", "a", "b"], attempts: [3, 1, 1] });
    expect(decided(failed(3)).ids).toEqual(["a", "b", "c"]);
  });

  test("comes again when its box is ticked", () => {
    const ticked = [tickId("run1.0", taskKey("d"))];
    expect(decided(failed(3), { ticked })).toMatchObject({ ids: ["d", "a", "b"] });
  });

  test("is left alone when it was taken out of the file, ticked or not", () => {
    const ticked = [tickId("run1.0", taskKey("x"))];
    expect(decided(failed(1, "x"), { ticked }).ids).toEqual(["a", "b", "c"]);
  });
});

test("with nothing left to start there is no reason to wait", () => {
  const runs = [{ tasks: ["a", "b", "c", "d", "e"].map((id) => ({ id })) }];
  expect(decided(runs, { maxRunning: 1, perHour: 1 })).toEqual({
    ...{ ids: [], attempts: [], reason: "ended" },
  });
});
