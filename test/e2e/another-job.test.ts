import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import {
  CREATE,
  completed,
  MESSAGE,
  POLL,
  PR_LINK,
  record,
  startScenario,
} from "../support/scenario.ts";
import { HALTED_WELL, halted, POLL_V1, session, startScenarioV1 } from "../support/scenario-v1.ts";

const FOREIGN_LINK = "https://github.com/octo/other/pull/666";
/** The record of somebody else's job, which ended well. */
const FOREIGN = {
  ...record("completed", { prLink: FOREIGN_LINK }),
  id: "job_666",
  source: { repository: "https://github.com/octo/other", ref: "foreign-branch" },
};
const FOREIGN_SESSION = halted("completed", {
  sessionId: "session_666",
  pullRequestLink: FOREIGN_LINK,
  messageToUser: "foreign words",
});

const OTHER = /_666|pull\/666|foreign/;

/** Everything that a run has told anybody, markers decoded. */
function toldBy({ github }: Awaited<ReturnType<typeof startScenario>>, result: object): string {
  const markers = github.bodies.flatMap((body) =>
    [...body.matchAll(/docs-agent:([\w-]+)\./g)].map(([, payload = ""]) =>
      Buffer.from(payload, "base64url").toString(),
    ),
  );
  return JSON.stringify([result, github.bodies, markers]);
}

test("a poll that answers another job's record is a poll that failed", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, FOREIGN), json(200, FOREIGN), json(200, completed));
  const result = await scenario.run();
  expect(scenario.asked()).toEqual([CREATE, POLL, POLL, POLL]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed", prLink: PR_LINK });
  expect(result.warnings).toHaveLength(2);
  expect(result.warnings[0]).toContain("a different job");
  expect(toldBy(scenario, result)).not.toMatch(OTHER);
});

test("polls that answer nothing else: the time limit, and nothing of the other job", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, FOREIGN));
  const result = await scenario.run({ inputs: { "timeout-minutes": "0.005" } });
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "active", errorKind: "timeout" });
  expect(result.outputs.errorMessage).not.toContain("still running");
  expect(toldBy(scenario, result)).not.toMatch(OTHER);
});

test("a follow-up that is answered with another job's record goes to the job it was sent to", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, json(200, FOREIGN));
  scenario.service.on(POLL, json(200, record("active")), json(200, completed));
  const result = await scenario.run({ inputs: { "job-id": "job_1" } });
  expect(scenario.asked()).toEqual([MESSAGE, POLL, POLL]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed", prLink: PR_LINK });
  expect(toldBy(scenario, result)).not.toMatch(OTHER);
});

test("with wait: false, such a follow-up names the job it was sent to", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, json(200, FOREIGN));
  const result = await scenario.run({ inputs: { "job-id": "job_1", wait: "false" } });
  expect(result.exitCode).toBe(0);
  expect(result.outputs.jobId).toBe("job_1");
  expect(toldBy(scenario, result)).not.toMatch(OTHER);
});

test("a job that is taken up is not taken for another", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, FOREIGN), json(200, completed));
  const result = await scenario.run({ inputs: { "job-id": "job_1", prompt: "" } });
  expect(result.outputs).toMatchObject({ jobId: "job_1", prLink: PR_LINK });
  expect(toldBy(scenario, result)).not.toMatch(OTHER);
});

test("the post step does not believe it either", async () => {
  await using scenario = await startScenario();
  const long = { "poll-interval-seconds": "60", "poll-max-interval-seconds": "60" };
  const run = scenario.start({ inputs: long });
  await run.waitForOutput("commentUrl");
  run.signal("SIGKILL");
  const { state } = await run.result;
  scenario.service.on(POLL, json(200, FOREIGN));
  const post = await scenario.run({ entry: "post", state });
  expect(post.exitCode).toBe(0);
  expect((await scenario.github.comments(7))[0]?.body).toContain("job-id");
  expect(toldBy(scenario, post)).not.toMatch(OTHER);
});

test("version 1: another session's record is a poll that failed", async () => {
  await using scenario = await startScenarioV1();
  const own = json(200, HALTED_WELL);
  scenario.service.on(POLL_V1, json(200, session()), json(200, FOREIGN_SESSION), own);
  const result = await scenario.run();
  expect(scenario.service.requestsTo(POLL_V1)).toHaveLength(3);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ jobId: "session_1", prLink: PR_LINK });
  expect(result.warnings.join()).toContain("a different job");
  expect(toldBy(scenario, result)).not.toMatch(OTHER);
});

test("version 1: a record that does not tell its session is the one asked for", async () => {
  await using scenario = await startScenarioV1();
  const { sessionId: _, ...anonymous } = HALTED_WELL;
  scenario.service.on(POLL_V1, json(200, anonymous));
  const result = await scenario.run();
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ jobId: "session_1", prLink: PR_LINK });
});
