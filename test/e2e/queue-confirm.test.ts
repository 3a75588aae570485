import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { runMeanwhile } from "../support/meanwhile.ts";
import { statesIn } from "../support/world/outputs.ts";
import { tasksFile } from "../support/world/tasks.ts";
import { startWorld } from "../support/world/world.ts";

test("a dashboard that is closed after the plan pauses the queue before its requests", async () => {
  await using world = await startWorld({ tasks: tasksFile("a") });
  await world.run("queue");
  world.tasks = tasksFile("a", "b", "c");
  const { result, requests } = await runMeanwhile(world, "queue", () => {
    return world.editDashboard("queue", { state: "closed" });
  });
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ result: "paused", startedCount: "0" });
  expect(result.summary).toContain("Reopen it to continue.");
  expect(statesIn(result)).toEqual(["b: waiting", "c: waiting", "a: done"]);
  // Once before the first request, and once before the dashboard is written: no other task is asked for.
  expect(requests.filter((request) => /^GET \S+\/issues\/\d+$/.test(request))).toHaveLength(2);
  expect(await world.prompts()).toHaveLength(1);
  expect(world.ledger("queue").ledger).toMatchObject({ batches: [], starts: [{}] });
  await world.editDashboard("queue", { state: "open" });
  expect((await world.run("queue")).outputs).toMatchObject({
    result: "started",
    startedCount: "2",
  });
});

test("a dashboard that GitHub fails to show between two tasks stops the queue there, and the first one is told", async () => {
  await using world = await startWorld({ tasks: tasksFile("a") });
  await world.run("queue");
  world.tasks = tasksFile("a", "b", "c");
  const number = world.dashboard("queue").number;
  const failing = json(502, { message: "Bad gateway" });
  // It is read by the plan, and before each request.
  const { github } = world.genuine;
  world.on(`GET /repos/acme/docs/issues/${number}`, github, github, failing);
  const run = await world.run("queue");
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({
    errorKind: "github-unavailable",
    result: "started",
    startedCount: "1",
    waitingCount: "1",
  });
  expect(run.outputs.errorMessage).not.toContain("Nothing was sent");
  expect(world.ledger("queue").ledger).toMatchObject({ batches: [{ state: "running" }] });
});
