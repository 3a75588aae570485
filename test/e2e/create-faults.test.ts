import { expect, test } from "vitest";
import { drip, json, notHttp, resetAfterRequest, text } from "../support/answers.ts";
import { refusedUrl } from "../support/connections.ts";
import { schedule } from "../support/events.ts";
import { type Answer, startFaultyServer } from "../support/faulty-server.ts";
import { someOf } from "../support/sample.ts";
import { CREATE, gaps, POLL, record, startScenario } from "../support/scenario.ts";

const created = json(201, record("active"));

test("429 with Retry-After: the action comes back when it was told to", async () => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, json(429, { error: "limit" }, { "retry-after": "12" }), created);
  const result = await scenario.run({ fastClock: 20 });
  expect(result.exitCode).toBe(0);
  expect(scenario.asked()).toEqual([CREATE, CREATE, POLL]);
  const [waited = 0] = gaps(scenario.service.requestsTo(CREATE));
  expect(waited).toBeGreaterThan(12_000 / 20 - 10);
});

test("429 with a date in Retry-After", async () => {
  await using scenario = await startScenario();
  const limit: Answer = (exchange) => {
    const date = new Date(Date.now() + 3_000).toUTCString();
    return json(429, { error: "limit" }, { "retry-after": date })(exchange);
  };
  scenario.service.on(CREATE, limit, created);
  const result = await scenario.run();
  expect(result.exitCode).toBe(0);
  const [waited = 0] = gaps(scenario.service.requestsTo(CREATE));
  // A date has whole seconds.
  expect(waited).toBeGreaterThan(1_500);
});

test("429 without Retry-After: five seconds, doubling to sixty", async () => {
  await using scenario = await startScenario();
  const limit = json(429, { error: "limit" });
  scenario.service.on(CREATE, limit, limit, limit, limit, limit, limit, created);
  const result = await scenario.run({ ...schedule, fastClock: 50 });
  expect(result.exitCode).toBe(0);
  const waited = gaps(scenario.service.requestsTo(CREATE));
  expect(waited).toHaveLength(6);
  for (const [index, seconds] of [5, 10, 20, 40, 60, 60].entries()) {
    expect(waited[index]).toBeGreaterThan((seconds * 1000 * 0.75) / 50);
  }
});

test("429 until the time is up is rate-limited, and names the limit", async () => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, json(429, { error: "limit" }));
  const result = await scenario.run({
    ...schedule,
    fastClock: 20,
    inputs: { "timeout-minutes": "1" },
  });
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("rate-limited");
  expect(result.errors).toHaveLength(1);
  expect(result.errors[0]).toContain("100");
  expect(result.errors[0]).toContain("hour");
  expect(scenario.service.requestsTo(CREATE).length).toBeGreaterThanOrEqual(3);
});

test("a refused connection is tried again until somebody listens", async () => {
  await using scenario = await startScenario();
  const url = await refusedUrl();
  const run = scenario.start({
    inputs: {
      "base-url": url,
      "poll-interval-seconds": "0.3",
      "poll-max-interval-seconds": "0.3",
    },
  });
  await run.waitForLine("ECONNREFUSED");
  await using late = await startFaultyServer({ port: Number(new URL(url).port) });
  late.on(CREATE, created).on(POLL, json(200, record("completed")));
  const result = await run.result;
  expect(result.exitCode).toBe(0);
  expect(late.requestsTo(CREATE)).toHaveLength(1);
});

test("a service that refuses every connection is unavailable, and nothing was received", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run({ inputs: { "base-url": await refusedUrl() } });
  expect(result.exitCode).toBe(1);
  expect(result.errors).toHaveLength(1);
  expect(result.outputs.errorKind).toBe("service-unavailable");
  expect(result.outputs.jobId ?? "").toBe("");
});

test("a TLS handshake that fails is tried five times more: no connection was made", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run({
    inputs: { "base-url": scenario.service.url.replace("http:", "https:") },
  });
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("service-unavailable");
  expect(scenario.service.connections).toBe(6);
  expect(scenario.service.requests).toEqual([]);
});

test("503 with Retry-After was turned away at the door: five more tries, and then the end", async () => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, json(503, { error: "busy" }, { "retry-after": "0" }));
  const result = await scenario.run();
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(6);
  expect(result.exitCode).toBe(1);
  expect(result.errors).toHaveLength(1);
});

