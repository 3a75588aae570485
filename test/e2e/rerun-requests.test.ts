import { expect, test } from "vitest";
import { hangBeforeHeaders, json } from "../support/answers.ts";
import { capture } from "../support/captured-answer.ts";
import { issueOpened } from "../support/events.ts";
import type { Answer } from "../support/faulty-server.ts";
import { refusal } from "../support/github.ts";
import {
  CREATE,
  completed,
  LOOK,
  MESSAGE,
  PR_LINK,
  record,
  type Scene,
  setScene,
} from "../support/scene.ts";

const FOLLOW_UP = { "job-id": "job_1", prompt: "Mention limits too." };
const SHORT = { "timeout-minutes": "0.02" };
const LONG_DELAY = { "poll-interval-seconds": "60", "poll-max-interval-seconds": "60" };
const LOOK_2 = LOOK.replace("job_1", "job_2");

const limited = json(429, { error: "limit" }, { "retry-after": "600" });

test.each<[string, Answer]>([
  ["a 429", limited],
  ["a 401", json(401, { error: "key" })],
  ["a 403", json(403, { error: "scope" })],
  ["a 422", json(422, { error: "no" })],
  ["a 500", json(500, { error: "broken" })],
])("a follow-up that was answered with %s is sent again by the next attempt", async (_, answer) => {
  await using scene = await setScene();
  scene.service.on(MESSAGE, answer, json(200, record("active")));
  const first = await scene.run({ inputs: { ...FOLLOW_UP, ...SHORT } });
  expect(first.exitCode).toBe(1);
  expect(first.outputs.prLink).toBeUndefined();
  expect((await scene.github.comments(7))[0]?.body).not.toContain(PR_LINK);
  const before = scene.asked().length;
  const second = await scene.run({ attempt: 2, inputs: FOLLOW_UP });
  expect(scene.asked().slice(before)[0]).toBe(MESSAGE);
  expect(second.outputs).toMatchObject({ jobId: "job_1", status: "completed" });
  expect(await scene.github.comments(7)).toHaveLength(1);
});

test("a request that may have been received is sent again by the next attempt, with a note", async () => {
  await using scene = await setScene();
  scene.service.on(CREATE, json(502, {}), json(201, record("active")));
  const first = await scene.run();
  expect(first.outputs.errorKind).toBe("create-uncertain");
  const second = await scene.run({ attempt: 2 });
  expect(second.exitCode).toBe(0);
  expect(scene.service.requestsTo(CREATE)).toHaveLength(2);
  expect(second.summary).toContain("An earlier attempt may have sent this request already");
});

test.each([["follow-up", FOLLOW_UP, MESSAGE] as const, ["create", {}, CREATE] as const])(
  "killed between two tries of a %s: the post step reports no job's end",
  async (_, inputs, route) => {
    await using scene = await setScene();
    scene.service.on(route, limited);
    const run = scene.start({ inputs: { ...inputs, ...LONG_DELAY } });
    await run.waitForLine(/Trying again/);
    run.signal("SIGKILL");
    const main = await run.result;
    const post = await scene.run({ entry: "post", state: main.state, inputs });
    expect(scene.service.requestsTo(LOOK)).toEqual([]);
    expect(post.exitCode).toBe(0);
    expect((await scene.github.comments(7))[0]?.body).toMatch(/cancelled before/);
    expect(post.summary).not.toContain(PR_LINK);
    expect(post.outputs.status).toBeUndefined();
  },
);

test("killed while a follow-up is sent: the post step does not report the job's old end", async () => {
  await using scene = await setScene();
  scene.service.on(MESSAGE, hangBeforeHeaders);
  const run = scene.start({ inputs: FOLLOW_UP });
  await scene.service.waitForRequest(MESSAGE);
  run.signal("SIGKILL");
  const main = await run.result;
  const post = await scene.run({ entry: "post", state: main.state, inputs: FOLLOW_UP });
  expect(scene.service.requestsTo(LOOK)).toEqual([]);
  expect(post.summary).toContain("may have received it");
});

/** Two legs of a matrix, or two calls of a reusable workflow, that reach their time limit. */
async function twoLegs(scene: Scene, legs: readonly Parameters<Scene["run"]>[0][]): Promise<void> {
  scene.service.on(
    CREATE,
    json(201, record("active")),
    json(201, record("active", { id: "job_2" })),
  );
  scene.service.on(LOOK, json(200, record("active")));
  scene.service.on(LOOK_2, json(200, record("active", { id: "job_2" })));
  for (const leg of legs) {
    const inputs = { ...leg?.inputs, "timeout-minutes": "0.005" };
    const result = await scene.run({ ...leg, inputs });
    expect(result.outputs.errorKind).toBe("timeout");
  }
  scene.service.on(LOOK, json(200, completed));
  scene.service.on(LOOK_2, json(200, record("completed", { id: "job_2" })));
}

