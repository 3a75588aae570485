import { expect, test } from "vitest";
import { runMeanwhile } from "../support/meanwhile.ts";
import { setUpQueue, statesIn, tasksFile } from "../support/queue-setup.ts";

test("a dashboard that is closed after the plan pauses the queue before its requests", async () => {
  await using scene = await setUpQueue(tasksFile("a"));
  await scene.run();
  scene.tasks = tasksFile("a", "b", "c");
  const { result, requests } = await runMeanwhile(scene, () => {
    return scene.editDashboard({ state: "closed" });
  });
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ result: "paused", startedCount: "0" });
  expect(result.summary).toContain("Reopen it to continue.");
  expect(statesIn(result)).toEqual(["b: waiting", "c: waiting", "a: done"]);
  // Once before the first request, and once before the dashboard is written: no other task is asked for.
  expect(requests.filter((request) => /^GET \S+\/issues\/\d+$/.test(request))).toHaveLength(2);
  expect(await scene.prompts()).toHaveLength(1);
  expect(scene.ledger().ledger).toMatchObject({ batches: [], starts: [{}] });
  await scene.editDashboard({ state: "open" });
  expect((await scene.run()).outputs).toMatchObject({ result: "started", startedCount: "2" });
});
