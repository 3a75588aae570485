import { expect, test } from "vitest";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { json } from "../support/answers.ts";
import { schedule } from "../support/events.ts";
import type { Answer } from "../support/faulty-server.ts";
import { completed, gaps, POLL, record, startScenario } from "../support/scenario.ts";

/** Fast enough for minutes, and slow enough for a busy machine to answer within the limits of seconds. */
const FAST = 50;

/** Waits for a job that is there, which is polled at once. */
const TAKE_UP: RunOptions = {
  ...schedule,
  fastClock: FAST,
  inputs: { "job-id": "job_1", prompt: "", "poll-interval-seconds": "3" },
};

/** A poll that fails, and the seconds until the next. */
const busy = (retryAfter: number): Answer =>
  json(503, { error: "busy" }, { "retry-after": String(retryAfter) });

test("one failed poll of a run that polls seldom does not end it", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("active")), busy(1), json(200, completed));
  // More than five minutes from one poll to the next, a fifth sooner too.
  const seldom = { "poll-interval-seconds": "380", "poll-max-interval-seconds": "380" };
  const result = await scenario.run({ ...TAKE_UP, inputs: { ...TAKE_UP.inputs, ...seldom } });
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("completed");
  expect(gaps(scenario.service.requestsTo(POLL))[0]).toBeGreaterThan(300_000 / FAST);
});

test("a long Retry-After does not use up the five minutes", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, busy(320), busy(1), json(200, completed));
  const result = await scenario.run(TAKE_UP);
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("completed");
  expect(gaps(scenario.service.requestsTo(POLL))[0]).toBeGreaterThan(300_000 / FAST);
});

test("the third failed poll gives up, once five minutes have passed since the first", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, busy(320), busy(1));
  const result = await scenario.run(TAKE_UP);
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ errorKind: "service-unavailable", jobId: "job_1" });
  expect(scenario.service.requestsTo(POLL)).toHaveLength(3);
  expect(result.errors[0]).toMatch(/Polls have failed for 5 min/);
});
