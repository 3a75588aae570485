import { expect, test } from "vitest";
import { TASKS_FILE, tasksFile } from "../support/world/tasks.ts";
import { startWorld } from "../support/world/world.ts";

const NEVER = { steering: { durationMs: null } };

test("at max-running tasks, the result is busy and no task is started", async () => {
  await using world = await startWorld({ tasks: tasksFile("a", "b", "c"), ...NEVER });
  const inputs = { "max-running": "2" };
  expect((await world.run("queue", { inputs })).outputs).toMatchObject({ startedCount: "2" });
  const second = await world.run("queue", { inputs });
  expect(second.outputs).toMatchObject({
    result: "busy",
    startedCount: "0",
    runningCount: "2",
    waitingCount: "1",
  });
  const third = await world.run("queue");
  expect(third.outputs).toMatchObject({ result: "started", startedCount: "1", runningCount: "3" });
  expect((await world.run("queue")).outputs).toMatchObject({ result: "idle", runningCount: "3" });
});

test("after max-jobs-per-hour tasks in an hour, the result is limited and no task is started", async () => {
  await using world = await startWorld({ tasks: tasksFile("a", "b", "c") });
  const inputs = { "max-jobs-per-hour": "2" };
  expect((await world.run("queue", { inputs })).outputs).toMatchObject({ startedCount: "2" });
  const second = await world.run("queue", { inputs });
  expect(second.outputs).toMatchObject({ result: "limited", startedCount: "0", doneCount: "2" });
  await world.passTime(62 * 60_000);
  const third = await world.run("queue", { inputs });
  expect(third.outputs).toMatchObject({ result: "started", startedCount: "1" });
});

test("a queue without tasks is not finished but warns, and one with a closed dashboard is paused", async () => {
  await using world = await startWorld({ tasks: "[]" });
  for (const tasks of ["[]", '[{ "files": "none/**", "prompt": "Improve {files}." }]']) {
    world.tasks = tasks;
    const empty = await world.run("queue");
    expect(empty.outputs).toMatchObject({ result: "idle", tasks: "[]" });
    expect(empty.warnings.join()).toContain("The task file has no task.");
  }
  expect(world.dashboards("queue")).toEqual([]);
  world.tasks = tasksFile("a");
  await world.run("queue");
  world.tasks = tasksFile("a", "b");
  await world.editDashboard("queue", { state: "closed" });
  const paused = await world.run("queue");
  expect(paused.outputs).toMatchObject({ result: "paused", startedCount: "0", tasks: "" });
  expect(await world.prompts()).toHaveLength(1);
  await world.editDashboard("queue", { state: "open" });
  expect((await world.run("queue")).outputs).toMatchObject({ result: "started" });
});

test("a dry run reports what it would send, and writes nothing", async () => {
  await using world = await startWorld({ tasks: tasksFile("a", "b") });
  const inputs = { "dry-run": "true" };
  const dry = await world.run("queue", { inputs });
  expect(dry.outputs).toMatchObject({ result: "dry-run", startedCount: "0", waitingCount: "2" });
  expect(dry.stdout).toContain("Document b.");
  expect(dry.summary).toContain("Document a.");
  expect(world.dashboards("queue")).toEqual([]);
  expect(await world.prompts()).toEqual([]);
});

test("a done task is not started again if its prompt or position changes, or if it is removed and added again", async () => {
  await using world = await startWorld({ tasks: tasksFile("a", "b") });
  await world.run("queue");
  await world.run("queue");
  world.tasks = JSON.stringify([
    { id: "b", prompt: "Something else." },
    "New.",
    { id: "a", prompt: "Again?" },
  ]);
  const edited = await world.run("queue");
  expect(edited.outputs).toMatchObject({ result: "started", startedCount: "1", doneCount: "2" });
  expect(await world.prompts()).toEqual(["Document a.", "Document b.", "New."]);
  // The tasks are removed, then added again.
  world.tasks = tasksFile("c");
  await world.run("queue");
  world.tasks = tasksFile("a", "b", "c");
  await world.run("queue");
  expect((await world.prompts()).slice(3)).toEqual(["Document c."]);
});

test("queues with another tasks-file or another name have their own dashboards and ledgers", async () => {
  await using world = await startWorld({ tasks: tasksFile("a") });
  await world.run("queue");
  const other = { "tasks-file": "other.json" };
  const workspaceFiles = { "other.json": tasksFile("a"), [TASKS_FILE]: tasksFile("a") };
  expect((await world.run("queue", { workspaceFiles, inputs: other })).outputs.result).toBe(
    "started",
  );
  const named = await world.run("queue", { workspaceFiles, inputs: { ...other, name: "guides" } });
  expect(named.outputs.result).toBe("started");
  const titles = world.dashboards("queue").map(({ title }) => title);
  expect(titles.sort()).toEqual([
    "Docs queue: docs/tasks.yml",
    "Docs queue: guides",
    "Docs queue: other.json",
  ]);
  expect((await world.run("queue")).outputs.result).toBe("finished");
});
