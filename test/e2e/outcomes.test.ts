import { expect, test } from "vitest";
import { held, json } from "../support/answers.ts";
import { issueComment, push, schedule } from "../support/events.ts";
import { someOf } from "../support/sample.ts";
import {
  API_KEY,
  CREATE,
  completed,
  MESSAGE,
  POLL,
  PR_LINK,
  PROMPT,
  record,
  startScenario,
} from "../support/scenario.ts";

test("a job with a pull request is created, polled until its end, and reported", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("active")), json(200, completed));
  const result = await scenario.run();

  expect(scenario.asked()).toEqual([CREATE, POLL, POLL]);
  const [create] = scenario.service.requests;
  expect(create?.headers).toMatchObject({
    authorization: `Bearer ${API_KEY}`,
    "content-type": "application/json",
  });
  expect(JSON.parse(create?.body.toString() ?? "")).toEqual({ prompt: PROMPT });
  expect(scenario.service.requests[1]?.headers.authorization).toBe(`Bearer ${API_KEY}`);

  expect(result.errors).toEqual([]);
  expect(result.warnings).toEqual([]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({
    status: "completed",
    prLink: PR_LINK,
    jobId: "job_1",
    prNumber: "9",
    model: "sonnet",
    repository: "https://github.com/octo/docs",
    ref: "docs-agent/webhooks",
    createdAt: "2026-08-01T12:00:00.000Z",
    commentUrl: (await scenario.github.comments(7))[0]?.html_url,
  });
  expect(result.outputs.archivedAt ?? "").toBe("");
  expect(result.outputs.errorKind ?? "").toBe("");
  expect(result.outputs.errorMessage ?? "").toBe("");
  expect(result.notices.join()).toContain(PR_LINK);
  expect(result.summary).toContain(PR_LINK);
  expect(await scenario.github.comments(7)).toHaveLength(1);
  expect(await scenario.github.firstBody(7)).toContain(PR_LINK);
});

test("a job that failed ends the step with job-failed, and the comment says that it failed", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("failed")));
  const result = await scenario.run();
  expect(result.exitCode).toBe(1);
  expect(result.errors).toHaveLength(1);
  expect(result.outputs).toMatchObject({
    status: "failed",
    jobId: "job_1",
    errorKind: "job-failed",
  });
  expect(result.outputs.errorMessage).not.toBe("");
  expect(result.outputs.prLink ?? "").toBe("");
  expect(result.summary).toContain("failed");
  expect(await scenario.github.firstBody(7)).toContain("failed");
});

test("an archived job ends the step successfully, with a warning", async () => {
  await using scenario = await startScenario();
  const archivedAt = "2026-08-01T12:05:00.000Z";
  scenario.service.on(POLL, json(200, record("archived", { archivedAt })));
  const result = await scenario.run();
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toHaveLength(1);
  expect(result.warnings[0]).toContain("archived");
  expect(result.outputs).toMatchObject({ status: "archived", archivedAt });
  expect(await scenario.github.firstBody(7)).toContain("archived");
});

test.each(
  someOf([
    { choice: "ignore", exitCode: 0, warnings: 0, errors: 0 },
    { choice: "warn", exitCode: 0, warnings: 1, errors: 0 },
    { choice: "error", exitCode: 1, warnings: 0, errors: 1 },
  ]),
)(
  "with if-no-changes: $choice, a job without changes ends the step with exit code $exitCode",
  async ({ choice, exitCode, warnings, errors }) => {
    await using scenario = await startScenario();
    scenario.service.on(POLL, json(200, record("completed")));
    const result = await scenario.run({ inputs: { "if-no-changes": choice } });
    expect(result.exitCode).toBe(exitCode);
    expect(result.warnings).toHaveLength(warnings);
    expect(result.errors).toHaveLength(errors);
    expect(result.outputs.status).toBe("completed");
    expect(result.outputs.prLink ?? "").toBe("");
    if (choice === "error") expect(result.outputs.errorKind).toBe("no-changes");
  },
);

test("with wait: false, the step ends after the job is created", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run({ inputs: { wait: "false" } });
  expect(scenario.asked()).toEqual([CREATE]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ status: "active", jobId: "job_1" });
  expect(await scenario.github.comments(7)).toHaveLength(1);
  const body = await scenario.github.firstBody(7);
  expect(body).toContain("job_1");
  expect(body).toMatch(/^### ⏳ .* the agent is working$/m);
});

test("jobId and status are outputs as soon as the job exists", async () => {
  await using scenario = await startScenario();
  const poll = held(json(200, completed));
  scenario.service.on(POLL, poll);
  const run = scenario.start();
  await scenario.service.waitForRequest(POLL);
  expect(await run.waitForOutput("status")).toMatchObject({ status: "active", jobId: "job_1" });
  poll.release();
  expect((await run.result).outputs.status).toBe("completed");
});

test.each(
  someOf([
    ["schedule", schedule],
    ["push", push],
  ]),
)(
  "a %s has no issue, so there is no request to GitHub, and the summary has the result",
  async (_, trigger) => {
    await using scenario = await startScenario();
    const result = await scenario.run(trigger);
    expect(result.exitCode).toBe(0);
    expect(result.warnings).toEqual([]);
    expect(scenario.github.server.requests).toEqual([]);
    expect(result.outputs).toMatchObject({ status: "completed", prLink: PR_LINK });
    expect(result.outputs.commentUrl ?? "").toBe("");
    expect(result.summary).toContain(PR_LINK);
  },
);

