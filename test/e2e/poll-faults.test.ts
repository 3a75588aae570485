import { expect, test } from "vitest";
import { drip, json, notHttp, resetAfterRequest, text } from "../support/answers.ts";
import { schedule } from "../support/events.ts";
import type { Answer } from "../support/faulty-server.ts";
import { someOf } from "../support/sample.ts";
import { CREATE, completed, gaps, POLL, record, startScenario } from "../support/scenario.ts";

const active = json(200, record("active"));
const ended = json(200, completed);

/** One of each kind, and what the fault matrix in test/trust does not have. */
const PASSING: [string, Answer, number?][] = [
  ["502 in HTML", text(502, "<h1>Bad gateway</h1>")],
  ["a reset", resetAfterRequest],
  ["something that is not HTTP", notHttp],
  ["HTML for JSON", text(200, "<!doctype html><title>Maintenance</title>")],
  ["a record without status", json(200, { id: "job_1" })],
  ["a body that drips", drip(200, completed, 500), 50],
];

test.each(someOf(PASSING))(
  "%s: polling goes on, one warning when it starts, one when it is over",
  async (_, fault, fast) => {
    await using scenario = await startScenario();
    scenario.service.on(POLL, active, fault, fault, active, ended);
    const result = await scenario.run({
      ...schedule,
      ...(fast === undefined ? {} : { fastClock: fast }),
    });
    expect(result.exitCode).toBe(0);
    expect(result.errors).toEqual([]);
    expect(result.outputs.status).toBe("completed");
    expect(result.warnings).toHaveLength(2);
    expect(scenario.service.requestsTo(CREATE)).toHaveLength(1);
    expect(scenario.service.requestsTo(POLL)).toHaveLength(5);
  },
);

test("connections that are reset before they are read pass as well", async () => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, (exchange) => {
    scenario.service.resetConnections(2);
    return json(201, record("active"), { connection: "close" })(exchange);
  });
  const result = await scenario.run(schedule);
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toHaveLength(2);
});

/** Fast enough for minutes, and slow enough for a busy machine to keep within the limits of seconds. */
const FAST = 50;
const PATIENT = { "poll-interval-seconds": "3", "poll-max-interval-seconds": "15" };

test("five minutes without a good answer, and not less, is unavailable", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(503, { error: "busy" }));
  const result = await scenario.run({ ...schedule, fastClock: FAST, inputs: PATIENT });
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({
    errorKind: "service-unavailable",
    status: "active",
    jobId: "job_1",
  });
  expect(result.errors).toHaveLength(1);
  const [create] = scenario.service.requestsTo(CREATE);
  const last = scenario.service.requestsTo(POLL).at(-1);
  const waited = (last?.at ?? 0) - (create?.at ?? 0);
  expect(waited).toBeGreaterThan(300_000 / FAST - 50);
});

test("a good answer in between starts the five minutes anew", async () => {
  await using scenario = await startScenario();
  const startedAt = performance.now();
  const minute = () => (performance.now() - startedAt) / (60_000 / FAST);
  let goodOnes = 0;
  scenario.service.on(POLL, (exchange) => {
    if (minute() > 7.5) return ended(exchange);
    if (minute() > 3.5 && goodOnes === 0) {
      goodOnes += 1;
      return active(exchange);
    }
    return json(503, { error: "busy" })(exchange);
  });
  const result = await scenario.run({ ...schedule, fastClock: FAST, inputs: PATIENT });
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("completed");
  expect(result.warnings).toHaveLength(4);
});

test("a job that is not found at first is looked for again", async () => {
  await using scenario = await startScenario();
  const missing = json(404, { error: "job not found" });
  scenario.service.on(POLL, missing, missing, active, ended);
  const result = await scenario.run();
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("completed");
});

test("a job that is not found for thirty seconds does not exist", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(404, { error: "job not found" }));
  const result = await scenario.run({
    fastClock: 30,
    inputs: { "poll-interval-seconds": "2", "poll-max-interval-seconds": "2" },
  });
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("not-found");
  const [create] = scenario.service.requestsTo(CREATE);
  const last = scenario.service.requestsTo(POLL).at(-1);
  const waited = (last?.at ?? 0) - (create?.at ?? 0);
  expect(waited).toBeGreaterThan(30_000 / 30 - 30);
});

test.each(
  someOf([
    [401, "unauthorized"],
    [403, "forbidden"],
  ]),
)("%i at a poll is %s, at once, and names the key", async (status, kind) => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, active, json(status, { error: "no" }), ended);
  const result = await scenario.run();
  expect(scenario.service.requestsTo(POLL)).toHaveLength(2);
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ errorKind: kind, jobId: "job_1" });
  expect(result.errors[0]).toContain("api-key");
});

test.each(
  someOf([
    ["a good answer", json(200, record("active"), { "retry-after": "10" })],
    ["a refusal", json(429, { error: "limit" }, { "retry-after": "10" })],
    ["an overload", json(503, { error: "busy" }, { "retry-after": "10" })],
  ]),
)("Retry-After on %s replaces a shorter delay", async (_, answer) => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, answer, ended);
  const result = await scenario.run({
    fastClock: 20,
    inputs: { "poll-interval-seconds": "1", "poll-max-interval-seconds": "1" },
  });
  expect(result.exitCode).toBe(0);
  const [waited = 0] = gaps(scenario.service.requestsTo(POLL));
  expect(waited).toBeGreaterThan(10_000 / 20 - 10);
});

test("Retry-After replaces a longer delay", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("active"), { "retry-after": "1" }), ended);
  await scenario.run({
    fastClock: 20,
    // A job that was there before is polled at once.
    inputs: {
      ...{ "job-id": "job_1", prompt: "" },
      ...{ "poll-interval-seconds": "600", "poll-max-interval-seconds": "600" },
    },
  });
  const [waited = Number.POSITIVE_INFINITY] = gaps(scenario.service.requestsTo(POLL));
  // Ten minutes would be 24 real seconds at the least.
  expect(waited).toBeLessThan(15_000);
});

test("Retry-After with a date on a poll", async () => {
  await using scenario = await startScenario();
  scenario.service.on(
    POLL,
    (exchange) => {
      const date = new Date(Date.now() + 2_000).toUTCString();
      return json(200, record("active"), { "retry-after": date })(exchange);
    },
    ended,
  );
  await scenario.run();
  const [waited = 0] = gaps(scenario.service.requestsTo(POLL));
  expect(waited).toBeGreaterThan(900);
});

test("a Retry-After beyond the time limit does not go past it", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("active"), { "retry-after": "3600" }));
  const result = await scenario.run({ inputs: { "timeout-minutes": "0.15" } });
  expect(result.outputs.errorKind).toBe("timeout");
  expect(scenario.service.requestsTo(POLL)).toHaveLength(2);
});
