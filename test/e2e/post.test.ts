import { expect, test } from "vitest";
import type { RunningAction } from "../../emulator/runner/runner.ts";
import { hangBeforeHeaders, json } from "../support/answers.ts";
import { GONE_AFTER } from "../support/grace.ts";
import { someOf } from "../support/sample.ts";
import { CREATE_COMMENT, MARKER } from "../support/world/conversation.ts";
import {
  CREATE,
  LONG_DELAY,
  MESSAGE,
  POLL,
  PR_LINK,
  record,
  WITH_JOB,
} from "../support/world/jobs.ts";

import { startWorld, type World } from "../support/world/world.ts";

/** The job's record from before a follow-up. */
const OLD_END = record("completed", { prLink: PR_LINK });

/** Runs the main step until its comment is posted, and kills it. */
async function killMain(world: World) {
  const run = world.start("root", { inputs: LONG_DELAY });
  await run.waitForOutput("jobId");
  await world.waitForRequest("POST /repos/octo/docs/issues/7/comments");
  // The state contains the comment's URL only after GitHub's answer was read.
  await run.waitForOutput("commentUrl");
  run.signal("SIGKILL");
  const result = await run.result;
  expect(result.signal).toBe("SIGKILL");
  return result;
}

test.each(
  someOf([
    ["completed", record("completed", { prLink: PR_LINK }), PR_LINK],
    ["failed", record("failed"), "failed"],
    ["active", record("active"), "job-id"],
  ]),
)(
  "after a kill, the post step polls a job once, and reports that it is %s",
  async (_, polled, words) => {
    await using world = await startWorld(WITH_JOB);
    const main = await killMain(world);
    expect(main.state).not.toEqual({});
    world.on(POLL, json(200, polled));
    const post = await world.run("root", { entry: "post", state: main.state, inputs: LONG_DELAY });
    expect(post.exitCode).toBe(0);
    expect(world.asked("service")).toEqual([CREATE, POLL]);
    expect(world.comments(7)).toHaveLength(1);
    expect(world.comment(7)).toContain(words);
    expect(post.summary).toContain(words);
  },
);

test("after a kill during the create request, the post step starts no job, and says that there may be one", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(CREATE, hangBeforeHeaders);
  const run = world.start("root");
  await world.waitForRequest(CREATE);
  run.signal("SIGKILL");
  const main = await run.result;
  const post = await world.run("root", { entry: "post", state: main.state });
  expect(post.exitCode).toBe(0);
  expect(world.asked("service")).toEqual([CREATE]);
  expect(world.comments(7)).toHaveLength(1);
  expect(world.comment(7)).toMatch(/may|might/);
  expect(post.summary).toMatch(/may|might/);
});

test("after a kill before the comment was posted, the post step posts it", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(CREATE_COMMENT, hangBeforeHeaders);
  const run = world.start("root", { inputs: LONG_DELAY });
  // The job is saved for the post step before this request.
  await world.waitForRequest("POST /repos/octo/docs/issues/7/comments");
  run.signal("SIGKILL");
  const main = await run.result;
  world.restore(CREATE_COMMENT);
  const post = await world.run("root", { entry: "post", state: main.state });
  expect(post.exitCode).toBe(0);
  expect(world.comments(7)).toHaveLength(1);
  expect(world.comment(7)).toContain(PR_LINK);
});

test("after a complete main step, the post step makes no request and writes no summary", async () => {
  await using world = await startWorld(WITH_JOB);
  const main = await world.run("root");
  const post = await world.run("root", { entry: "post", state: main.state });
  expect(post.exitCode).toBe(0);
  expect(post.requests).toEqual([]);
  expect(post.summary).toBe("");
});

test("a post step with an invalid state makes no request", async () => {
  await using world = await startWorld(WITH_JOB);
  const post = await world.run("root", { entry: "post", state: { run: '{"jobId":' } });
  expect(post.exitCode).toBe(0);
  expect(world.asked("service")).toEqual([]);
});

test("with wait: false, the post step does not poll the job", async () => {
  await using world = await startWorld(WITH_JOB);
  const main = await world.run("root", { inputs: { wait: "false" } });
  await world.run("root", { entry: "post", state: main.state, inputs: { wait: "false" } });
  expect(world.asked("service")).toEqual([CREATE]);
});

