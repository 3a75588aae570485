import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { startCollectScenario } from "../support/collect-scenario.ts";
import { CREATE, POLL, PR_LINK, record } from "../support/scenario.ts";
import { CREATE_V1, created, POLL_V1, session } from "../support/scenario-v1.ts";

const ended = record("completed", { prLink: PR_LINK });
const EDIT = "PATCH /repos/octo/docs/issues/comments/:id";
const SLOW = { "poll-interval-seconds": "60", "poll-max-interval-seconds": "60" };

test("the comment of a run that still waits is left to it, until it can wait no longer", async () => {
  await using scenario = await startCollectScenario();
  const { github, service } = scenario;
  const run = scenario.start({ inputs: SLOW });
  await github.server.waitForRequest(EDIT);
  service.on(POLL, json(200, ended));
  const early = await scenario.sweep();
  expect(early.outputs).toMatchObject({ checkedCount: "0", finishedCount: "0" });
  expect(early.stdout).toContain("1 skipped because its run may still be waiting");
  run.signal("SIGKILL");
  await run.result;

  // Its 30 minutes, and 10 more.
  await github.passTime(39 * 60_000);
  expect((await scenario.sweep()).outputs.finishedCount).toBe("0");
  await github.passTime(2 * 60_000);
  expect((await scenario.sweep()).outputs.finishedCount).toBe("1");
  const [told] = await github.comments(7);
  expect(told?.body).toContain("completed with a pull request");
});

test("a sweep beside a waiting run changes nothing of what that run writes", async () => {
  await using scenario = await startCollectScenario();
  const { github, service } = scenario;
  service.on(POLL, json(200, record("active")));
  const inputs = { wait: "true", "poll-interval-seconds": "0.2" };
  const run = scenario.ask({ inputs });
  await github.server.waitForRequest(EDIT);
  const { outputs } = await scenario.sweep();
  expect(outputs.checkedCount).toBe("0");
  service.on(POLL, json(200, ended));
  expect((await run).outputs.status).toBe("completed");
  const after = [await github.comments(7), await github.comments(9)];
  expect((await scenario.sweep()).outputs.checkedCount).toBe("0");
  expect([await github.comments(7), await github.comments(9)]).toEqual(after);
  expect(after.map((comments) => comments.length)).toEqual([1, 1]);
});

test("the comment of a run that timed out is finished", async () => {
  await using scenario = await startCollectScenario();
  scenario.service.on(POLL, json(200, record("active")));
  await scenario.run({ inputs: { "timeout-minutes": "0.001" } });
  const [before] = await scenario.github.comments(7);
  expect(before?.body).toContain("still running at the time limit");
  scenario.service.on(POLL, json(200, ended));
  await scenario.sweep();
  const [after] = await scenario.github.comments(7);
  expect(after?.body).toContain("completed with a pull request");
  expect(after?.body).not.toContain("time limit");
});

test("the comment of a run that was cancelled is finished, and its attempt again asks anew", async () => {
  await using scenario = await startCollectScenario();
  const { github, service } = scenario;
  const run = scenario.start({ inputs: SLOW });
  await github.server.waitForRequest(EDIT);
  run.signal("SIGINT");
  await run.result;
  const [before] = await github.comments(7);
  expect(before?.body).toContain("cancelled");
  service.on(POLL, json(200, ended));
  expect((await scenario.sweep()).outputs.finishedCount).toBe("1");
  const [after] = await github.comments(7);
  expect(after?.body).toContain("completed with a pull request");
  await scenario.run({ attempt: 2 });
  expect(service.requestsTo(CREATE)).toHaveLength(2);
});

test("a killed run of version 1, whose comment its post step brought up to date, is finished", async () => {
  await using scenario = await startCollectScenario();
  const { github, service } = scenario;
  service.on(CREATE_V1, created()).on(POLL_V1, json(200, session()));
  const options = { inputs: { ...SLOW, "api-version": "v1" } };
  const run = scenario.start(options);
  await github.server.waitForRequest(EDIT);
  run.signal("SIGKILL");
  const { state } = await run.result;
  await scenario.run({ ...options, entry: "post", state });
  service.on(POLL_V1, json(404, { error: "no such session" }));
  await github.passTime(60_000);
  expect((await scenario.sweep()).outputs.finishedCount).toBe("1");
  const [told] = await github.comments(7);
  expect(told?.body).toContain("session_1");
  expect(told?.body).toContain("does not know this job");
});
