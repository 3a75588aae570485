import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { issueOpened } from "../support/events.ts";
import {
  CREATE,
  completed,
  LOOK,
  PR_LINK,
  record,
  type Scene,
  setScene,
} from "../support/scene.ts";

/** A first attempt that hits its time limit while the job goes on. */
async function firstAttempt(scene: Scene): Promise<void> {
  scene.service.on(LOOK, json(200, record("active")));
  const result = await scene.run({ inputs: { "timeout-minutes": "0.005" } });
  expect(result.outputs.errorKind).toBe("timeout");
  scene.service.on(LOOK, json(200, record("active")), json(200, completed));
}

test("a second attempt waits for the job of the first", async () => {
  await using scene = await setScene();
  await firstAttempt(scene);
  const result = await scene.run({ attempt: 2 });
  expect(scene.service.requestsTo(CREATE)).toHaveLength(1);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed", prLink: PR_LINK });
  expect(await scene.github.comments(7)).toHaveLength(1);
  expect((await scene.github.comments(7))[0]?.body).toContain(PR_LINK);
});

test("so does the third, after a first that was killed", async () => {
  await using scene = await setScene();
  const pace = { "poll-interval-seconds": "60", "poll-max-interval-seconds": "60" };
  const run = scene.start({ inputs: pace });
  await run.waitForOutput("commentUrl");
  run.signal("SIGKILL");
  await run.result;
  scene.service.on(LOOK, json(200, record("active")), json(200, completed));
  const result = await scene.run({ attempt: 3 });
  expect(scene.service.requestsTo(CREATE)).toHaveLength(1);
  expect(result.outputs.status).toBe("completed");
});

test.each([["completed"], ["failed"]])(
  "a job that has %s in the first attempt is not waited for: a new one is started",
  async (status) => {
    await using scene = await setScene();
    scene.service.on(LOOK, json(200, record(status)));
    await scene.run();
    const result = await scene.run({ attempt: 2 });
    expect(scene.service.requestsTo(CREATE)).toHaveLength(2);
    expect(result.outputs.jobId).toBe("job_1");
  },
);

test("a job whose end nobody was told of is told, and no second one started", async () => {
  await using scene = await setScene();
  await firstAttempt(scene);
  scene.service.on(LOOK, json(200, completed));
  const result = await scene.run({ attempt: 2 });
  expect(scene.service.requestsTo(CREATE)).toHaveLength(1);
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed", prLink: PR_LINK });
});

test("another run starts its own job", async () => {
  await using scene = await setScene();
  await firstAttempt(scene);
  await scene.run({ runId: "1002" });
  expect(scene.service.requestsTo(CREATE)).toHaveLength(2);
  expect(await scene.github.comments(7)).toHaveLength(2);
});

test("the first attempt asks for no comments: there can be none of its own", async () => {
  await using scene = await setScene();
  await scene.run();
  expect(scene.github.server.requestsTo("GET /repos/octo/docs/issues/:n/comments")).toEqual([]);
});

test.each<[string, (marker: string) => string]>([
  [
    "was changed",
    (marker) => marker.replace(/\.(\w)/, (_, first: string) => `.${first === "A" ? "B" : "A"}`),
  ],
  ["lost its signature", (marker) => marker.replace(/\.[\w-]+/, ".")],
  ["is no payload at all", () => "<!-- docs-agent:x.y -->"],
  [
    "names another job under the old signature",
    (marker) =>
      marker.replace(/docs-agent:([\w-]+)/, (_, payload: string) => {
        const text = Buffer.from(payload, "base64url").toString().replace("job_1", "job_2");
        return `docs-agent:${Buffer.from(text).toString("base64url")}`;
      }),
  ],
])("a marker that %s is as if it were not there", async (_, change) => {
  await using scene = await setScene();
  await firstAttempt(scene);
  const [comment] = await scene.github.comments(7);
  if (comment === undefined) throw new Error("the first attempt left no comment");
  const changed = comment.body.replace(/<!-- docs-agent:.* -->/, change);
  expect(changed).not.toBe(comment.body);
  await scene.github.editComment(comment.id, changed);
  const result = await scene.run({ attempt: 2 });
  expect(scene.service.requestsTo(CREATE)).toHaveLength(2);
  expect(result.exitCode).toBe(0);
});

test.each([
  ["another issue", {}],
  ["another project", { "project-id": "other" }],
])("a marker copied from %s is as if it were not there", async (what, inputs) => {
  await using scene = await setScene();
  scene.service.on("POST /v2/agent/other/job", json(201, record("active")));
  scene.service.on("GET /v2/agent/other/job/job_1", json(200, record("completed")));
  await firstAttempt(scene);
  const body = (await scene.github.comments(7))[0]?.body ?? "";
  const issue = what === "another issue" ? 8 : 7;
  if (issue === 8) await scene.github.addComment(8, body);
  await scene.run({ ...issueOpened(issue), attempt: 2, inputs });
  expect(scene.service.requestsTo("POST /v2/agent/:project/job")).toHaveLength(2);
});

test("the comment is found beyond the first page", async () => {
  await using scene = await setScene();
  for (let n = 0; n < 130; n += 1) await scene.github.addComment(7, `comment ${n}`);
  await firstAttempt(scene);
  await scene.run({ attempt: 2 });
  expect(scene.service.requestsTo(CREATE)).toHaveLength(1);
});

test("two steps of one run each find their own job", async () => {
  await using scene = await setScene();
  await firstAttempt(scene);
  const other = { GITHUB_ACTION: "docs_2" };
  await scene.run({ attempt: 2, env: other });
  expect(scene.service.requestsTo(CREATE)).toHaveLength(2);
});
