import { expect, test } from "vitest";
import { ADMIN_KEY } from "../../emulator/service/state.ts";
import { held, json } from "../support/answers.ts";
import { issueComment, push, schedule } from "../support/events.ts";
import { someOf } from "../support/sample.ts";
import { PROMPT } from "../support/world/actions.ts";
import {
  CREATE,
  completed,
  MESSAGE,
  POLL,
  PR_LINK,
  record,
  WITH_JOB,
} from "../support/world/jobs.ts";

import { startWorld } from "../support/world/world.ts";

test("a job with a pull request is created, polled until its end, and reported", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, json(200, record("active")), json(200, completed));
  const result = await world.run("root");

  expect(world.asked("service")).toEqual([CREATE, POLL, POLL]);
  const [create] = world.received("service");
  expect(create?.headers).toMatchObject({
    authorization: `Bearer ${ADMIN_KEY}`,
    "content-type": "application/json",
  });
  expect(JSON.parse(create?.body.toString() ?? "")).toEqual({ prompt: PROMPT });
  expect(world.received("service")[1]?.headers.authorization).toBe(`Bearer ${ADMIN_KEY}`);

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
    commentUrl: world.comments(7)[0]?.url,
  });
  expect(result.outputs.archivedAt ?? "").toBe("");
  expect(result.outputs.errorKind ?? "").toBe("");
  expect(result.outputs.errorMessage ?? "").toBe("");
  expect(result.notices.join()).toContain(PR_LINK);
  expect(result.summary).toContain(PR_LINK);
  expect(world.comments(7)).toHaveLength(1);
  expect(world.comment(7)).toContain(PR_LINK);
});

test("a job that failed ends the step with job-failed, and the comment says that it failed", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, json(200, record("failed")));
  const result = await world.run("root");
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
  expect(world.comment(7)).toContain("failed");
});

test("an archived job ends the step successfully, with a warning", async () => {
  await using world = await startWorld(WITH_JOB);
  const archivedAt = "2026-08-01T12:05:00.000Z";
  world.on(POLL, json(200, record("archived", { archivedAt })));
  const result = await world.run("root");
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toHaveLength(1);
  expect(result.warnings[0]).toContain("archived");
  expect(result.outputs).toMatchObject({ status: "archived", archivedAt });
  expect(world.comment(7)).toContain("archived");
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
    await using world = await startWorld(WITH_JOB);
    world.on(POLL, json(200, record("completed")));
    const inputs = { "if-no-changes": choice };
    const result = await world.run("root", { inputs, fastClock: 60 });
    expect(world.received(POLL)).toHaveLength(2);
    expect(result.exitCode).toBe(exitCode);
    expect(result.warnings).toHaveLength(warnings);
    expect(result.errors).toHaveLength(errors);
    expect(result.outputs.status).toBe("completed");
    expect(result.outputs.prLink ?? "").toBe("");
    if (choice === "error") expect(result.outputs.errorKind).toBe("no-changes");
  },
);

test("a link that comes after the job's end is found by a second poll, a minute later", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(
    POLL,
    json(200, record("completed")),
    json(200, record("completed", { prLink: PR_LINK })),
  );
  const result = await world.run("root", { fastClock: 60 });
  expect(result.outputs).toMatchObject({ status: "completed", prLink: PR_LINK });
  expect(world.comment(7)).toContain("completed with a pull request");
});

test("with wait: false, the step ends after the job is created", async () => {
  await using world = await startWorld(WITH_JOB);
  const result = await world.run("root", { inputs: { wait: "false" } });
  expect(world.asked("service")).toEqual([CREATE]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ status: "active", jobId: "job_1" });
  expect(world.comments(7)).toHaveLength(1);
  const body = world.comment(7);
  expect(body).toContain("job_1");
  expect(body).toMatch(/^### ⏳ .* the agent is working$/m);
});

test("jobId and status are outputs as soon as the job exists", async () => {
  await using world = await startWorld(WITH_JOB);
  const poll = held(json(200, completed));
  world.on(POLL, poll);
  const run = world.start("root");
  await world.waitForRequest(POLL);
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
    await using world = await startWorld(WITH_JOB);
    const result = await world.run("root", trigger);
    expect(result.exitCode).toBe(0);
    expect(result.warnings).toEqual([]);
    expect(world.received("github")).toEqual([]);
    expect(result.outputs).toMatchObject({ status: "completed", prLink: PR_LINK });
    expect(result.outputs.commentUrl ?? "").toBe("");
    expect(result.summary).toContain(PR_LINK);
  },
);

