import { expect, test } from "vitest";
import { WORKFLOW } from "../../emulator/github/people.ts";
import { hangBeforeHeaders, json, refusal } from "../support/answers.ts";
import { capture } from "../support/captured-answer.ts";
import { issueOpened } from "../support/events.ts";
import type { Answer } from "../support/faulty-server.ts";
import { someOf } from "../support/sample.ts";
import { addComment } from "../support/world/comments.ts";
import {
  CREATE_COMMENT,
  EDIT_COMMENT,
  GRAPHQL,
  LIST_COMMENTS,
} from "../support/world/conversation.ts";
import {
  CREATE,
  completed,
  LONG_DELAY,
  MESSAGE,
  POLL,
  PR_LINK,
  record,
  WITH_JOB,
} from "../support/world/jobs.ts";

import { startWorld, type World, type WorldRun } from "../support/world/world.ts";

/** A first attempt that reaches its time limit while the job is running. */
async function firstAttempt(world: World): Promise<void> {
  world.on(POLL, json(200, record("active")));
  const result = await world.run("root", { inputs: { "timeout-minutes": "0.005" } });
  expect(result.outputs.errorKind).toBe("timeout");
  world.on(POLL, json(200, record("active")), json(200, completed));
}

test("a second attempt waits for the job of the first one", async () => {
  await using world = await startWorld(WITH_JOB);
  await firstAttempt(world);
  const result = await world.run("root", { attempt: 2 });
  expect(world.received(CREATE)).toHaveLength(1);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed", prLink: PR_LINK });
  expect(world.comments(7)).toHaveLength(1);
  expect(world.comment(7)).toContain(PR_LINK);
});

test("a third attempt waits for the job of a first one that was killed", async () => {
  await using world = await startWorld(WITH_JOB);
  const run = world.start("root", { inputs: LONG_DELAY });
  await run.waitForOutput("commentUrl");
  run.signal("SIGKILL");
  await run.result;
  world.on(POLL, json(200, record("active")), json(200, completed));
  const result = await world.run("root", { attempt: 3 });
  expect(world.received(CREATE)).toHaveLength(1);
  expect(result.outputs.status).toBe("completed");
});

test("a second attempt, right after a follow-up, does not take the end from before it for its own", async () => {
  await using world = await startWorld(WITH_JOB);
  const old = record("completed", { prLink: "https://github.com/octo/docs/pull/3" });
  world.on(MESSAGE, json(200, old)).on(POLL, json(200, old));
  const inputs = { "job-id": "job_1" };
  const run = world.start("root", { inputs: { ...inputs, ...LONG_DELAY } });
  await run.waitForOutput("commentUrl");
  run.signal("SIGINT");
  await run.result;
  world.on(POLL, json(200, old), json(200, record("active")), json(200, completed));
  const result = await world.run("root", { attempt: 2, inputs });
  expect(world.received(MESSAGE)).toHaveLength(1);
  expect(result.outputs).toMatchObject({ status: "completed", prLink: PR_LINK });
});

test.each(someOf([["completed"], ["failed"]]))(
  "if the first attempt's job has %s, the second attempt starts a new job",
  async (status) => {
    await using world = await startWorld(WITH_JOB);
    world.on(POLL, json(200, record(status, { prLink: PR_LINK })));
    await world.run("root");
    const result = await world.run("root", { attempt: 2 });
    expect(world.received(CREATE)).toHaveLength(2);
    expect(result.outputs.jobId).toBe("job_1");
  },
);

/** A first attempt whose runner is lost once its comment is posted, before the comment has its own marker. */
async function loseRunner(world: World): Promise<void> {
  world.restore(GRAPHQL);
  world.on(EDIT_COMMENT, hangBeforeHeaders);
  const run = world.start("root", { inputs: LONG_DELAY });
  await world.waitForRequest(EDIT_COMMENT);
  run.signal("SIGKILL");
  await run.result;
  world.restore(EDIT_COMMENT);
}

test("a second attempt finds the job in a comment that was not given its name", async () => {
  await using world = await startWorld(WITH_JOB);
  await loseRunner(world);
  const draft = world.comment(7);
  const copy = addComment(world, 7, draft, "outsider");
  const result = await world.run("root", { attempt: 2 });
  expect(world.received(CREATE)).toHaveLength(1);
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed" });
  const [own, other] = world.comments(7);
  expect(own?.body).toContain(PR_LINK);
  expect(other).toMatchObject({ id: copy.id, body: draft });
});

