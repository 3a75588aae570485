import { expect, test } from "vitest";
import { hangBeforeHeaders, json } from "../support/answers.ts";
import { capture } from "../support/captured-answer.ts";
import { issueOpened } from "../support/events.ts";
import type { Answer } from "../support/faulty-server.ts";
import { refusal } from "../support/github.ts";
import { someOf } from "../support/sample.ts";
import {
  CREATE,
  completed,
  MESSAGE,
  POLL,
  PR_LINK,
  record,
  type Scenario,
  startScenario,
} from "../support/scenario.ts";

const FOLLOW_UP = { "job-id": "job_1", prompt: "Mention limits too." };
const SHORT = { "timeout-minutes": "0.02" };
const LONG_DELAY = { "poll-interval-seconds": "60", "poll-max-interval-seconds": "60" };
const POLL_2 = POLL.replace("job_1", "job_2");

const limited = json(429, { error: "limit" }, { "retry-after": "600" });

test.each<[string, Answer]>([
  ["a 429", limited],
  ["a 401", json(401, { error: "key" })],
  ["a 403", json(403, { error: "scope" })],
  ["a 422", json(422, { error: "no" })],
  ["a 500", json(500, { error: "broken" })],
])("a follow-up that was answered with %s is sent again by the next attempt", async (_, answer) => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, answer, json(200, record("active")));
  const first = await scenario.run({ inputs: { ...FOLLOW_UP, ...SHORT } });
  expect(first.exitCode).toBe(1);
  expect(first.outputs.prLink).toBeUndefined();
  expect((await scenario.github.comments(7))[0]?.body).not.toContain(PR_LINK);
  const before = scenario.asked().length;
  const second = await scenario.run({ attempt: 2, inputs: FOLLOW_UP });
  expect(scenario.asked().slice(before)[0]).toBe(MESSAGE);
  expect(second.outputs).toMatchObject({ jobId: "job_1", status: "completed" });
  expect(await scenario.github.comments(7)).toHaveLength(1);
});

test("a request that may have been received is sent again by the next attempt, with a note", async () => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, json(502, {}), json(201, record("active")));
  const first = await scenario.run();
  expect(first.outputs.errorKind).toBe("create-uncertain");
  const second = await scenario.run({ attempt: 2 });
  expect(second.exitCode).toBe(0);
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(2);
  expect(second.summary).toContain("An earlier attempt may already have sent this request");
});

test.each(someOf([["follow-up", FOLLOW_UP, MESSAGE] as const, ["create", {}, CREATE] as const]))(
  "killed between two tries of a %s: the post step reports no job's end",
  async (_, inputs, route) => {
    await using scenario = await startScenario();
    scenario.service.on(route, limited);
    const run = scenario.start({ inputs: { ...inputs, ...LONG_DELAY } });
    await run.waitForLine(/Trying again/);
    run.signal("SIGKILL");
    const main = await run.result;
    const post = await scenario.run({ entry: "post", state: main.state, inputs });
    expect(scenario.service.requestsTo(POLL)).toEqual([]);
    expect(post.exitCode).toBe(0);
    expect((await scenario.github.comments(7))[0]?.body).toMatch(/cancelled before/);
    expect(post.summary).not.toContain(PR_LINK);
    expect(post.outputs.status).toBeUndefined();
  },
);

test("killed while a follow-up is sent: the post step does not report the job's old end", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, hangBeforeHeaders);
  const run = scenario.start({ inputs: FOLLOW_UP });
  await scenario.service.waitForRequest(MESSAGE);
  run.signal("SIGKILL");
  const main = await run.result;
  const post = await scenario.run({ entry: "post", state: main.state, inputs: FOLLOW_UP });
  expect(scenario.service.requestsTo(POLL)).toEqual([]);
  expect(post.summary).toContain("may have received it");
});

