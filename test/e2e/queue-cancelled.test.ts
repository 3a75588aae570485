import { expect, test } from "vitest";
import { hangBeforeHeaders, json } from "../support/answers.ts";
import { type FaultyServer, startFaultyServer } from "../support/faulty-server.ts";
import { GONE_AFTER } from "../support/grace.ts";
import { setUpQueue, statesIn } from "../support/queue-setup.ts";
import { record } from "../support/scenario.ts";

const CREATE = "POST /v2/agent/acme-docs/job";
const TASKS = JSON.stringify(["a", "b", "c"].map((id) => ({ id, prompt: `Document ${id}.` })));

/** Starts a service that accepts the first task, and does not answer the second. */
async function startHangingService(): Promise<FaultyServer> {
  const service = await startFaultyServer();
  service.on(CREATE, json(201, record("active")), hangBeforeHeaders);
  return service;
}

test("a run that is cancelled while it sends a task ends in time, and its output has the state of each task", async () => {
  await using scene = await setUpQueue(TASKS);
  await using service = await startHangingService();
  const inputs = { "base-url": service.url };
  const running = scene.start({ inputs });
  await service.waitForRequest(CREATE, 2);
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
