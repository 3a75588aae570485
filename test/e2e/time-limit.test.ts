import { expect, test } from "vitest";
import { hangBeforeHeaders, json } from "../support/answers.ts";
import { CREATE, completed, POLL, record, startScenario } from "../support/scenario.ts";

/** 0.6 seconds, as the input has it. */
const BRIEF = { "timeout-minutes": "0.01" };
/** One poll after five seconds or so, with as much to spare; the next would come after ten, and comes at them. */
const TWO_POLLS = {
  "timeout-minutes": "0.165",
  "poll-interval-seconds": "5",
  "poll-max-interval-seconds": "600",
};

test("a job still running at the limit fails the step and says how to go on", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("active")));
  const result = await scenario.run({ inputs: { ...BRIEF, "poll-max-interval-seconds": "0.05" } });
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({
    status: "active",
    jobId: "job_1",
    errorKind: "timeout",
  });
  expect(result.errors).toHaveLength(1);
  expect(result.errors[0]).toContain("job-id");
  expect(result.errors[0]).toContain("job_1");
  expect((await scenario.github.comments(7))[0]?.body).toContain("job_1");
  expect((await scenario.github.comments(7))[0]?.body).toContain("job-id");
});

test("if-timeout: warn keeps the step green", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("active")));
  const result = await scenario.run({ inputs: { ...TWO_POLLS, "if-timeout": "warn" } });
  expect(result.exitCode).toBe(0);
  expect(result.errors).toEqual([]);
  expect(result.warnings).toHaveLength(1);
  expect(result.warnings[0]).toContain("job_1");
  expect(result.outputs).toMatchObject({ status: "active", jobId: "job_1" });
});

test("no delay goes past the limit, and the last poll at the limit counts", async () => {
  await using scenario = await startScenario();
  const inputs = {
    ...BRIEF,
    "poll-interval-seconds": "600",
    "poll-max-interval-seconds": "600",
  };
  const result = await scenario.run({ inputs });
  expect(scenario.asked()).toEqual([CREATE, POLL]);
  const [create, poll] = scenario.service.requests;
  // Ten minutes were asked for; 0.6 seconds, and what a busy machine adds, are given.
  expect((poll?.at ?? 0) - (create?.at ?? 0)).toBeLessThan(30_000);
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("completed");
});

test("a last poll is made at the limit, wherever the schedule stands", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("active")));
  const result = await scenario.run({ inputs: TWO_POLLS });
  expect(result.outputs.errorKind).toBe("timeout");
  expect(scenario.asked()).toEqual([CREATE, POLL, POLL]);
});

test("a poll that hangs does not hold up the end", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, hangBeforeHeaders);
  const result = await scenario.run({ fastClock: 20, inputs: { "timeout-minutes": "0.5" } });
  expect(result.exitCode).toBe(1);
  expect(["timeout", "service-unavailable"]).toContain(result.outputs.errorKind);
  const [create] = scenario.service.requests;
  // Half a minute, and a little for the last poll, at twenty times the speed.
  expect(performance.now() - (create?.at ?? 0)).toBeLessThan(20_000);
});

test("creating counts: a Retry-After beyond the limit is not waited for", async () => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, json(429, { error: "limit" }, { "retry-after": "3600" }));
  const result = await scenario.run({ inputs: { "timeout-minutes": "1" } });
  expect(scenario.asked()).toEqual([CREATE]);
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("rate-limited");
  expect(result.errors[0]).toContain("100");
});

test("a limit beyond what a timer holds is a long time, not none", async () => {
  await using scenario = await startScenario();
  const active = json(200, record("active"));
  scenario.service.on(POLL, active, active, json(200, completed));
  const result = await scenario.run({ inputs: { "timeout-minutes": "100000" } });
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("completed");
  expect(result.stderr).not.toContain("TimeoutOverflowWarning");
});