test("with issue-number, a scheduled run comments on that issue", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run({ ...schedule, inputs: { "issue-number": "12" } });
  expect(result.exitCode).toBe(0);
  expect(await scenario.github.comments(12)).toHaveLength(1);
  expect(result.outputs.commentUrl).toBe((await scenario.github.comments(12))[0]?.html_url);
});

test("with comment: false, there are no comment and no commentUrl", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run({ inputs: { comment: "false" } });
  expect(result.exitCode).toBe(0);
  expect(scenario.github.bodies).toEqual([]);
  expect(result.outputs.commentUrl ?? "").toBe("");
});

test.each(
  someOf([
    ["completed", "rocket", completed],
    ["failed", "confused", record("failed")],
  ]),
)(
  "a job that %s gets the reaction eyes when it starts and %s when it ends",
  async (_, reaction, last) => {
    await using scenario = await startScenario();
    scenario.service.on(POLL, json(200, last));
    await scenario.run(issueComment(7, 555));
    const path = "/repos/octo/docs/issues/comments/555/reactions";
    expect(scenario.github.reactions).toEqual([`${path} eyes`, `${path} ${reaction}`]);
  },
);

test("a record needs only id and status, and other fields may be unknown, null or of another type", async () => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, json(201, { id: "job_1", status: "active" }));
  scenario.service.on(
    POLL,
    json(200, { id: "job_1", status: "active", source: null, model: 7, prLink: {}, more: [1] }),
    json(200, { id: "job_1", status: "completed", source: { ref: null }, createdAt: null }),
  );
  const result = await scenario.run();
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([]);
  expect(result.outputs).toMatchObject({ status: "completed", jobId: "job_1" });
  for (const name of ["model", "repository", "ref", "createdAt", "prLink", "prNumber"]) {
    expect(result.outputs[name] ?? "").toBe("");
  }
});

test("the log has a line for each change of status, and one per minute", async () => {
  await using scenario = await startScenario();
  let createdAt = 0;
  scenario.service.on(CREATE, (exchange) => {
    createdAt = performance.now();
    return json(201, record("active"))(exchange);
  });
  // Two and a half minutes of the step's time.
  scenario.service.on(POLL, (exchange) => {
    const isOver = performance.now() - createdAt > 150_000 / 50;
    return json(200, isOver ? completed : record("active"))(exchange);
  });
  const result = await scenario.run({
    ...schedule,
    fastClock: 50,
    inputs: { "poll-interval-seconds": "3", "poll-max-interval-seconds": "15" },
  });
  expect(result.exitCode).toBe(0);
  const lines = result.visible.filter((line) => /still/.test(line));
  expect(lines.length).toBeGreaterThanOrEqual(2);
  expect(lines.length).toBeLessThanOrEqual(4);
  for (const line of lines) {
    expect(line).toMatch(
      /^Job job_1 is still active after \d min( \d+ s)?\. Next poll in \d+ s\.$/,
    );
  }
  expect(result.visible.join("\n")).toContain("completed");
  expect(result.summary).not.toContain("still");
});

test("waiting for the service's rate limit logs a line per minute", async () => {
  await using scenario = await startScenario();
  const limited = json(429, { error: "Slow down" }, { "retry-after": "150" });
  scenario.service.on(CREATE, limited, json(201, completed));
  const result = await scenario.run({ ...schedule, fastClock: 50 });
  expect(result.errors).toEqual([]);
  const waits = result.visible.filter((line) => /Trying again in/.test(line));
  expect(waits[0]).toMatch(/Slow down. Trying again in 2 min 30 s\.$/);
  expect(waits).toHaveLength(3);
  expect(waits[1]).toMatch(/^The service has not taken the request yet\. Trying again in 1 min/);
  expect(result.summary).not.toContain("Trying again");
});

test.each(
  someOf([
    ["failed", record("failed"), 1, "job-failed", "the job failed"],
    ["completed", completed, 0, "", "pull request"],
    ["archived", record("archived"), 0, "", "archived"],
  ]),
)(
  "with wait: false, a job that is created as %s is reported as such",
  async (status, answer, exitCode, kind, word) => {
    await using scenario = await startScenario();
    scenario.service.on(CREATE, json(201, answer));
    const result = await scenario.run({ inputs: { wait: "false" } });
    expect(scenario.asked()).toEqual([CREATE]);
    expect(result.exitCode).toBe(exitCode);
    expect(result.outputs).toMatchObject({ jobId: "job_1", status });
    expect(result.outputs.errorKind ?? "").toBe(kind);
    expect(await scenario.github.firstBody(7)).toContain(word);
    expect(await scenario.github.firstBody(7)).not.toContain("the agent is working");
    expect(result.summary).not.toContain("the agent is working");
  },
);

test("with wait: false, the earlier end in a follow-up's answer is not reported", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, json(200, record("failed")));
  const result = await scenario.run({ inputs: { "job-id": "job_1", wait: "false" } });
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status ?? "").toBe("");
  expect(await scenario.github.firstBody(7)).toContain("the agent is working");
  expect(await scenario.github.firstBody(7)).not.toContain("failed");
});

test("with wait: false and job-id, a poll that fails causes a warning, and no status is reported", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(503, { error: "busy" }));
  const inputs = { "job-id": "job_1", prompt: "", wait: "false" };
  const result = await scenario.run({ inputs });
  expect(scenario.asked()).toEqual([POLL]);
  expect(result.exitCode).toBe(0);
  expect(result.warnings.join()).toContain("the poll failed");
  expect(result.summary).not.toContain("the agent is working");
});
