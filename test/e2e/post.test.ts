import { expect, test } from "vitest";
import { hangBeforeHeaders, json } from "../support/answers.ts";
import { API_KEY, CREATE, LOOK, PR_LINK, record, type Scene, setScene } from "../support/scene.ts";

const LONG_DELAY = { "poll-interval-seconds": "60", "poll-max-interval-seconds": "60" };

/** Runs the main step until its comment stands, and kills it. */
async function killMain(scene: Scene) {
  const run = scene.start({ inputs: LONG_DELAY });
  await run.waitForOutput("jobId");
  await scene.github.server.waitForRequest("POST /repos/octo/docs/issues/7/comments");
  // The comment's address reaches the state only after GitHub's answer has been read.
  await run.waitForOutput("commentUrl");
  run.signal("SIGKILL");
  const result = await run.result;
  expect(result.signal).toBe("SIGKILL");
  return result;
}

test.each([
  ["completed", record("completed", { prLink: PR_LINK }), PR_LINK],
  ["failed", record("failed"), "failed"],
  ["active", record("active"), "job-id"],
])(
  "after a kill, the post step looks once at a job that is %s and tells",
  async (_, seen, told) => {
    await using scene = await setScene();
    const main = await killMain(scene);
    expect(main.state).not.toEqual({});
    scene.service.on(LOOK, json(200, seen));
    const post = await scene.run({ entry: "post", state: main.state, inputs: LONG_DELAY });
    expect(post.exitCode).toBe(0);
    expect(scene.asked()).toEqual([CREATE, LOOK]);
    expect(await scene.github.comments(7)).toHaveLength(1);
    expect((await scene.github.comments(7))[0]?.body).toContain(told);
    expect(post.summary).toContain(told);
  },
);

test("killed while a job was being created: the post step starts none, and says there may be one", async () => {
  await using scene = await setScene();
  scene.service.on(CREATE, hangBeforeHeaders);
  const run = scene.start();
  await scene.service.waitForRequest(CREATE);
  run.signal("SIGKILL");
  const main = await run.result;
  const post = await scene.run({ entry: "post", state: main.state });
  expect(post.exitCode).toBe(0);
  expect(scene.asked()).toEqual([CREATE]);
  expect(await scene.github.comments(7)).toHaveLength(1);
  expect((await scene.github.comments(7))[0]?.body).toMatch(/may|might/);
  expect(post.summary).toMatch(/may|might/);
});

test("killed before the comment was written: the post step writes it", async () => {
  await using scene = await setScene();
  scene.github.answer("create-comment", hangBeforeHeaders);
  const run = scene.start({ inputs: LONG_DELAY });
  // By then, the job is saved for the post step.
  await scene.github.server.waitForRequest("POST /repos/octo/docs/issues/7/comments");
  run.signal("SIGKILL");
  const main = await run.result;
  scene.github.restore("create-comment");
  const post = await scene.run({ entry: "post", state: main.state });
  expect(post.exitCode).toBe(0);
  expect(await scene.github.comments(7)).toHaveLength(1);
  expect((await scene.github.comments(7))[0]?.body).toContain(PR_LINK);
});

test("after a main step that told everything, the post step has nothing to do", async () => {
  await using scene = await setScene();
  const main = await scene.run();
  const [asked, requests] = [scene.asked().length, scene.github.server.requests.length];
  const post = await scene.run({ entry: "post", state: main.state });
  expect(post.exitCode).toBe(0);
  expect(scene.asked()).toHaveLength(asked);
  expect(scene.github.server.requests).toHaveLength(requests);
  expect(post.summary).toBe("");
});

test("after a main step that was cancelled and told so, neither", async () => {
  await using scene = await setScene();
  const run = scene.start({ inputs: LONG_DELAY });
  await run.waitForOutput("jobId");
  run.signal("SIGINT");
  const main = await run.result;
  const asked = scene.asked().length;
  const post = await scene.run({ entry: "post", state: main.state });
  expect(post.exitCode).toBe(0);
  expect(scene.asked()).toHaveLength(asked);
});

test("after wait: false, the post step leaves the job alone", async () => {
  await using scene = await setScene();
  const main = await scene.run({ inputs: { wait: "false" } });
  await scene.run({ entry: "post", state: main.state, inputs: { wait: "false" } });
  expect(scene.asked()).toEqual([CREATE]);
});

test("without a job, the post step asks nothing, even with wrong inputs", async () => {
  await using scene = await setScene();
  const inputs = { "api-key": "", wait: "yes" };
  const main = await scene.run({ inputs });
  const post = await scene.run({ entry: "post", state: main.state, inputs });
  expect(post.exitCode).toBe(0);
  expect(post.errors).toEqual([]);
  expect(scene.asked()).toEqual([]);
});

test("a post step whose look fails says what was known, and does not fail", async () => {
  await using scene = await setScene();
  const main = await killMain(scene);
  scene.service.on(LOOK, json(500, { error: "internal" }));
  const post = await scene.run({ entry: "post", state: main.state });
  expect(post.exitCode).toBe(0);
  expect(scene.service.requestsTo(LOOK)).toHaveLength(1);
  expect((await scene.github.comments(7))[0]?.body).toContain("job-id");
});

test("a post step whose look hangs ends all the same", async () => {
  await using scene = await setScene();
  const main = await killMain(scene);
  scene.service.on(LOOK, hangBeforeHeaders);
  const post = await scene.run({ entry: "post", state: main.state, fastClock: 30 });
  expect(post.exitCode).toBe(0);
  expect((await scene.github.comments(7))[0]?.body).toContain("job-id");
});

test("the key is not in the state", async () => {
  await using scene = await setScene();
  const main = await scene.run();
  expect(JSON.stringify(main.state)).not.toContain(API_KEY);
});
