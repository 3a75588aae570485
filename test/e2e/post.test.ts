import { expect, test } from "vitest";
import type { RunningAction } from "../../emulator/runner/runner.ts";
import { hangBeforeHeaders, json } from "../support/answers.ts";
import { GONE_AFTER } from "../support/grace.ts";
import { someOf } from "../support/sample.ts";
import {
  CREATE,
  LONG_DELAY,
  MARKER,
  MESSAGE,
  POLL,
  PR_LINK,
  record,
  type Scenario,
  startScenario,
} from "../support/scenario.ts";

/** The job's record from before a follow-up. */
const OLD_END = record("completed", { prLink: PR_LINK });

/** Runs the main step until its comment is posted, and kills it. */
async function killMain(scenario: Scenario) {
  const run = scenario.start({ inputs: LONG_DELAY });
  await run.waitForOutput("jobId");
  await scenario.github.server.waitForRequest("POST /repos/octo/docs/issues/7/comments");
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
    await using scenario = await startScenario();
    const main = await killMain(scenario);
    expect(main.state).not.toEqual({});
    scenario.service.on(POLL, json(200, polled));
    const post = await scenario.run({ entry: "post", state: main.state, inputs: LONG_DELAY });
    expect(post.exitCode).toBe(0);
    expect(scenario.asked()).toEqual([CREATE, POLL]);
    expect(await scenario.github.comments(7)).toHaveLength(1);
    expect(await scenario.github.firstBody(7)).toContain(words);
    expect(post.summary).toContain(words);
  },
);

test("after a kill during the create request, the post step starts no job, and says that there may be one", async () => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, hangBeforeHeaders);
  const run = scenario.start();
  await scenario.service.waitForRequest(CREATE);
  run.signal("SIGKILL");
  const main = await run.result;
  const post = await scenario.run({ entry: "post", state: main.state });
  expect(post.exitCode).toBe(0);
  expect(scenario.asked()).toEqual([CREATE]);
  expect(await scenario.github.comments(7)).toHaveLength(1);
  expect(await scenario.github.firstBody(7)).toMatch(/may|might/);
  expect(post.summary).toMatch(/may|might/);
});

test("after a kill before the comment was posted, the post step posts it", async () => {
  await using scenario = await startScenario();
  scenario.github.answer("create-comment", hangBeforeHeaders);
  const run = scenario.start({ inputs: LONG_DELAY });
  // The job is saved for the post step before this request.
  await scenario.github.server.waitForRequest("POST /repos/octo/docs/issues/7/comments");
  run.signal("SIGKILL");
  const main = await run.result;
  scenario.github.restore("create-comment");
  const post = await scenario.run({ entry: "post", state: main.state });
  expect(post.exitCode).toBe(0);
  expect(await scenario.github.comments(7)).toHaveLength(1);
  expect(await scenario.github.firstBody(7)).toContain(PR_LINK);
});

test("after a complete main step, the post step makes no request and writes no summary", async () => {
  await using scenario = await startScenario();
  const main = await scenario.run();
  const [toService, toGitHub] = [scenario.asked().length, scenario.github.server.requests.length];
  const post = await scenario.run({ entry: "post", state: main.state });
  expect(post.exitCode).toBe(0);
  expect(scenario.asked()).toHaveLength(toService);
  expect(scenario.github.server.requests).toHaveLength(toGitHub);
  expect(post.summary).toBe("");
});

test("a post step with an invalid state makes no request", async () => {
  await using scenario = await startScenario();
  const post = await scenario.run({ entry: "post", state: { run: '{"jobId":' } });
  expect(post.exitCode).toBe(0);
  expect(scenario.asked()).toEqual([]);
});

test("with wait: false, the post step does not poll the job", async () => {
  await using scenario = await startScenario();
  const main = await scenario.run({ inputs: { wait: "false" } });
  await scenario.run({ entry: "post", state: main.state, inputs: { wait: "false" } });
  expect(scenario.asked()).toEqual([CREATE]);
});

test("without a job, the post step makes no request, even with invalid inputs", async () => {
  await using scenario = await startScenario();
  const inputs = { "api-key": "", wait: "yes" };
  const main = await scenario.run({ inputs });
  const post = await scenario.run({ entry: "post", state: main.state, inputs });
  expect(post.exitCode).toBe(0);
  expect(post.errors).toEqual([]);
  expect(scenario.asked()).toEqual([]);
});

test("a post step whose poll fails succeeds, and the comment says how to wait for the job", async () => {
  await using scenario = await startScenario();
  const main = await killMain(scenario);
  scenario.service.on(POLL, json(500, { error: "internal" }));
  const post = await scenario.run({ entry: "post", state: main.state });
  expect(post.exitCode).toBe(0);
  expect(scenario.service.requestsTo(POLL)).toHaveLength(1);
  expect(await scenario.github.firstBody(7)).toContain("job-id");
});

/** Runs a follow-up to a job whose record is outdated, and kills the step when the comment is posted. */
async function killFollowUp(scenario: Scenario) {
  scenario.service.on(MESSAGE, json(200, OLD_END)).on(POLL, json(200, OLD_END));
  const inputs = { ...LONG_DELAY, "job-id": "job_1" };
  const run = scenario.start({ inputs });
  await run.waitForOutput("commentUrl");
  run.signal("SIGKILL");
  return { state: (await run.result).state, inputs };
}

test("after a kill during a follow-up, the post step does not report the job's earlier end", async () => {
  await using scenario = await startScenario();
  const { state, inputs } = await killFollowUp(scenario);
  const post = await scenario.run({ entry: "post", state, inputs });
  expect(post.exitCode).toBe(0);
  const body = await scenario.github.firstBody(7);
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
    // The comment is created, gets its marker, and is updated.
    expect(scenario.github.bodies).toHaveLength(3);
    const body = await scenario.github.firstBody(7);
    expect(body).toContain("job-id");
    expect(body).toContain("job_1");
    expect(body.match(MARKER)).toHaveLength(1);
  },
);

test("SIGINT while the step waits for the rate limit ends it with cancelled and without a job", async () => {
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