test("a second attempt that finds two such comments of the token's account starts nothing", async () => {
  await using world = await startWorld(WITH_JOB);
  await loseRunner(world);
  world.github.home.comment({ number: 7 }, world.comment(7), WORKFLOW);
  const result = await world.run("root", { attempt: 2 });
  expect(world.received(CREATE)).toHaveLength(1);
  expect(result.outputs.errorKind).toBe("github-unavailable");
});

test("a comment whose last edit fails three times says how the job ended", async () => {
  await using world = await startWorld(WITH_JOB);
  const bad = refusal(502, "Bad Gateway");
  const { github } = world.genuine;
  world.on(EDIT_COMMENT, github, bad, bad, bad, github);
  await world.run("root");
  expect(world.comment(7)).toContain(PR_LINK);
});

test("a comment that is gone at the end is posted anew", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, (exchange) => {
    const { home } = world.github;
    for (const written of home.commentsOn(7)) home.setComment(written, null);
    return json(200, completed)(exchange);
  });
  await world.run("root");
  expect(world.comments(7)).toHaveLength(1);
  expect(world.comment(7)).toContain(PR_LINK);
});

test("the first attempt does not list comments", async () => {
  await using world = await startWorld(WITH_JOB);
  await world.run("root");
  expect(world.received(LIST_COMMENTS)).toEqual([]);
});

test("a re-run of another step of the same run starts its own job", async () => {
  await using world = await startWorld(WITH_JOB);
  await firstAttempt(world);
  const env = { GITHUB_ACTION: "docs_2" };
  await world.run("root", { attempt: 2, env });
  expect(world.received(CREATE)).toHaveLength(2);
});

const FOLLOW_UP = { "job-id": "job_1", prompt: "Mention limits too." };
const POLL_2 = POLL.replace("job_1", "job_2");

const limited = json(429, { error: "limit" }, { "retry-after": "600" });

const TAKE_UP = { "job-id": "job_1", prompt: "" };

test("a re-run that only waits for a job edits the comment of the first attempt", async () => {
  await using world = await startWorld(WITH_JOB);
  await world.run("root", { inputs: TAKE_UP });
  world.on(POLL, json(200, record("failed")));
  await world.run("root", { attempt: 2, inputs: TAKE_UP });
  expect(world.comments(7)).toHaveLength(1);
  expect(world.comment(7)).toContain("the job failed");
});

test("a re-run that only waits for a job does so even if the comments cannot be read", async () => {
  await using world = await startWorld(WITH_JOB);
  await world.run("root", { inputs: TAKE_UP });
  world.on(LIST_COMMENTS, refusal(403, "Resource not accessible by integration"));
  const { outputs, warnings } = await world.run("root", { attempt: 2, inputs: TAKE_UP });
  expect(outputs.status).toBe("completed");
  expect(warnings.join()).toContain("The comments of the earlier attempt could not be read");
  expect(world.comments(7)).toHaveLength(2);
});

test.each<[string, Answer]>([
  ["a 429", limited],
  ["a 500", json(500, { error: "broken" })],
])("a follow-up that was answered with %s is sent again by the next attempt", async (_, answer) => {
  await using world = await startWorld(WITH_JOB);
  world.on(MESSAGE, answer, json(200, record("active")));
  const first = await world.run("root", {
    inputs: { ...FOLLOW_UP, "timeout-minutes": "0.02" },
  });
  expect(first.exitCode).toBe(1);
  expect(first.outputs.prLink).toBeUndefined();
  expect(world.comment(7)).not.toContain(PR_LINK);
  const second = await world.run("root", { attempt: 2, inputs: FOLLOW_UP });
  expect(second.toService[0]).toBe(MESSAGE);
  expect(second.outputs).toMatchObject({ jobId: "job_1", status: "completed" });
  expect(world.comments(7)).toHaveLength(1);
});

test("a create request that may have been received is sent again by the next attempt, with a note", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(CREATE, json(502, {}), json(201, record("active")));
  const first = await world.run("root");
  expect(first.outputs.errorKind).toBe("create-uncertain");
  const second = await world.run("root", { attempt: 2 });
  expect(second.exitCode).toBe(0);
  expect(world.received(CREATE)).toHaveLength(2);
  expect(second.summary).toContain("An earlier attempt may have sent this request");
});