test("with issue-number, a scheduled run comments on that issue", async () => {
  await using world = await startWorld(WITH_JOB);
  const result = await world.run("root", { ...schedule, inputs: { "issue-number": "12" } });
  expect(result.exitCode).toBe(0);
  expect(world.comments(12)).toHaveLength(1);
  expect(result.outputs.commentUrl).toBe(world.comments(12)[0]?.url);
});

test("with comment: false, there are no comment and no commentUrl", async () => {
  await using world = await startWorld(WITH_JOB);
  const result = await world.run("root", { inputs: { comment: "false" } });
  expect(result.exitCode).toBe(0);
  expect(world.bodies).toEqual([]);
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
    await using world = await startWorld(WITH_JOB);
    world.on(POLL, json(200, last));
    await world.run("root", issueComment(7, 555));
    const path = "/repos/octo/docs/issues/comments/555/reactions";
    expect(world.reactions()).toEqual([`${path} eyes`, `${path} ${reaction}`]);
  },
);

test("a record needs only id and status, and other fields may be unknown, null or of another type", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(CREATE, json(201, { id: "job_1", status: "active" }));
  world.on(
    POLL,
    json(200, { id: "job_1", status: "active", source: null, model: 7, prLink: {}, more: [1] }),
    json(200, { id: "job_1", status: "completed", source: { ref: null }, createdAt: null }),
  );
  const result = await world.run("root", { fastClock: 30 });
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([]);
  expect(result.outputs).toMatchObject({ status: "completed", jobId: "job_1" });
  for (const name of ["model", "repository", "ref", "createdAt", "prLink", "prNumber"]) {
    expect(result.outputs[name] ?? "").toBe("");
  }
});

test("the log has a line for each change of status, and one per minute", async () => {
  await using world = await startWorld(WITH_JOB);
  let createdAt = 0;
  world.on(CREATE, (exchange) => {
    createdAt = performance.now();
    return json(201, record("active"))(exchange);
  });
  // Two and a half minutes of the step's time.
  world.on(POLL, (exchange) => {
    const isOver = performance.now() - createdAt > 150_000 / 50;
    return json(200, isOver ? completed : record("active"))(exchange);
  });
  const result = await world.run("root", {
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
  await using world = await startWorld(WITH_JOB);
  const limited = json(429, { error: "Slow down" }, { "retry-after": "150" });
  world.on(CREATE, limited, json(201, completed));
  const result = await world.run("root", { ...schedule, fastClock: 50 });
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
    await using world = await startWorld(WITH_JOB);
    world.on(CREATE, json(201, answer));
    const result = await world.run("root", { inputs: { wait: "false" } });
    expect(world.asked("service")).toEqual([CREATE]);
    expect(result.exitCode).toBe(exitCode);
    expect(result.outputs).toMatchObject({ jobId: "job_1", status });
    expect(result.outputs.errorKind ?? "").toBe(kind);
    expect(world.comment(7)).toContain(word);
    expect(world.comment(7)).not.toContain("the agent is working");
    expect(result.summary).not.toContain("the agent is working");
  },
);

test("with wait: false, the earlier end in a follow-up's answer is not reported", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(MESSAGE, json(200, record("failed")));
  const result = await world.run("root", { inputs: { "job-id": "job_1", wait: "false" } });
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status ?? "").toBe("");
  expect(world.comment(7)).toContain("the agent is working");
  expect(world.comment(7)).not.toContain("failed");
});

test("with wait: false and job-id, a poll that fails causes a warning, and no status is reported", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, json(503, { error: "busy" }));
  const inputs = { "job-id": "job_1", prompt: "", wait: "false" };
  const result = await world.run("root", { inputs });
  expect(world.asked("service")).toEqual([POLL]);
  expect(result.exitCode).toBe(0);
  expect(result.warnings.join()).toContain("the poll failed");
  expect(result.summary).not.toContain("the agent is working");
});
