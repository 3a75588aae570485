import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { CREATE, completed, LOOK, MESSAGE, PR_LINK, record, setScene } from "../support/scene.ts";
import { HALTED_WELL, halted, LOOK_V1, session, setSceneV1 } from "../support/scene-v1.ts";

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
function toldBy({ github }: Awaited<ReturnType<typeof setScene>>, result: object): string {
  const markers = github.bodies.flatMap((body) =>
    [...body.matchAll(/docs-agent:([\w-]+)\./g)].map(([, payload = ""]) =>
      Buffer.from(payload, "base64url").toString(),
    ),
  );
  return JSON.stringify([result, github.bodies, markers]);
}

test("a poll that answers another job's record is a poll that failed", async () => {
  await using scene = await setScene();
  scene.service.on(LOOK, json(200, FOREIGN), json(200, FOREIGN), json(200, completed));
  const result = await scene.run();
  expect(scene.asked()).toEqual([CREATE, LOOK, LOOK, LOOK]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed", prLink: PR_LINK });
  expect(result.warnings).toHaveLength(2);
  expect(result.warnings[0]).toContain("another job");
  expect(toldBy(scene, result)).not.toMatch(OTHER);
});

test("polls that answer nothing else: the time limit, and nothing of the other job", async () => {
  await using scene = await setScene();
  scene.service.on(LOOK, json(200, FOREIGN));
  const result = await scene.run({ inputs: { "timeout-minutes": "0.005" } });
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "active", errorKind: "timeout" });
  expect(result.outputs.errorMessage).not.toContain("still running");
  expect(toldBy(scene, result)).not.toMatch(OTHER);
});

test("a follow-up that is answered with another job's record goes to the job it was sent to", async () => {
  await using scene = await setScene();
  scene.service.on(MESSAGE, json(200, FOREIGN));
  scene.service.on(LOOK, json(200, record("active")), json(200, completed));
  const result = await scene.run({ inputs: { "job-id": "job_1" } });
  expect(scene.asked()).toEqual([MESSAGE, LOOK, LOOK]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed", prLink: PR_LINK });
  expect(toldBy(scene, result)).not.toMatch(OTHER);
});

test("with wait: false, such a follow-up names the job it was sent to", async () => {
  await using scene = await setScene();
  scene.service.on(MESSAGE, json(200, FOREIGN));
  const result = await scene.run({ inputs: { "job-id": "job_1", wait: "false" } });
  expect(result.exitCode).toBe(0);
  expect(result.outputs.jobId).toBe("job_1");
  expect(toldBy(scene, result)).not.toMatch(OTHER);
});

test("a job that is taken up is not taken for another", async () => {
  await using scene = await setScene();
  scene.service.on(LOOK, json(200, FOREIGN), json(200, completed));
  const result = await scene.run({ inputs: { "job-id": "job_1", prompt: "" } });
  expect(result.outputs).toMatchObject({ jobId: "job_1", prLink: PR_LINK });
  expect(toldBy(scene, result)).not.toMatch(OTHER);
});

test("the post step does not believe it either", async () => {
  await using scene = await setScene();
  const long = { "poll-interval-seconds": "60", "poll-max-interval-seconds": "60" };
  const run = scene.start({ inputs: long });
  await run.waitForOutput("commentUrl");
  run.signal("SIGKILL");
  const { state } = await run.result;
  scene.service.on(LOOK, json(200, FOREIGN));
  const post = await scene.run({ entry: "post", state });
  expect(post.exitCode).toBe(0);
  expect((await scene.github.comments(7))[0]?.body).toContain("job-id");
  expect(toldBy(scene, post)).not.toMatch(OTHER);
});

test("version 1: another session's record is a poll that failed", async () => {
  await using scene = await setSceneV1();
  const own = json(200, HALTED_WELL);
  scene.service.on(LOOK_V1, json(200, session()), json(200, FOREIGN_SESSION), own);
  const result = await scene.run();
  expect(scene.service.requestsTo(LOOK_V1)).toHaveLength(3);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ jobId: "session_1", prLink: PR_LINK });
  expect(result.warnings.join()).toContain("another job");
  expect(toldBy(scene, result)).not.toMatch(OTHER);
});

test("version 1: a record that does not tell its session is the one asked for", async () => {
  await using scene = await setSceneV1();
  const { sessionId: _, ...anonymous } = HALTED_WELL;
  scene.service.on(LOOK_V1, json(200, anonymous));
  const result = await scene.run();
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ jobId: "session_1", prLink: PR_LINK });
});