/** Two legs of a matrix, or two calls of a reusable workflow, that reach their time limit. */
async function twoLegs(
  scenario: Scenario,
  legs: readonly Parameters<Scenario["run"]>[0][],
): Promise<void> {
  scenario.service.on(
    CREATE,
    json(201, record("active")),
    json(201, record("active", { id: "job_2" })),
  );
  scenario.service.on(POLL, json(200, record("active")));
  scenario.service.on(POLL_2, json(200, record("active", { id: "job_2" })));
  for (const leg of legs) {
    const inputs = { ...leg?.inputs, "timeout-minutes": "0.005" };
    const result = await scenario.run({ ...leg, inputs });
    expect(result.outputs.errorKind).toBe("timeout");
  }
  scenario.service.on(POLL, json(200, completed));
  scenario.service.on(POLL_2, json(200, record("completed", { id: "job_2" })));
}

test.each(
  someOf([
    ["legs of a matrix", [{ matrix: { version: 1 } }, { matrix: { version: 2 } }]],
    [
      "calls of a reusable workflow",
      [{ inputs: { prompt: "Document the API." } }, { inputs: { prompt: "Document the CLI." } }],
    ],
  ]),
)("of two %s each finds its own job and comment", async (_, legs) => {
  await using scenario = await startScenario();
  await twoLegs(scenario, legs);
  for (const [index, leg] of legs.entries()) {
    const result = await scenario.run({ ...leg, attempt: 2 });
    expect(result.outputs.jobId).toBe(`job_${index + 1}`);
  }
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(2);
  const comments = await scenario.github.comments(7);
  expect(comments).toHaveLength(2);
  for (const [index, { body }] of comments.entries()) expect(body).toContain(`job_${index + 1}`);
});

test("a leg whose comment was created and not confirmed does not write over the other's", async () => {
  await using scenario = await startScenario();
  await twoLegs(scenario, [{ matrix: { version: 1 } }]);
  const other = (await scenario.github.comments(7))[0]?.body;
  scenario.github.server.on(
    "POST /repos/octo/docs/issues/:n/comments",
    // GitHub creates the comment, and the answer that arrives is another's.
    async (exchange) => {
      await capture(scenario.github.genuine, exchange);
      return refusal(502, "Bad Gateway")(exchange);
    },
    scenario.github.genuine,
  );
  scenario.service.on(POLL_2, json(200, record("completed", { id: "job_2" })));
  await scenario.run({ matrix: { version: 2 } });
  expect((await scenario.github.comments(7))[0]?.body).toBe(other);
});

test("comments that cannot be read fail the next attempt, rather than risk a second job", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("active")));
  await scenario.run({ inputs: { "timeout-minutes": "0.005" } });
  scenario.github.answer("list-comments", refusal(403, "Resource not accessible by integration"));
  const result = await scenario.run({ attempt: 2 });
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("github-unavailable");
  expect(result.outputs.errorMessage).toContain("issues: write");
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(1);
});

test("a runner whose clock is hours late finds its own comment all the same", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("active")));
  await scenario.run({ inputs: { "timeout-minutes": "0.005" } });
  const [comment] = await scenario.github.comments(7);
  const created_at = new Date(Date.now() + 5 * 3_600_000).toISOString();
  scenario.github.answer("list-comments", json(200, [{ ...comment, created_at }]));
  scenario.service.on(POLL, json(200, completed));
  const result = await scenario.run({ attempt: 2 });
  expect(result.outputs.status).toBe("completed");
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(1);
});

test("after the key was rotated, the next attempt still finds its job", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("active")));
  const old = "mint_0ldKeyOfTheScenario";
  await scenario.run({ inputs: { "api-key": old, "timeout-minutes": "0.005" } });
  scenario.service.on(POLL, json(200, completed));
  const result = await scenario.run({ attempt: 2, inputs: { "previous-api-key": old } });
  expect(result.outputs.status).toBe("completed");
  expect(result.masks).toContain(old);
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(1);
});

test("a step without a comment has nothing to remember by: it starts a new job", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("active")));
  const bare = { ...issueOpened(7), eventName: "schedule", event: {} };
  await scenario.run({ ...bare, inputs: { "timeout-minutes": "0.005" } });
  await scenario.run({ ...bare, attempt: 2, inputs: { "timeout-minutes": "0.005" } });
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(2);
});
