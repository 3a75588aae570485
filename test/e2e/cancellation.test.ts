import { expect, test } from "vitest";
import type { RunningAction } from "../../emulator/runner/runner.ts";
import { hangBeforeHeaders, held, json } from "../support/answers.ts";
import { GONE_AFTER } from "../support/grace.ts";
import { comment } from "../support/phrase-events.ts";
import { someOf } from "../support/sample.ts";
import { CREATE, MARKER, POLL, record, startScenario } from "../support/scenario.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
/** A first delay that no test waits for. */
const LONG_DELAY = { "poll-interval-seconds": "60", "poll-max-interval-seconds": "60" };

/** Sends the signal and gives the result and how long the step then took to end. */
async function stop(run: RunningAction, signal: NodeJS.Signals) {
  const signalledAt = performance.now();
  run.signal(signal);
  const result = await run.result;
  const tookMs = performance.now() - signalledAt;
  expect(tookMs).toBeLessThan(GONE_AFTER);
  // It ended by itself, as a failure; a signal that killed it would leave no exit code.
  expect(result.signal).toBeNull();
  expect(result.exitCode).toBeGreaterThan(0);
  return result;
}

test.each(someOf(SIGNALS))(
  "%s during a delay: the job goes on, and everybody is told how",
  async (signal) => {
    await using scenario = await startScenario();
    const run = scenario.start({ inputs: LONG_DELAY });
    await run.waitForOutput("jobId");
    await scenario.github.server.waitForRequest("POST /repos/octo/docs/issues/7/comments");
    const result = await stop(run, signal);
    expect(scenario.asked()).toEqual([CREATE]);
    expect(result.outputs).toMatchObject({
      jobId: "job_1",
      status: "active",
      errorKind: "cancelled",
    });
    expect(result.outputs.errorMessage).toContain("job-id");
    expect(result.summary).toContain("job_1");
    expect(await scenario.github.comments(7)).toHaveLength(1);
    // Created, marked as its own, and brought up to date.
    expect(scenario.github.bodies).toHaveLength(3);
    const body = (await scenario.github.comments(7))[0]?.body ?? "";
    expect(body).toContain("job-id");
    expect(body).toContain("job_1");
    expect(body.match(MARKER)).toHaveLength(1);
  },
);

test.each(someOf(SIGNALS))("%s during a poll", async (signal) => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, hangBeforeHeaders);
  const run = scenario.start();
  await scenario.service.waitForRequest(POLL);
  const result = await stop(run, signal);
  expect(scenario.asked()).toEqual([CREATE, POLL]);
  expect(result.outputs).toMatchObject({
    jobId: "job_1",
    status: "active",
    errorKind: "cancelled",
  });
  expect((await scenario.github.comments(7))[0]?.body).toContain("job-id");
});

test.each(someOf(SIGNALS))(
  "%s during create, and no answer comes: the job may exist",
  async (signal) => {
    await using scenario = await startScenario();
    scenario.service.on(CREATE, hangBeforeHeaders);
    const run = scenario.start();
    await scenario.service.waitForRequest(CREATE);
    const result = await stop(run, signal);
    expect(scenario.asked()).toEqual([CREATE]);
    expect(["cancelled", "create-uncertain"]).toContain(result.outputs.errorKind);
    expect(result.outputs.jobId ?? "").toBe("");
    expect(result.errors.join()).toMatch(/may|might/);
  },
);

test.each(someOf(SIGNALS))(
  "%s during create, and the answer comes just after: its job is told",
  async (signal) => {
    await using scenario = await startScenario();
    const answer = held(json(201, record("active")));
    scenario.service.on(CREATE, answer);
    const run = scenario.start();
    await scenario.service.waitForRequest(CREATE);
    const stopping = stop(run, signal);
    setTimeout(answer.release, 200);
    const result = await stopping;
    expect(result.outputs).toMatchObject({ jobId: "job_1", errorKind: "cancelled" });
    expect(scenario.service.requestsTo(POLL)).toEqual([]);
  },
);

test("SIGINT while the hourly limit is waited out: nothing was started", async () => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, json(429, { error: "limit" }, { "retry-after": "600" }));
  const run = scenario.start();
  await scenario.service.waitForRequest(CREATE);
  await run.waitForLine(/429|limit/);
  const result = await stop(run, "SIGINT");
  expect(scenario.asked()).toEqual([CREATE]);
  expect(result.outputs.errorKind).toBe("cancelled");
  expect(result.outputs.jobId ?? "").toBe("");
});

test("SIGINT while GitHub hangs: outputs are told, and the step ends in time", async () => {
  await using scenario = await startScenario();
  scenario.github.answer("create-comment", hangBeforeHeaders);
  scenario.github.answer("edit-comment", hangBeforeHeaders);
  scenario.github.answer("react", hangBeforeHeaders);
  const run = scenario.start({ inputs: LONG_DELAY });
  await run.waitForOutput("jobId");
  const result = await stop(run, "SIGINT");
  expect(result.outputs).toMatchObject({ jobId: "job_1", errorKind: "cancelled" });
});

test("the runner's whole cancellation: the second signal is not needed and does no harm", async () => {
  await using scenario = await startScenario();
  const run = scenario.start({ inputs: LONG_DELAY });
  await run.waitForOutput("jobId");
  run.signal("SIGINT");
  const result = await stop(run, "SIGTERM");
  expect(result.outputs).toMatchObject({ jobId: "job_1", errorKind: "cancelled" });
});

test("wait: false, cancelled while GitHub hangs: the job is told, and the step ends in time", async () => {
  await using scenario = await startScenario();
  scenario.github.answer("create-comment", hangBeforeHeaders);
  const run = scenario.start({ inputs: { wait: "false" } });
  await run.waitForOutput("jobId");
  const signalledAt = performance.now();
  run.signal("SIGINT");
  const result = await run.result;
  expect(performance.now() - signalledAt).toBeLessThan(GONE_AFTER);
  expect(result.signal).toBeNull();
  expect(result.outputs.jobId).toBe("job_1");
});

test.each(someOf(SIGNALS))("%s while it is not known whether whoever asks may", async (signal) => {
  await using scenario = await startScenario();
  const permission = "GET /repos/octo/docs/collaborators/writer/permission";
  scenario.github.server.on(permission, hangBeforeHeaders);
  const run = scenario.start({
    ...comment("/docs explain"),
    inputs: { "trigger-phrase": "/docs" },
  });
  await scenario.github.server.waitForRequest(permission);
  const result = await stop(run, signal);
  expect(scenario.asked()).toEqual([]);
  expect(result.outputs.errorKind).toBe("cancelled");
});
