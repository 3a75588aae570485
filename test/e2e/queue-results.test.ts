import { expect, test } from "vitest";
import { setUpQueue, TASKS_FILE, tasksFile } from "../support/queue-setup.ts";

const NEVER = { steering: { durationMs: null } };

test("at max-running tasks, the result is busy and no task is started", async () => {
  await using scene = await setUpQueue(tasksFile("a", "b", "c"), NEVER);
  const inputs = { "max-running": "2" };
  expect((await scene.run({ inputs })).outputs).toMatchObject({ startedCount: "2" });
  const second = await scene.run({ inputs });
  expect(second.outputs).toMatchObject({
    result: "busy",
    startedCount: "0",
    runningCount: "2",
    waitingCount: "1",
  });
  const third = await scene.run();
  expect(third.outputs).toMatchObject({ result: "started", startedCount: "1", runningCount: "3" });
  expect((await scene.run()).outputs).toMatchObject({ result: "idle", runningCount: "3" });
});

test("after per-hour tasks in an hour, the result is limited and no task is started", async () => {
  await using scene = await setUpQueue(tasksFile("a", "b", "c"));
  const inputs = { "per-hour": "2" };
  expect((await scene.run({ inputs })).outputs).toMatchObject({ startedCount: "2" });
  const second = await scene.run({ inputs });
  expect(second.outputs).toMatchObject({ result: "limited", startedCount: "0", doneCount: "2" });
  await scene.history.advance(62 * 60_000);
  const third = await scene.run({ inputs });
  expect(third.outputs).toMatchObject({ result: "started", startedCount: "1" });
});

test("a queue without tasks is finished, and one with a closed dashboard is paused", async () => {
  await using scene = await setUpQueue("[]");
  expect((await scene.run()).outputs).toMatchObject({ result: "finished", tasks: "[]" });
  expect(await scene.dashboards()).toEqual([]);
  scene.tasks = tasksFile("a");
  await scene.run();
  scene.tasks = tasksFile("a", "b");
  await scene.editDashboard({ state: "closed" });
  const paused = await scene.run();
  expect(paused.outputs).toMatchObject({ result: "paused", startedCount: "0", tasks: "" });
  expect(await scene.prompts()).toHaveLength(1);
  await scene.editDashboard({ state: "open" });
  expect((await scene.run()).outputs).toMatchObject({ result: "started" });
});

test("a dry run reports what it would send, and writes nothing", async () => {
  await using scene = await setUpQueue(tasksFile("a", "b"));
  const inputs = { "dry-run": "true" };
  const dry = await scene.run({ inputs });
  expect(dry.outputs).toMatchObject({ result: "dry-run", startedCount: "0", waitingCount: "2" });
  expect(dry.stdout).toContain("Document b.");
  expect(dry.summary).toContain("Document a.");
  expect(await scene.dashboards()).toEqual([]);
  expect(await scene.prompts()).toEqual([]);
});

test("a done task is not started again if its prompt or position changes, or if it is removed and added again", async () => {
  await using scene = await setUpQueue(tasksFile("a", "b"));
  await scene.run();
  await scene.run();
  scene.tasks = JSON.stringify([
    { id: "b", prompt: "Something else." },
    "New.",
    { id: "a", prompt: "Again?" },
  ]);
  const edited = await scene.run();
  expect(edited.outputs).toMatchObject({ result: "started", startedCount: "1", doneCount: "2" });
  expect(await scene.prompts()).toEqual(["Document a.", "Document b.", "New."]);
  // The tasks are removed, then added again.
  scene.tasks = tasksFile("c");
  await scene.run();
  scene.tasks = tasksFile("a", "b", "c");
  await scene.run();
  expect((await scene.prompts()).slice(3)).toEqual(["Document c."]);
});

test("queues with another tasks-file or another name have their own dashboards and ledgers", async () => {
  await using scene = await setUpQueue(tasksFile("a"));
  await scene.run();
  const other = { "tasks-file": "other.json" };
  const workspaceFiles = { "other.json": tasksFile("a"), [TASKS_FILE]: tasksFile("a") };
  expect((await scene.run({ workspaceFiles, inputs: other })).outputs.result).toBe("started");
  const named = await scene.run({ workspaceFiles, inputs: { ...other, name: "guides" } });
  expect(named.outputs.result).toBe("started");
  const titles = (await scene.dashboards()).map(({ title }) => title);
  expect(titles.sort()).toEqual([
    "Docs queue: docs/tasks.yml",
    "Docs queue: guides",
    "Docs queue: other.json",
  ]);
  expect((await scene.run()).outputs.result).toBe("finished");
});
