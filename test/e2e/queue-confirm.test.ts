import { expect, test } from "vitest";
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
