import { expect, test } from "vitest";
import { tasksFile } from "../support/world/tasks.ts";
import { startWorld } from "../support/world/world.ts";

test("after max-failures failed jobs in a row, a queue starts no more tasks until somebody goes on", async () => {
  await using world = await startWorld({
    tasks: tasksFile("a", "b", "c", "d"),
    steering: { durationMs: 0, outcome: "failed" },
  });
  const inputs = { "max-failures": "3", "max-attempts": "1" };
  expect((await world.run("queue", { inputs })).outputs).toMatchObject({ startedCount: "3" });
  const found = await world.run("queue", { inputs });
  expect(found.exitCode).toBe(1);
  expect(found.outputs).toMatchObject({
    errorKind: "job-failed",
    result: "held",
    waitingCount: "1",
    needsDecisionCount: "3",
  });
  const held = await world.run("queue", { inputs });
  expect(held.exitCode).toBe(0);
  expect(held.outputs).toMatchObject({ result: "held", startedCount: "0" });
  expect(await world.prompts()).toHaveLength(3);
  await world.tick("queue", "go-on");
  expect((await world.run("queue", { inputs })).outputs).toMatchObject({ startedCount: "1" });
});

test("a queue with open decisions is not finished, and after max-failures failed jobs it is held", async () => {
  await using world = await startWorld({
    tasks: tasksFile("a", "b"),
    steering: { durationMs: 0, outcome: "failed" },
  });
  const inputs = { "max-failures": "2", "max-attempts": "1" };
  await world.run("queue", { inputs });
  const ended = { result: "held", needsDecisionCount: "2" };
  const found = await world.run("queue", { inputs });
  expect(found.outputs).toMatchObject({ ...ended, errorKind: "job-failed" });
  const later = await world.run("queue", { inputs });
  expect(later.exitCode).toBe(0);
  expect(later.outputs).toMatchObject(ended);
  expect(later.warnings.join()).toContain('tick "Go on"');
});

test("a dry run of a queue that max-failures holds says so", async () => {
  await using world = await startWorld({
    tasks: tasksFile("a", "b", "c"),
    steering: { durationMs: 0, outcome: "failed" },
  });
  const inputs = { "max-failures": "2", "max-attempts": "1", "max-running": "2" };
  await world.run("queue", { inputs });
  const text = "Dry run: nothing was written or started. 2 jobs failed in a row";
  const before = await world.run("queue", { inputs: { ...inputs, "dry-run": "true" } });
  expect(before.exitCode).toBe(0);
  expect(before.visible.join("\n")).toContain(text);
  await world.run("queue", { inputs });
  const after = await world.run("queue", { inputs: { ...inputs, "dry-run": "true" } });
  expect(after.exitCode).toBe(0);
  expect(after.outputs).toMatchObject({ result: "dry-run", startedCount: "0" });
  expect(after.visible.join("\n")).toContain(text);
});