test.each([
  ["legs of a matrix", [{ matrix: { version: 1 } }, { matrix: { version: 2 } }]],
  [
    "calls of a reusable workflow",
    [{ inputs: { prompt: "Document the API." } }, { inputs: { prompt: "Document the CLI." } }],
  ],
])("of two %s each finds its own job and comment", async (_, legs) => {
  await using scene = await setScene();
  await twoLegs(scene, legs);
  for (const [index, leg] of legs.entries()) {
    const result = await scene.run({ ...leg, attempt: 2 });
    expect(result.outputs.jobId).toBe(`job_${index + 1}`);
  }
  expect(scene.service.requestsTo(CREATE)).toHaveLength(2);
  const comments = await scene.github.comments(7);
  expect(comments).toHaveLength(2);
  for (const [index, { body }] of comments.entries()) expect(body).toContain(`job_${index + 1}`);
});

test("a leg whose comment was created and not confirmed does not write over the other's", async () => {
  await using scene = await setScene();
  await twoLegs(scene, [{ matrix: { version: 1 } }]);
  const other = (await scene.github.comments(7))[0]?.body;
  scene.github.server.on(
    "POST /repos/octo/docs/issues/:n/comments",
    // GitHub creates the comment, and the answer that arrives is another's.
    async (exchange) => {
      await capture(scene.github.genuine, exchange);
      return refusal(502, "Bad Gateway")(exchange);
    },
    scene.github.genuine,
  );
  scene.service.on(LOOK_2, json(200, record("completed", { id: "job_2" })));
  await scene.run({ matrix: { version: 2 } });
  expect((await scene.github.comments(7))[0]?.body).toBe(other);
});

test("comments that cannot be read fail the next attempt, rather than risk a second job", async () => {
  await using scene = await setScene();
  scene.service.on(LOOK, json(200, record("active")));
  await scene.run({ inputs: { "timeout-minutes": "0.005" } });
  scene.github.answer("list-comments", refusal(403, "Resource not accessible by integration"));
  const result = await scene.run({ attempt: 2 });
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("github-unavailable");
  expect(result.outputs.errorMessage).toContain("issues: write");
  expect(scene.service.requestsTo(CREATE)).toHaveLength(1);
});

test("a runner whose clock is hours late finds its own comment all the same", async () => {
  await using scene = await setScene();
  scene.service.on(LOOK, json(200, record("active")));
  await scene.run({ inputs: { "timeout-minutes": "0.005" } });
  const [comment] = await scene.github.comments(7);
  const created_at = new Date(Date.now() + 5 * 3_600_000).toISOString();
  scene.github.answer("list-comments", json(200, [{ ...comment, created_at }]));
  scene.service.on(LOOK, json(200, completed));
  const result = await scene.run({ attempt: 2 });
  expect(result.outputs.status).toBe("completed");
  expect(scene.service.requestsTo(CREATE)).toHaveLength(1);
});

test("after the key was rotated, the next attempt still finds its job", async () => {
  await using scene = await setScene();
  scene.service.on(LOOK, json(200, record("active")));
  const old = "mint_0ldKeyOfTheScene";
  await scene.run({ inputs: { "api-key": old, "timeout-minutes": "0.005" } });
  scene.service.on(LOOK, json(200, completed));
  const result = await scene.run({ attempt: 2, inputs: { "previous-api-key": old } });
  expect(result.outputs.status).toBe("completed");
  expect(result.masks).toContain(old);
  expect(scene.service.requestsTo(CREATE)).toHaveLength(1);
});

test("a step without a comment has nothing to remember by: it starts a new job", async () => {
  await using scene = await setScene();
  scene.service.on(LOOK, json(200, record("active")));
  const bare = { ...issueOpened(7), eventName: "schedule", event: {} };
  await scene.run({ ...bare, inputs: { "timeout-minutes": "0.005" } });
  await scene.run({ ...bare, attempt: 2, inputs: { "timeout-minutes": "0.005" } });
  expect(scene.service.requestsTo(CREATE)).toHaveLength(2);
});