test("without a job, the post step makes no request, even with invalid inputs", async () => {
  await using world = await startWorld(WITH_JOB);
  const inputs = { "api-key": "", wait: "yes" };
  const main = await world.run("root", { inputs });
  const post = await world.run("root", { entry: "post", state: main.state, inputs });
  expect(post.exitCode).toBe(0);
  expect(post.errors).toEqual([]);
  expect(world.asked("service")).toEqual([]);
});

test("a post step whose poll fails succeeds, and the comment says how to wait for the job", async () => {
  await using world = await startWorld(WITH_JOB);
  const main = await killMain(world);
  world.on(POLL, json(500, { error: "internal" }));
  const post = await world.run("root", { entry: "post", state: main.state });
  expect(post.exitCode).toBe(0);
  expect(world.received(POLL)).toHaveLength(1);
  expect(world.comment(7)).toContain("job-id");
});

/** Runs a follow-up to a job whose record is outdated, and kills the step when the comment is posted. */
async function killFollowUp(world: World) {
  world.on(MESSAGE, json(200, OLD_END)).on(POLL, json(200, OLD_END));
  const inputs = { ...LONG_DELAY, "job-id": "job_1" };
  const run = world.start("root", { inputs });
  await run.waitForOutput("commentUrl");
  run.signal("SIGKILL");
  return { state: (await run.result).state, inputs };
}

test("after a kill during a follow-up, the post step does not report the job's earlier end", async () => {
  await using world = await startWorld(WITH_JOB);
  const { state, inputs } = await killFollowUp(world);
  const post = await world.run("root", { entry: "post", state, inputs });
  expect(post.exitCode).toBe(0);
  const body = world.comment(7);
  for (const text of [body, post.summary, post.stdout]) expect(text).not.toContain(PR_LINK);
  expect(body).toContain("cancelled");
  expect(post.outputs.prLink ?? "").toBe("");
});

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Sends a signal, and expects that the step fails in time. */
async function stop(run: RunningAction, signal: NodeJS.Signals) {
  const signalledAt = performance.now();
  run.signal(signal);
  const result = await run.result;
  const tookMs = performance.now() - signalledAt;
  expect(tookMs).toBeLessThan(GONE_AFTER);
  // The step exited itself. If the signal had killed it, there would be no exit code.
  expect(result.signal).toBeNull();
  expect(result.exitCode).toBeGreaterThan(0);
  return result;
}

test.each(someOf(SIGNALS))(
  "%s during a delay ends the step with cancelled, and log, summary and comment say how to wait for the job",
  async (signal) => {
    await using world = await startWorld(WITH_JOB);
    const run = world.start("root", { inputs: LONG_DELAY });
    await run.waitForOutput("jobId");
    await world.waitForRequest("POST /repos/octo/docs/issues/7/comments");
    const result = await stop(run, signal);
    expect(world.asked("service")).toEqual([CREATE]);
    expect(result.outputs).toMatchObject({
      jobId: "job_1",
      status: "active",
      errorKind: "cancelled",
    });
    expect(result.outputs.errorMessage).toContain("job-id");
    expect(result.summary).toContain("job_1");
    expect(world.comments(7)).toHaveLength(1);
    // The comment is created, gets its marker, and is updated.
    expect(world.bodies).toHaveLength(3);
    const body = world.comment(7);
    expect(body).toContain("job-id");
    expect(body).toContain("job_1");
    expect(body.match(MARKER)).toHaveLength(1);
  },
);

test("SIGINT while the step waits for the rate limit ends it with cancelled and without a job", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(CREATE, json(429, { error: "limit" }, { "retry-after": "600" }));
  const run = world.start("root");
  await world.waitForRequest(CREATE);
  await run.waitForLine(/429|limit/);
  const result = await stop(run, "SIGINT");
  expect(world.asked("service")).toEqual([CREATE]);
  expect(result.outputs.errorKind).toBe("cancelled");
  expect(result.outputs.jobId ?? "").toBe("");
});