test("503 with Retry-After and then room: one job", async () => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, json(503, { error: "busy" }, { "retry-after": "10" }), created);
  const result = await scenario.run({ fastClock: 20 });
  expect(result.exitCode).toBe(0);
  const waited = gaps(scenario.service.requestsTo(CREATE));
  expect(waited).toHaveLength(1);
  expect(waited[0]).toBeGreaterThan(10_000 / 20 - 10);
});

/** More of them, with the same result: the fault matrix in test/trust. */
const UNCERTAIN: [string, Answer, number?][] = [
  ["500", json(500, { error: "internal" })],
  ["502 in HTML", text(502, "<h1>Bad gateway</h1>")],
  ["503 without Retry-After", json(503, { error: "busy" })],
  ["504", json(504, { error: "timeout" })],
  ["a reset after the request", resetAfterRequest],
  ["something that is not HTTP", notHttp],
  ["a body that drips", drip(201, record("active"), 500), 50],
];

test.each(someOf(UNCERTAIN))(
  "%s: the job may exist, and is not asked for twice",
  async (_, answer, fast) => {
    await using scenario = await startScenario();
    scenario.service.on(CREATE, answer, created);
    const result = await scenario.run({
      ...schedule,
      ...(fast === undefined ? {} : { fastClock: fast }),
    });
    expect(scenario.asked()).toEqual([CREATE]);
    expect(result.exitCode).toBe(1);
    expect(result.outputs.errorKind).toBe("create-uncertain");
    expect(result.errors).toHaveLength(1);
    expect(result.errors[0]).toContain("job-id");
  },
);

test("a connection reset as soon as it stands: the request may be on its way", async () => {
  await using scenario = await startScenario();
  scenario.service.resetConnections(1);
  const result = await scenario.run();
  // Whether the reset comes before or after the request has left is chance; two jobs never are.
  expect(scenario.service.requestsTo(CREATE).length).toBeLessThanOrEqual(1);
  if (result.exitCode !== 0) expect(result.outputs.errorKind).toBe("create-uncertain");
});

test.each(
  someOf([
    [400, "bad-request", "the prompt is too long"],
    [401, "unauthorized", "api-key"],
    [403, "forbidden", "allow-list"],
    [404, "not-found", "project-id"],
  ]),
)("%i is %s, at once, with what to do", async (status, kind, word) => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, json(status, { error: "the prompt is too long" }), created);
  const result = await scenario.run();
  expect(scenario.asked()).toEqual([CREATE]);
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe(kind);
  expect(result.errors).toHaveLength(1);
  expect(result.errors[0]).toContain(word);
  expect(result.outputs.errorMessage).toContain(word);
});

test("a refusal is told to the issue as well", async () => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, json(400, { error: "the prompt is too long" }));
  await scenario.run();
  expect(await scenario.github.comments(7)).toHaveLength(1);
  expect((await scenario.github.comments(7))[0]?.body).toContain("the prompt is too long");
});

const NO_RECORDS: [string, Answer][] = [
  ["HTML", text(200, "<!doctype html><title>Sign in</title>")],
  ["nothing", text(204, "")],
  ["a record without id", json(201, { status: "active" })],
  ["a record without status", json(201, { id: "job_1" })],
  ["an id that is a number", json(201, { id: 1, status: "active" })],
  ["an id that would leave the path", json(201, { id: "..", status: "active" })],
  ["an empty id", json(201, { id: "", status: "active" })],
  ["half a line of JSON", text(201, '{"id":"job_1","sta')],
];

test.each(someOf(NO_RECORDS))(
  "a success that holds %s is an invalid response",
  async (_, answer) => {
    await using scenario = await startScenario();
    scenario.service.on(CREATE, answer, created);
    const result = await scenario.run();
    expect(scenario.asked()).toEqual([CREATE]);
    expect(result.exitCode).toBe(1);
    expect(result.outputs.errorKind).toBe("invalid-response");
    expect(result.errors).toHaveLength(1);
  },
);

test("an answer just under 1 MiB is read", async () => {
  await using scenario = await startScenario();
  const padding = "x".repeat(1024 * 1024 - 1000);
  scenario.service.on(CREATE, json(201, record("active", { padding })));
  expect((await scenario.run()).exitCode).toBe(0);
});
