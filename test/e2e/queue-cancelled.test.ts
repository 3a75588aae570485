import { expect, test } from "vitest";
import { hangBeforeHeaders, json } from "../support/answers.ts";
import { type FaultyServer, startFaultyServer } from "../support/faulty-server.ts";
import { GONE_AFTER } from "../support/grace.ts";
import { CREATE_IN_WORLD } from "../support/ledger-setup.ts";
import { setUpQueue, statesIn, tasksFile } from "../support/queue-setup.ts";
import { record } from "../support/scenario.ts";

/** Starts a service that accepts the first task, and does not answer the second. */
async function startHangingService(): Promise<FaultyServer> {
  const service = await startFaultyServer();
  service.on(CREATE_IN_WORLD, json(201, record("active")), hangBeforeHeaders);
  return service;
}

test("a run that is cancelled while it sends a task ends in time, and its output has the state of each task", async () => {
  await using scene = await setUpQueue(tasksFile("a", "b", "c"));
  await using service = await startHangingService();
  const inputs = { "base-url": service.url };
  const running = scene.start({ inputs });
  await service.waitForRequest(CREATE_IN_WORLD, 2);
  const signalledAt = performance.now();
  running.signal("SIGINT");
  const cancelled = await running.result;
  expect(performance.now() - signalledAt).toBeLessThan(GONE_AFTER);
  expect(cancelled.exitCode).toBe(1);
  expect(cancelled.outputs).toMatchObject({ errorKind: "cancelled", result: "started" });
  expect(statesIn(cancelled)).toEqual(["a: running", "b: needs-decision", "c: waiting"]);
  const post = await scene.run({ entry: "post", state: cancelled.state, inputs });
  expect(post.visible).toEqual([]);
});
