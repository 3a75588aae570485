import { expect, test } from "vitest";
import { hangBeforeHeaders, json, redirect, resetAfterRequest, text } from "../support/answers.ts";
import { refusedUrl } from "../support/connections.ts";
import { issueComment, schedule } from "../support/events.ts";
import type { Answer } from "../support/faulty-server.ts";
import { type GitHubCall, refusal } from "../support/github.ts";
import { someOf } from "../support/sample.ts";
import { CREATE, POLL, PR_LINK, record, startScenario } from "../support/scenario.ts";

const REFUSALS: [string, Answer][] = [
  ["403", refusal(403, "Resource not accessible by integration")],
  ["404", refusal(404, "Not Found")],
  ["410", refusal(410, "This issue was deleted")],
  ["422", refusal(422, "Validation Failed")],
  ["429", refusal(429, "You have exceeded a secondary rate limit", { "retry-after": "60" })],
  [
    "403 for the rate limit",
    refusal(403, "API rate limit exceeded", {
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 3600),
    }),
  ],
  ["500", refusal(500, "Server Error")],
  ["a reset", resetAfterRequest],
  ["HTML", text(502, "<!doctype html>")],
  ["a redirect to another host", redirect(307, "http://127.0.0.1:9/elsewhere")],
];
/** Rate limits are waited for, a minute at the end. */
const LIMITS = ["429", "403 for the rate limit"];
const CALLS: GitHubCall[] = ["create-comment", "edit-comment", "react"];

// Each call with each answer: the fault matrix in test/trust.
test.each(someOf(REFUSALS))(
  "every write answered by %s: warnings, and the job's result stands",
  async (name, answer) => {
    await using scenario = await startScenario();
    for (const call of CALLS) scenario.github.answer(call, answer);
    const clock = LIMITS.includes(name) ? { fastClock: 20 } : {};
    const result = await scenario.run({ ...issueComment(7, 555), ...clock });
    expect(scenario.asked()).toEqual([CREATE, POLL]);
    expect(result.exitCode).toBe(0);
    expect(result.errors).toEqual([]);
    expect(result.outputs).toMatchObject({ status: "completed", prLink: PR_LINK });
    expect(result.outputs.errorKind ?? "").toBe("");
    expect(result.warnings.length).toBeGreaterThanOrEqual(1);
    expect(result.warnings.length).toBeLessThanOrEqual(4);
  },
);

test.each(someOf(CALLS))("a %s that is not permitted names the permission needed", async (call) => {
  await using scenario = await startScenario();
  scenario.github.answer(call, refusal(403, "Resource not accessible by integration"));
  const result = await scenario.run(issueComment(7, 555));
  expect(result).toMatchObject({ exitCode: 0, errors: [], outputs: { prLink: PR_LINK } });
  expect(result.warnings.join()).toMatch(/issues: write/);
});

test("on a pull request it is the other permission", async () => {
  await using scenario = await startScenario();
  scenario.github.answer("create-comment", refusal(403, "Resource not accessible by integration"));
  const result = await scenario.run(issueComment(7, 555, true));
  expect(result.warnings.join()).toMatch(/pull-requests: write/);
});

test("a comment answered by something that is no comment is a warning", async () => {
  await using scenario = await startScenario();
  scenario.github.answer("create-comment", text(200, "<!doctype html>"));
  const result = await scenario.run();
  expect(result.exitCode).toBe(0);
  expect(result.warnings.length).toBeGreaterThanOrEqual(1);
  expect(result.outputs.commentUrl ?? "").toBe("");
});

test("a failed job still fails when GitHub does not listen", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("failed")));
  for (const call of CALLS) scenario.github.answer(call, refusal(403, "no"));
  const result = await scenario.run();
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("job-failed");
});

test("a GitHub that cannot be reached changes nothing but the warnings", async () => {
  await using scenario = await startScenario();
  const inputs = { "issue-number": "7" };
  const result = await scenario.run({ ...schedule, apiUrl: await refusedUrl(), inputs });
  expect(result.exitCode).toBe(0);
  expect(result.warnings.length).toBeGreaterThanOrEqual(1);
  expect(result.outputs).toMatchObject({ status: "completed", prLink: PR_LINK });
});

test("a GitHub that hangs does not hold up the job or the end for ever", async () => {
  await using scenario = await startScenario();
  for (const call of CALLS) scenario.github.answer(call, hangBeforeHeaders);
  const result = await scenario.run({ fastClock: 30 });
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ status: "completed", prLink: PR_LINK });
});

test("a GitHub that hangs does not keep the job from being started", async () => {
  await using scenario = await startScenario();
  for (const call of CALLS) scenario.github.answer(call, hangBeforeHeaders);
  const run = scenario.start(issueComment(7, 555));
  // Below the 15 s for which one request to GitHub is waited for.
  const create = await scenario.service.waitForRequest(CREATE, 1, 12_000);
  expect(create.method).toBe("POST");
  run.signal("SIGINT");
  await run.result;
});

test.each(
  someOf([
    ["is missing", undefined],
    ["leads nowhere", "/nowhere/summary.md"],
  ]),
)("a summary file that %s is not the step's failure", async (_, file) => {
  await using scenario = await startScenario();
  const result = await scenario.run({ ...schedule, env: { GITHUB_STEP_SUMMARY: file } });
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("completed");
});

test("an empty token leaves comments out, with a warning, and runs the job", async () => {
  await using scenario = await startScenario();
  const unauthorized = refusal(401, "Requires authentication");
  for (const call of CALLS) scenario.github.answer(call, unauthorized);
  const result = await scenario.run({ inputs: { "github-token": "" } });
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("completed");
  expect(result.warnings.join()).toContain("github-token");
});
