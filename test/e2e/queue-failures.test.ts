import { expect, test } from "vitest";
import { setUpQueue, tasksFile } from "../support/queue-setup.ts";

test("after max-failures failed jobs in a row, a queue starts no more tasks until somebody goes on", async () => {
  await using scene = await setUpQueue(tasksFile("a", "b", "c", "d"), {
    steering: { durationMs: 0, outcome: "failed" },
  });
  const inputs = { "max-failures": "3", "max-attempts": "1" };
  expect((await scene.run({ inputs })).outputs).toMatchObject({ startedCount: "3" });
  const found = await scene.run({ inputs });
  expect(found.exitCode).toBe(1);
  expect(found.outputs).toMatchObject({
    errorKind: "job-failed",
    result: "held",
    waitingCount: "1",
    needsDecisionCount: "3",
  });
  const held = await scene.run({ inputs });
  expect(held.exitCode).toBe(0);
  expect(held.outputs).toMatchObject({ result: "held", startedCount: "0" });
  expect(await scene.prompts()).toHaveLength(3);
  await scene.tick("go-on");
  expect((await scene.run({ inputs })).outputs).toMatchObject({ startedCount: "1" });
});
