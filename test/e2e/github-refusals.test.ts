import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { issueComment } from "../support/events.ts";
import type { Answer } from "../support/faulty-server.ts";
import { type GitHubCall, refusal, type TestGitHub } from "../support/github.ts";
import { byPhrase, comment, newIssue, review, reviewComment } from "../support/phrase-events.ts";
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

const CALLS: GitHubCall[] = ["create-comment", "edit-comment", "react"];

test("a comment that is refused on a pull request causes a warning about pull-requests: write", async () => {
  await using scenario = await startScenario();
  scenario.github.answer("create-comment", refusal(403, "Resource not accessible by integration"));
  const result = await scenario.run(issueComment(7, 555, true));
  expect(result.warnings.join()).toMatch(/pull-requests: write/);
});

test("a failed job fails the step with job-failed when GitHub refuses every call", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("failed")));
  for (const call of CALLS) scenario.github.answer(call, refusal(403, "no"));
  const result = await scenario.run();
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("job-failed");
});

test("with an empty token, the job runs, and a warning names github-token", async () => {
  await using scenario = await startScenario();
  const unauthorized = refusal(401, "Requires authentication");
  for (const call of CALLS) scenario.github.answer(call, unauthorized);
  const result = await scenario.run({ inputs: { "github-token": "" } });
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("completed");
  expect(result.warnings.join()).toContain("github-token");
});

const FORBIDDEN = refusal(403, "Resource not accessible by integration");

/** Makes GitHub refuse these calls, as for a token without the permission. */
function forbid(scenario: Scenario, ...calls: GitHubCall[]): void {
  for (const call of calls) scenario.github.answer(call, FORBIDDEN);
}

test("if the comments cannot be read, a new job is started, and a warning says why", async () => {
  await using scenario = await startScenario();
  await scenario.run({ ...byPhrase(newIssue("/docs explain retries")), runId: "1000" });
  forbid(scenario, "list-comments");
  scenario.service.on(MESSAGE, json(200, record("active")));
  const result = await scenario.run(byPhrase(comment("/docs also mention limits")));
  expect(result.exitCode).toBe(0);
  expect(scenario.service.requestsTo(MESSAGE)).toEqual([]);
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(2);
  expect(result.warnings.join()).toContain("conversation could not be read");
  expect(await scenario.github.comments(7)).toHaveLength(2);
});

test("a token that can only read permissions still gets the result in the outputs and the summary", async () => {
  await using scenario = await startScenario();
  forbid(scenario, "create-comment", "edit-comment", "list-comments", "react", "get-comment");
  scenario.github.server.on("GET /repos/octo/docs/pulls/:n/files", FORBIDDEN);
  const result = await scenario.run(byPhrase(reviewComment("/docs explain retries")));
  expect(result.exitCode).toBe(0);
  expect(result.errors).toEqual([]);
  expect(result.outputs).toMatchObject({ status: "completed", prLink: PR_LINK, jobId: "job_1" });
  expect(result.summary).toContain(PR_LINK);
  expect(result.warnings.length).toBeLessThanOrEqual(6);
});

test("with an empty token, a request by phrase is skipped, because no permission can be read", async () => {
  await using scenario = await startScenario();
  scenario.github.answer("permission", refusal(401, "Requires authentication"));
  const result = await scenario.run(byPhrase(comment("/docs explain"), { "github-token": "" }));
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toEqual({ status: "skipped" });
  expect(result.visible.join()).toContain("github-token");
  expect(scenario.asked()).toEqual([]);
});

const SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes.";

/** Refuses a call `times` times, then answers as GitHub does. */
function limit(github: TestGitHub, call: GitHubCall, answer: Answer, times = 1): void {
  let refusals = times;
  github.answer(call, async (exchange) => {
    refusals -= 1;
    if (refusals >= 0) return await answer(exchange);
    github.restore(call);
    await (call === "react" ? json(201, { id: 1 }) : github.genuine)(exchange);
  });
}

test("a first comment that is refused is posted while the job runs, so that a re-run finds it", async () => {
  await using scenario = await startScenario();
  const { github, service } = scenario;
  // Longer than the action waits for GitHub before a job exists.
  limit(github, "create-comment", refusal(403, SECONDARY, { "retry-after": "90" }));
  service.on(POLL, json(200, record("active")));
  const inputs = { "timeout-minutes": "3", "poll-max-interval-seconds": "5" };
  const first = await scenario.run({ fastClock: 20, inputs });
  expect(first.outputs.errorKind).toBe("timeout");
  const waits = first.visible.filter((line) => /^GitHub's rate limit/.test(line));
  expect(waits[0]).toBe("GitHub's rate limit is reached. Trying again in 1 min 30 s.");
  expect(waits).toHaveLength(2);
  expect(await github.comments(7)).toHaveLength(1);
  service.on(POLL, json(200, completed));
  const again = await scenario.run({ attempt: 2 });
  expect(again.outputs).toMatchObject({ status: "completed", prLink: PR_LINK });
  expect(service.requestsTo(CREATE)).toHaveLength(1);
  expect(await github.comments(7)).toHaveLength(1);
});

test("a run that is cancelled while it waits for GitHub ends in time", async () => {
  await using scenario = await startScenario();
  const { github, service } = scenario;
  service.on(POLL, json(200, record("active")));
  github.answer("create-comment", refusal(429, "Slow down", { "retry-after": "3600" }));
  const run = scenario.start();
  await service.waitForRequest(POLL, 3);
  const signalledAt = performance.now();
  run.signal("SIGINT");
  const result = await run.result;
  expect(performance.now() - signalledAt).toBeLessThan(3_500);
  expect(result.outputs.errorKind).toBe("cancelled");
});

test("a rate limit in a GraphQL answer with status 200 is waited for", async () => {
  await using scenario = await startScenario();
  const { server } = scenario.github;
  const limited = { errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }] };
  const done = json(200, { data: { addReaction: { clientMutationId: null } } });
  server.on("POST /graphql", json(200, limited, { "retry-after": "1" }), done);
  const result = await scenario.run({ ...byPhrase(review("/docs explain")), fastClock: 20 });
  expect(result.warnings).toEqual([]);
  expect(server.requestsTo("POST /graphql")).toHaveLength(3);
});
