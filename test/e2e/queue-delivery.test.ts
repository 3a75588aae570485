// What becomes of requests that start tasks, and what a lost run leaves.

import { expect, test } from "vitest";
import { hangBeforeHeaders, json } from "../support/answers.ts";
import { capture } from "../support/captured-answer.ts";
import type { Answer } from "../support/faulty-server.ts";
import { someOf } from "../support/sample.ts";
import { CREATE } from "../support/world/jobs.ts";
import { statesIn } from "../support/world/outputs.ts";
import { tasksFile } from "../support/world/tasks.ts";
import { HOUR, startWorld } from "../support/world/world.ts";

const TEN = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
const TEN_AT_ONCE = { "max-running": "10" };
const NO_CREDITS = JSON.stringify({ error: "Your monthly credits are used up" });

test("a firewall's page for one task of a queue is about that task, and the others are started", async () => {
  const tasks = [
    { id: "a", prompt: "Document a." },
    { id: "b", prompt: "Document b.\nemulate: answer=firewall" },
    { id: "c", prompt: "Document c." },
  ];
  await using world = await startWorld({ tasks: JSON.stringify(tasks) });
  const run = await world.run("queue");
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ result: "started", startedCount: "2" });
  expect(statesIn(run)).toEqual(["a: running", "b: needs-decision", "c: running"]);
  expect(run.warnings.join()).toContain("something between, such as a proxy or a firewall");
  const next = await world.run("queue");
  expect(next.exitCode).toBe(0);
});

test("a queue starts ten tasks three at a time, and one write for three records those before", async () => {
  await using world = await startWorld({
    tasks: tasksFile(...TEN),
    steering: { durationMs: null },
  });
  const run = await world.run("queue", { inputs: TEN_AT_ONCE });
  expect(run.outputs).toMatchObject({ startedCount: "10", runningCount: "10" });
  const messages = world.ledger("queue").log.filter((text) => text.includes("Hand over"));
  expect(messages.toReversed().map((text) => /Hand over (\d+) task/.exec(text)?.[1])).toEqual([
    "3",
    "3",
    "3",
    "1",
  ]);
  // A write for each three, one for the last results, and one for the dashboard.
  expect(run.requests.filter((it) => /^(POST|PATCH) .*\/git\/refs/.test(it))).toHaveLength(6);
});

test("what a write has claimed that seemed to fail is given back, and nobody is asked about it", async () => {
  await using world = await startWorld({
    tasks: tasksFile("a"),
    steering: { durationMs: null },
  });
  await world.run("queue", { inputs: TEN_AT_ONCE });
  world.tasks = tasksFile(...TEN);
  const name = world.ledger("queue").ref.replace("refs/", "");
  const { github } = world.genuine;
  const bad = json(502, { message: "Bad gateway" });
  const done: Answer = async (exchange) => {
    await capture(github, exchange);
    await bad(exchange);
  };
  world.on(`PATCH /repos/acme/docs/git/refs/${name}`, github, done, github);
  world.on(`GET /repos/acme/docs/git/ref/${name}`, github, bad, bad, bad, bad, github);
  const run = await world.run("queue", { inputs: TEN_AT_ONCE });
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ startedCount: "3", runningCount: "4", waitingCount: "6" });
  await world.passTime(11 * 60_000);
  const next = await world.run("queue", { inputs: TEN_AT_ONCE });
  expect(next.outputs).toMatchObject({ startedCount: "6", needsDecisionCount: "0" });
});

test("a run that is lost at its first request leaves at most three questions, and the queue is not finished", async () => {
  await using world = await startWorld({ tasks: tasksFile(...TEN) });
  world.on(CREATE, hangBeforeHeaders);
  const lost = world.start("queue", { inputs: TEN_AT_ONCE });
  await world.waitForRequest(CREATE);
  lost.signal("SIGKILL");
  await lost.result;
  world.on(CREATE, world.genuine.service);
  await world.passTime(11 * 60_000);
  const run = await world.run("queue", { inputs: TEN_AT_ONCE });
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ needsDecisionCount: "3", startedCount: "7" });
  let last = run;
  for (const _ of [1, 2, 3]) {
    await world.passTime(HOUR);
    last = await world.run("queue", { inputs: TEN_AT_ONCE });
  }
  expect(last.outputs).toMatchObject({ result: "idle", doneCount: "7", needsDecisionCount: "3" });
  expect(world.dashboard("queue").body).not.toContain("Go on?");
});

test("what three lost runs leave stops a queue, although each left several questions", async () => {
  await using world = await startWorld({ tasks: tasksFile(...TEN) });
  for (const _ of [1, 2, 3]) {
    world.on(CREATE, hangBeforeHeaders);
    const before = world.received(CREATE).length;
    const lost = world.start("queue", { inputs: TEN_AT_ONCE });
    await world.waitForRequest(CREATE, before + 1);
    lost.signal("SIGKILL");
    await lost.result;
    world.on(CREATE, world.genuine.service);
    await world.passTime(11 * 60_000);
  }
  const found = await world.run("queue", { inputs: TEN_AT_ONCE });
  expect(found.exitCode).toBe(1);
  expect(found.outputs).toMatchObject({
    errorKind: "job-failed",
    result: "held",
    // With each failure in a row, fewer are claimed at a time.
    needsDecisionCount: "6",
  });
  const held = await world.run("queue", { inputs: TEN_AT_ONCE });
  expect(held.exitCode).toBe(0);
  expect(held.outputs).toMatchObject({ result: "held", startedCount: "0" });
});

test("the service's hourly limit fails the step of a queue when it has let no task through for a day", async () => {
  const headers = { "retry-after": "600" };
  await using world = await startWorld({
    tasks: tasksFile("a", "b", "c"),
    service: { faults: [{ route: "v2-create", status: 429, headers, times: 9 }] },
  });
  const first = await world.run("queue");
  expect(first.exitCode).toBe(0);
  expect(first.outputs).toMatchObject({ result: "limited", waitingCount: "3" });
  await world.passTime(25 * HOUR);
  const late = await world.run("queue");
  expect(late.exitCode).toBe(1);
  expect(late.outputs).toMatchObject({ errorKind: "rate-limited", result: "limited" });
  expect(late.outputs.errorMessage).toContain("has let nothing through since ");
});

test.each(someOf([[402], [429]]))(
  "credits that are used up, told with %i, fail the step of a queue, and its tasks wait",
  async (status) => {
    const fault = { route: "v2-create", status, body: NO_CREDITS, times: 9 } as const;
    await using world = await startWorld({
      tasks: tasksFile("a", "b"),
      service: { faults: [fault] },
    });
    const run = await world.run("queue");
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({
      errorKind: "out-of-credits",
      result: "limited",
      waitingCount: "2",
    });
    expect(run.outputs.errorMessage).toContain("Your monthly credits are used up");
    expect(run.toService).toHaveLength(1);
  },
);
