import { expect, test } from "vitest";
import { hangBeforeHeaders, json } from "../support/answers.ts";
import { GONE_AFTER } from "../support/grace.ts";
import { CREATE, record } from "../support/world/jobs.ts";
import { statesIn } from "../support/world/outputs.ts";
import { tasksFile } from "../support/world/tasks.ts";
import { startWorld } from "../support/world/world.ts";

test("a run that is cancelled while it sends a task ends in time, and its output has the state of each task", async () => {
  await using world = await startWorld({ tasks: tasksFile("a", "b", "c") });
  // It accepts the first task, and does not answer the second.
  world.on(CREATE, json(201, record("active")), hangBeforeHeaders);
  const running = world.start("queue");
  await world.waitForRequest(CREATE, 2);
  const signalledAt = performance.now();
  running.signal("SIGINT");
  const cancelled = await running.result;
  expect(performance.now() - signalledAt).toBeLessThan(GONE_AFTER);
  expect(cancelled.exitCode).toBe(1);
  expect(cancelled.outputs).toMatchObject({ errorKind: "cancelled", result: "started" });
  expect(statesIn(cancelled)).toEqual(["a: running", "b: needs-decision", "c: waiting"]);
  const post = await world.run("queue", { entry: "post", state: cancelled.state });
  expect(post.visible).toEqual([]);
});
