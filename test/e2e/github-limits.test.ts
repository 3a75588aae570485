import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { issueComment } from "../support/events.ts";
import type { Answer } from "../support/faulty-server.ts";
import { type GitHubCall, refusal, type TestGitHub } from "../support/github.ts";
import { byPhrase, comment, review } from "../support/phrase-events.ts";
import { someOf } from "../support/sample.ts";
import { CREATE, completed, POLL, PR_LINK, record, startScenario } from "../support/scenario.ts";

const SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes.";
/** Each with how much faster the clock runs: no more than needed, for the limits of each request. */
const LIMITS: [string, Answer, number][] = [
  ["429 with Retry-After", refusal(429, "Slow down", { "retry-after": "1" }), 2],
  ["403 with Retry-After", refusal(403, "Forbidden", { "retry-after": "1" }), 2],
  ["403 that names no time", refusal(403, SECONDARY), 20],
  [
    "403 with no requests left",
    (exchange) =>
      refusal(403, "API rate limit exceeded", {
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": String(Math.ceil(Date.now() / 1000) + 30),
      })(exchange),
    10,
  ],
];

/** Refuses a call so many times, and then answers as GitHub does. */
function limit(github: TestGitHub, call: GitHubCall, answer: Answer, times = 1): void {
  let left = times;
  github.answer(call, async (exchange) => {
    left -= 1;
    if (left >= 0) return await answer(exchange);
    github.restore(call);
    await (call === "react" ? json(201, { id: 1 }) : github.genuine)(exchange);
  });
}

const CALLS: GitHubCall[] = ["create-comment", "edit-comment", "react"];
const ONCE = LIMITS.flatMap(([name, answer, fastClock]) =>
  CALLS.map((call) => ({ name, answer, fastClock, call })),
);

test.each(someOf(ONCE))(
  "$name on a $call: all is written later",
  async ({ answer, fastClock, call }) => {
    await using scenario = await startScenario();
    const { github } = scenario;
    limit(github, call, answer);
    const result = await scenario.run({ ...issueComment(7, 555), fastClock });
    expect(result).toMatchObject({ exitCode: 0, errors: [], warnings: [] });
    expect(await github.comments(7)).toHaveLength(1);
    expect((await github.comments(7))[0]?.body).toContain(PR_LINK);
  },
);

test("a limit on the final edit leaves no comment that says the agent is working", async () => {
  await using scenario = await startScenario();
  const { github } = scenario;
  const edits = "PATCH /repos/octo/docs/issues/comments/:id";
  const limited = refusal(403, SECONDARY, { "retry-after": "1" });
  github.server.on(edits, github.genuine, limited, limited, github.genuine);
  const result = await scenario.run({ fastClock: 10 });
  expect(result.warnings).toEqual([]);
  expect((await github.comments(7))[0]?.body).toContain(PR_LINK);
});

test("a first comment that is refused is posted while the job goes on, so that a re-run finds it", async () => {
  await using scenario = await startScenario();
  const { github, service } = scenario;
  // Longer than GitHub is waited for where there is no job yet.
  limit(github, "create-comment", refusal(403, SECONDARY, { "retry-after": "90" }));
  service.on(POLL, json(200, record("active")));
  const inputs = { "timeout-minutes": "3", "poll-max-interval-seconds": "5" };
  const first = await scenario.run({ fastClock: 20, inputs });
  expect(first.outputs.errorKind).toBe("timeout");
  expect(await github.comments(7)).toHaveLength(1);
  service.on(POLL, json(200, completed));
  const again = await scenario.run({ attempt: 2 });
  expect(again.outputs).toMatchObject({ status: "completed", prLink: PR_LINK });
  expect(service.requestsTo(CREATE)).toHaveLength(1);
  expect(await github.comments(7)).toHaveLength(1);
});

test("a limit that lasts is given a minute at the end, and the job's result stands", async () => {
  await using scenario = await startScenario();
  const { github } = scenario;
  github.answer("create-comment", refusal(429, "Slow down", { "retry-after": "3600" }));
  const result = await scenario.run({ fastClock: 20 });
  expect(result).toMatchObject({ exitCode: 0, outputs: { status: "completed", prLink: PR_LINK } });
  expect(result.warnings.join()).toContain("GitHub's rate limit is exceeded");
  expect(result.durationMs).toBeGreaterThan(1_000);
  const posts = github.server.requestsTo("POST /repos/octo/docs/issues/7/comments");
  expect(posts.length).toBeGreaterThanOrEqual(2);
});

test("a run that is cancelled while GitHub is waited for ends in time", async () => {
  await using scenario = await startScenario();
  const { github, service } = scenario;
  service.on(POLL, json(200, record("active")));
  github.answer("create-comment", refusal(429, "Slow down", { "retry-after": "3600" }));
  const run = scenario.start();
  await service.waitForRequest(POLL, 3);
  const begun = performance.now();
  run.signal("SIGINT");
  const result = await run.result;
  expect(performance.now() - begun).toBeLessThan(3_500);
  expect(result.outputs.errorKind).toBe("cancelled");
});

test.each(someOf(LIMITS))("%s on the permission: the request is not dropped", async (...it) => {
  const [, answer, fastClock] = it;
  await using scenario = await startScenario();
  limit(scenario.github, "permission", answer);
  const result = await scenario.run({ ...byPhrase(comment("/docs explain")), fastClock });
  expect(result).toMatchObject({ exitCode: 0, outputs: { status: "completed" } });
});

test.each(
  someOf([
    ["a limit", refusal(429, "Slow down", { "retry-after": "20" })],
    ["an outage", refusal(502, "Bad gateway")],
  ]),
)("%s that lasts over the permission check ends the step red", async (_, answer) => {
  await using scenario = await startScenario();
  scenario.github.answer("permission", answer);
  const result = await scenario.run({ ...byPhrase(comment("/docs explain")), fastClock: 20 });
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("github-unavailable");
  expect(result.errors).toEqual([expect.stringMatching(/^The permission of writer could not be/)]);
  expect(scenario.asked()).toEqual([]);
});

test("a limit that GraphQL tells in an answer of status 200 is one too", async () => {
  await using scenario = await startScenario();
  const { server } = scenario.github;
  const told = { errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }] };
  const done = json(200, { data: { addReaction: { clientMutationId: null } } });
  server.on("POST /graphql", json(200, told, { "retry-after": "1" }), done);
  const result = await scenario.run({ ...byPhrase(review("/docs explain")), fastClock: 20 });
  expect(result.warnings).toEqual([]);
  expect(server.requestsTo("POST /graphql")).toHaveLength(3);
});
