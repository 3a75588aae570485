import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { someOf } from "../support/sample.ts";
import {
  CREATE,
  completed,
  MESSAGE,
  POLL,
  PR_LINK,
  PROMPT,
  record,
  startScenario,
} from "../support/scenario.ts";

const OLD_END = record("completed", { prLink: "https://github.com/octo/docs/pull/1" });

test("job-id with a prompt sends a follow-up to that job and waits for it", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, json(200, record("active")));
  const result = await scenario.run({ inputs: { "job-id": "job_1" } });
  expect(scenario.asked()).toEqual([MESSAGE, POLL]);
  expect(JSON.parse(scenario.service.requests[0]?.body.toString() ?? "")).toEqual({
    prompt: PROMPT,
  });
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ status: "completed", jobId: "job_1", prLink: PR_LINK });
});

test("job-id alone only waits for the job", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("active")), json(200, completed));
  const result = await scenario.run({ inputs: { "job-id": "job_1", prompt: "" } });
  expect(scenario.asked()).toEqual([POLL, POLL]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ status: "completed", jobId: "job_1", prLink: PR_LINK });
});

test("a job taken up that has long ended needs one poll", async () => {
  await using scenario = await startScenario();
  const inputs = { "job-id": "job_1", prompt: "" };
  const result = await scenario.run({ inputs });
  expect(scenario.asked()).toEqual([POLL]);
  expect(result.outputs.status).toBe("completed");
});

test("job-id with wait: false sends the message and goes on", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, json(200, record("active")));
  const result = await scenario.run({ inputs: { "job-id": "job_1", wait: "false" } });
  expect(scenario.asked()).toEqual([MESSAGE]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs.jobId).toBe("job_1");
});

test("an end from before the follow-up does not count until the job was seen active", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, json(200, OLD_END));
  scenario.service.on(
    POLL,
    json(200, OLD_END),
    json(200, OLD_END),
    json(200, record("active")),
    json(200, OLD_END),
  );
  const result = await scenario.run({ inputs: { "job-id": "job_1" } });
  expect(scenario.service.requestsTo(POLL)).toHaveLength(4);
  expect(result.outputs.status).toBe("completed");
});

test("an end counts at once when the record has changed", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, json(200, OLD_END));
  scenario.service.on(POLL, json(200, OLD_END), json(200, OLD_END), json(200, completed));
  const result = await scenario.run({ inputs: { "job-id": "job_1" } });
  expect(scenario.service.requestsTo(POLL)).toHaveLength(3);
  expect(result.outputs.prLink).toBe(PR_LINK);
});

test("an end that stays the same counts after twenty seconds", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, json(200, OLD_END)).on(POLL, json(200, OLD_END));
  const result = await scenario.run({
    fastClock: 20,
    inputs: {
      "job-id": "job_1",
      "poll-interval-seconds": "2",
      "poll-max-interval-seconds": "2",
    },
  });
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ status: "completed", prLink: OLD_END.prLink });
  const [message] = scenario.service.requestsTo(MESSAGE);
  const last = scenario.service.requestsTo(POLL).at(-1);
  const waited = (last?.at ?? 0) - (message?.at ?? 0);
  expect(waited).toBeGreaterThan(20_000 / 20 - 20);
});

test("a follow-up that is answered without a status is understood", async () => {
  await using scenario = await startScenario();
  const { status: _, ...withoutStatus } = OLD_END;
  scenario.service.on(MESSAGE, json(202, withoutStatus));
  scenario.service.on(POLL, json(200, record("active")), json(200, completed));
  const result = await scenario.run({ inputs: { "job-id": "job_1" } });
  expect(result.exitCode).toBe(0);
  expect(scenario.asked()).toEqual([MESSAGE, POLL, POLL]);
});

test.each(
  someOf([
    [400, "bad-request", "prompt is not welcome"],
    [401, "unauthorized", "api-key"],
    [403, "forbidden", "api-key"],
    [404, "not-found", "job-id"],
  ]),
)("a follow-up answered %i ends the run as %s", async (status, kind, word) => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, json(status, { error: "prompt is not welcome" }));
  const result = await scenario.run({ inputs: { "job-id": "job_1" } });
  expect(scenario.asked()).toEqual([MESSAGE]);
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe(kind);
  expect(result.errors).toHaveLength(1);
  expect(result.errors[0]).toContain(word);
});

test("a follow-up that may have arrived is not sent twice", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, json(502, { error: "bad gateway" }));
  const result = await scenario.run({ inputs: { "job-id": "job_1" } });
  expect(scenario.asked()).toEqual([MESSAGE]);
  expect(result.outputs.errorKind).toBe("create-uncertain");
});

test("a follow-up over the limit is sent again when Retry-After says", async () => {
  await using scenario = await startScenario();
  scenario.service.on(
    MESSAGE,
    json(429, { error: "slow down" }, { "retry-after": "1" }),
    json(200, record("active")),
  );
  const result = await scenario.run({ fastClock: 10, inputs: { "job-id": "job_1" } });
  expect(result.exitCode).toBe(0);
  expect(scenario.asked()).toEqual([MESSAGE, MESSAGE, POLL]);
});

test("a job that is busy is asked again", async () => {
  await using scenario = await startScenario();
  const busy = json(409, { error: "the job is busy" });
  scenario.service.on(MESSAGE, busy, busy, json(200, record("active")));
  const result = await scenario.run({ fastClock: 50, inputs: { "job-id": "job_1" } });
  expect(result.exitCode).toBe(0);
  expect(scenario.asked()).toEqual([MESSAGE, MESSAGE, MESSAGE, POLL]);
});

test("a job that stays busy is asked for a minute, and no longer", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, json(409, { error: "the job is busy" }));
  const result = await scenario.run({
    fastClock: 50,
    inputs: {
      "job-id": "job_1",
      "poll-interval-seconds": "3",
      "poll-max-interval-seconds": "15",
    },
  });
  expect(result.exitCode).toBe(1);
  expect(scenario.service.requestsTo(CREATE)).toEqual([]);
  const messages = scenario.service.requestsTo(MESSAGE);
  const waited = (messages.at(-1)?.at ?? 0) - (messages[0]?.at ?? 0);
  expect(waited).toBeGreaterThan(45_000 / 50);
});

test("a job that was there before is not given thirty seconds to be found", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(404, { error: "job not found" }));
  const result = await scenario.run({ inputs: { "job-id": "job_1", prompt: "" } });
  expect(scenario.asked()).toEqual([POLL]);
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("not-found");
});

test("no follow-up ever creates a job", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, json(404, { error: "job not found" }));
  await scenario.run({ inputs: { "job-id": "job_1" } });
  expect(scenario.service.requestsTo(CREATE)).toEqual([]);
});