test.each(someOf([["follow-up", FOLLOW_UP, MESSAGE] as const, ["create", {}, CREATE] as const]))(
  "after a kill between two tries of a %s, the post step reports no job",
  async (_, inputs, route) => {
    await using world = await startWorld(WITH_JOB);
    world.on(route, limited);
    const run = world.start("root", { inputs: { ...inputs, ...LONG_DELAY } });
    await run.waitForLine(/Trying again/);
    run.signal("SIGKILL");
    const main = await run.result;
    const post = await world.run("root", { entry: "post", state: main.state, inputs });
    expect(world.received(POLL)).toEqual([]);
    expect(post.exitCode).toBe(0);
    expect(world.comment(7)).toMatch(/cancelled before/);
    expect(post.summary).not.toContain(PR_LINK);
    expect(post.outputs.status).toBeUndefined();
  },
);

/** Runs legs of a matrix, or calls of a reusable workflow, that reach their time limit. */
async function runLegs(world: World, legs: readonly WorldRun[]): Promise<void> {
  world.on(CREATE, json(201, record("active")), json(201, record("active", { id: "job_2" })));
  world.on(POLL, json(200, record("active")));
  world.on(POLL_2, json(200, record("active", { id: "job_2" })));
  for (const leg of legs) {
    const inputs = { ...leg.inputs, "timeout-minutes": "0.005" };
    const result = await world.run("root", { ...leg, inputs });
    expect(result.outputs.errorKind).toBe("timeout");
  }
  world.on(POLL, json(200, completed));
  world.on(POLL_2, json(200, record("completed", { id: "job_2", prLink: PR_LINK })));
}

test.each(
  someOf([
    ["legs of a matrix", [{ matrix: { version: 1 } }, { matrix: { version: 2 } }]],
    [
      "calls of a reusable workflow",
      [{ inputs: { prompt: "Document the API." } }, { inputs: { prompt: "Document the CLI." } }],
    ],
  ]),
)("when two %s are run again, each finds its own job and comment", async (_, legs) => {
  await using world = await startWorld(WITH_JOB);
  await runLegs(world, legs);
  for (const [index, leg] of legs.entries()) {
    const result = await world.run("root", { ...leg, attempt: 2 });
    expect(result.outputs.jobId).toBe(`job_${index + 1}`);
  }
  expect(world.received(CREATE)).toHaveLength(2);
  const comments = world.comments(7);
  expect(comments).toHaveLength(2);
  for (const [index, { body }] of comments.entries()) expect(body).toContain(`job_${index + 1}`);
});

test("a leg whose comment was created without a confirmation does not overwrite another leg's comment", async () => {
  await using world = await startWorld(WITH_JOB);
  await runLegs(world, [{ matrix: { version: 1 } }]);
  const other = world.comment(7);
  world.on(
    CREATE_COMMENT,
    // GitHub creates the comment, but a proxy answers with an error.
    async (exchange) => {
      await capture(world.genuine.github, exchange);
      return refusal(502, "Bad Gateway")(exchange);
    },
    world.genuine.github,
  );
  world.on(POLL_2, json(200, record("completed", { id: "job_2", prLink: PR_LINK })));
  await world.run("root", { matrix: { version: 2 } });
  expect(world.comments(7)[0]?.body).toBe(other);
});

test("after a key rotation, the next attempt finds its job with previous-api-key", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, json(200, record("active")));
  const old = "mint_0ldKeyOfTheScenario";
  await world.run("root", { inputs: { "api-key": old, "timeout-minutes": "0.005" } });
  world.on(POLL, json(200, completed));
  const result = await world.run("root", { attempt: 2, inputs: { "previous-api-key": old } });
  expect(result.outputs.status).toBe("completed");
  expect(result.masks).toContain(old);
  expect(world.received(CREATE)).toHaveLength(1);
});

test("a second attempt without a comment starts a new job", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, json(200, record("active")));
  const scheduled = { ...issueOpened(7), eventName: "schedule", event: {} };
  await world.run("root", { ...scheduled, inputs: { "timeout-minutes": "0.005" } });
  await world.run("root", { ...scheduled, attempt: 2, inputs: { "timeout-minutes": "0.005" } });
  expect(world.received(CREATE)).toHaveLength(2);
});
