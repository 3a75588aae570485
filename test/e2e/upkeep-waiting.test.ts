import { expect, test } from "vitest";
import { json, late } from "../support/answers.ts";
import { startFaultyServer } from "../support/faulty-server.ts";
import { CREATE_IN_WORLD } from "../support/ledger-setup.ts";
import { record } from "../support/scenario.ts";
import { setUpUpkeep } from "../support/upkeep-setup.ts";

/** The comments of a pull request. */
async function commentsOn(scene: Awaited<ReturnType<typeof setUpUpkeep>>, number: number) {
  const path = `/issues/${number}/comments?per_page=100`;
  return (await scene.world.github.api<{ body: string }[]>(path)).map(({ body }) => body);
}

const POLLS = { "poll-interval-seconds": "0.2", "poll-max-interval-seconds": "1" };

test("with wait, the run ends when the batch is completed", async () => {
  await using scene = await setUpUpkeep({ steering: { durationMs: 100 } });
  await scene.history.land({ title: "Wait for it" });
  const run = await scene.run({ inputs: { ...POLLS, wait: "true" } });
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ result: "started", status: "completed", changeCount: "1" });
  expect(run.outputs.prLink).toContain("/pull/");
  expect(JSON.parse(run.outputs.finished ?? "")).toMatchObject([{ status: "completed" }]);
  expect(await scene.body()).toContain("1 change documented, 1 in review");
});

test("with wait, an outdated record does not end the wait for a follow-up", async () => {
  await using scene = await setUpUpkeep({ steering: { durationMs: 100, staleMs: 200 } });
  const options = { fastClock: 30, inputs: { ...POLLS, wait: "true" } };
  await scene.history.land();
  const first = await scene.run(options);
  await scene.history.land();
  const second = await scene.run(options);
  expect(second.outputs).toMatchObject({ result: "continued", status: "completed" });
  expect(second.outputs.jobId).toBe(first.outputs.jobId);
  expect(await scene.body()).toContain("0 of 2 changes documented, 2 in review");
});

test("with wait, a batch that is running at the time limit fails the step, and a later run finishes it", async () => {
  await using scene = await setUpUpkeep({ steering: { durationMs: null } });
  await scene.history.land();
  const inputs = { ...POLLS, wait: "true", "timeout-minutes": "0.005" };
  const run = await scene.run({ inputs });
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ result: "started", status: "active", finished: "[]" });
  expect(run.outputs).toMatchObject({ changeCount: "1", errorKind: "timeout" });
  expect(run.outputs.errorMessage).toMatch(/still running.*A later run finishes the batch\.$/);
  expect(run.errors).toEqual([run.outputs.errorMessage]);
  expect(run.summary).toContain("still running");
  await scene.world.service.setJob(run.outputs.jobId ?? "", { status: "completed" });
  await scene.passTime();
  const later = await scene.run();
  expect(later.exitCode).toBe(0);
  expect(later.outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(JSON.parse(later.outputs.finished ?? "")).toHaveLength(1);
  expect(await scene.prompts()).toHaveLength(1);
});

test("with wait, a failed job fails the step, and the next run hands its changes over again", async () => {
  await using scene = await setUpUpkeep({ steering: { durationMs: 100, outcome: "failed" } });
  await scene.history.land({ title: "Too hard" });
  const run = await scene.run({ inputs: { ...POLLS, wait: "true" } });
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ result: "started", status: "failed", changeCount: "1" });
  expect(run.outputs).toMatchObject({ errorKind: "job-failed", waitingCount: "1" });
  expect(JSON.parse(run.outputs.finished ?? "")).toMatchObject([{ status: "failed" }]);
  expect(await scene.body()).toMatch(/## Waiting\n\n- Attempt 2 ← .*`Too hard`/);
  const again = await scene.run();
  expect(again.exitCode).toBe(0);
  expect(again.outputs).toMatchObject({ result: "started", changeCount: "1" });
});

test("with comment, each merged pull request of a finished batch gets one comment", async () => {
  await using scene = await setUpUpkeep();
  const inputs = { comment: "true" };
  const first = await scene.history.land({ title: "One" });
  const second = await scene.history.land({ title: "Two" });
  await scene.run({ inputs });
  await scene.passTime();
  await scene.run({ inputs });
  await scene.passTime();
  await scene.run({ inputs });
  for (const { number } of [first, second]) {
    const comments = await commentsOn(scene, number);
    expect(comments).toHaveLength(1);
    expect(comments[0]).toContain("[docs pull request");
  }
});

test("prompt, github-token and github-api-url are used", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land({ title: "By hand" });
  const { token, url } = scene.world.github;
  const inputs = { prompt: "Only the tables.", "github-token": token, "github-api-url": url };
  const run = await scene.run({ token: "ghs_wrong", apiUrl: "http://127.0.0.1:9", inputs });
  expect(run.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect((await scene.prompts())[0]).toMatch(/^Only the tables\./);
});

test("a run that does not wait for the job gives the service 30 seconds to accept the request", async () => {
  await using scene = await setUpUpkeep();
  await using service = await startFaultyServer();
  // On this clock, 12.5 seconds.
  service.on(CREATE_IN_WORLD, late(json(201, record("active")), 250));
  await scene.history.land();
  const run = await scene.run({ fastClock: 50, inputs: { "base-url": service.url } });
  expect(run.errors).toEqual([]);
  expect(run.outputs).toMatchObject({ result: "started", jobId: "job_1", changeCount: "1" });
});
