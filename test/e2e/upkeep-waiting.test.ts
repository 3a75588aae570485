import { expect, test } from "vitest";
import { json, late } from "../support/answers.ts";
import { CREATE, PR_LINK, record } from "../support/world/jobs.ts";
import { pullNumberOf, titlesIn } from "../support/world/outputs.ts";
import { HOUR, startWorld } from "../support/world/world.ts";

const POLLS = { "poll-interval-seconds": "0.2", "poll-max-interval-seconds": "1" };

test("with wait, the run ends when the batch is completed", async () => {
  await using world = await startWorld({ steering: { durationMs: 100 } });
  await world.github.land({ title: "Wait for it" });
  const run = await world.run("upkeep", { inputs: { ...POLLS, wait: "true" } });
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ result: "started", status: "completed", changeCount: "1" });
  expect(run.outputs.prLink).toContain("/pull/");
  expect(JSON.parse(run.outputs.finished ?? "")).toMatchObject([{ status: "completed" }]);
  expect(world.dashboard("upkeep").body).toContain("1 change: 1 in review");
});

test("with wait, an outdated record does not end the wait for a follow-up", async () => {
  await using world = await startWorld({ steering: { durationMs: 100, staleMs: 200 } });
  const options = { fastClock: 30, inputs: { ...POLLS, wait: "true" } };
  await world.github.land();
  const first = await world.run("upkeep", options);
  await world.github.land();
  const second = await world.run("upkeep", options);
  expect(second.outputs).toMatchObject({ result: "continued", status: "completed" });
  expect(second.outputs.jobId).toBe(first.outputs.jobId);
  expect(world.dashboard("upkeep").body).toContain("2 changes: 2 in review");
});

test("with wait, a follow-up whose docs pull request is merged meanwhile is handed over again", async () => {
  await using world = await startWorld({ steering: { durationMs: 100 } });
  const inputs = { ...POLLS, wait: "true" };
  await world.github.land({ title: "Add retries" });
  const { outputs } = await world.run("upkeep", { inputs });
  // GitHub's times have whole seconds: the agent's commit is older than the follow-up.
  await world.passTime(2000);
  await world.github.land({ title: "Rename a flag" });
  const prompt = "Document it.\nemulate: duration=2s";
  const running = world.start("upkeep", { inputs: { ...inputs, prompt } });
  await world.waitForRequest(`POST service /v2/agent/acme-docs/job/${outputs.jobId}/message`);
  await world.github.merge(pullNumberOf(outputs.prLink ?? ""));
  const followUp = await running.result;
  expect(followUp.outputs).toMatchObject({ result: "continued", waitingCount: "1" });
  const again = await world.run("upkeep");
  expect(titlesIn(again)).toEqual(["Rename a flag"]);
});

test("with wait, a batch that is running at the time limit fails the step, and a later run finishes it", async () => {
  await using world = await startWorld({ steering: { durationMs: null } });
  await world.github.land();
  const inputs = { ...POLLS, wait: "true", "timeout-minutes": "0.005" };
  const run = await world.run("upkeep", { inputs });
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ result: "started", status: "active", finished: "[]" });
  expect(run.outputs).toMatchObject({ changeCount: "1", errorKind: "timeout" });
  expect(run.outputs.errorMessage).toMatch(/still running.*A later run finishes the batch\.$/);
  expect(run.errors).toEqual([run.outputs.errorMessage]);
  expect(run.summary).toContain("still running");
  await world.service.setJob(run.outputs.jobId ?? "", { status: "completed" });
  await world.run("upkeep");
  await world.passTime();
  const later = await world.run("upkeep");
  expect(later.exitCode).toBe(0);
  expect(later.outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(JSON.parse(later.outputs.finished ?? "")).toHaveLength(1);
  expect(await world.prompts()).toHaveLength(1);
});

test("with wait, a batch whose job is found at its end by one poll alone is not called documented", async () => {
  await using world = await startWorld({ steering: { durationMs: 0, linkMs: HOUR } });
  await world.github.land({ title: "Rename a flag" });
  const inputs = { ...POLLS, wait: "true", "timeout-minutes": "0.005" };
  const run = await world.run("upkeep", { inputs });
  expect(run).toMatchObject({ exitCode: 0, outputs: { result: "started", finished: "[]" } });
  await world.service.setJob(run.outputs.jobId ?? "", { prLink: PR_LINK });
  await world.passTime();
  const later = await world.run("upkeep");
  expect(JSON.parse(later.outputs.finished ?? "")).toMatchObject([
    { status: "completed", prLink: PR_LINK },
  ]);
});

test("with wait, a failed job fails the step, and the next run hands its changes over again", async () => {
  await using world = await startWorld({ steering: { durationMs: 100, outcome: "failed" } });
  await world.github.land({ title: "Too hard" });
  const run = await world.run("upkeep", { inputs: { ...POLLS, wait: "true" } });
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ result: "started", status: "failed", changeCount: "1" });
  expect(run.outputs).toMatchObject({ errorKind: "job-failed", waitingCount: "1" });
  expect(JSON.parse(run.outputs.finished ?? "")).toMatchObject([{ status: "failed" }]);
  expect(world.dashboard("upkeep").body).toMatch(/## Waiting\n\n- Attempt 2 ← .*`Too hard`/);
  const again = await world.run("upkeep");
  expect(again.exitCode).toBe(0);
  expect(again.outputs).toMatchObject({ result: "started", changeCount: "1" });
});

test("with comment, each merged pull request of a finished batch gets one comment", async () => {
  await using world = await startWorld();
  const inputs = { comment: "true" };
  const first = await world.github.land({ title: "One" });
  const second = await world.github.land({ title: "Two" });
  await world.run("upkeep", { inputs });
  await world.passTime();
  await world.run("upkeep", { inputs });
  await world.passTime();
  await world.run("upkeep", { inputs });
  for (const { number } of [first, second]) {
    const comments = world.comments(number).map(({ body }) => body);
    expect(comments).toHaveLength(1);
    expect(comments[0]).toContain("[docs pull request");
  }
});

test("prompt, github-token and github-api-url are used", async () => {
  await using world = await startWorld();
  await world.github.land({ title: "By hand" });
  const { token, url } = world.github;
  const inputs = { prompt: "Only the tables.", "github-token": token, "github-api-url": url };
  const run = await world.run("upkeep", {
    token: "ghs_wrong",
    apiUrl: "http://127.0.0.1:9",
    inputs,
  });
  expect(run.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect((await world.prompts())[0]).toMatch(/^Only the tables\./);
});

test("a run that does not wait for the job gives the service 30 seconds to accept the request", async () => {
  await using world = await startWorld();
  // On this clock, 12.5 seconds.
  world.on(CREATE, late(json(201, record("active")), 250));
  await world.github.land();
  const run = await world.run("upkeep", { fastClock: 50 });
  expect(run.errors).toEqual([]);
  expect(run.outputs).toMatchObject({ result: "started", jobId: "job_1", changeCount: "1" });
});
