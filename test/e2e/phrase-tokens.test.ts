import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { type GitHubCall, refusal } from "../support/github.ts";
import { byPhrase, comment, newIssue, reviewComment } from "../support/phrase-events.ts";
import {
  CREATE,
  MESSAGE,
  POLL,
  PR_LINK,
  record,
  type Scenario,
  startScenario,
} from "../support/scenario.ts";

const FORBIDDEN = refusal(403, "Resource not accessible by integration");

/** Takes from the token what a call needs. */
function forbid(scenario: Scenario, ...calls: GitHubCall[]): void {
  for (const call of calls) scenario.github.answer(call, FORBIDDEN);
}

test.each<[string, GitHubCall[], string]>([
  ["writing comments", ["create-comment", "edit-comment"], "issues: write"],
  ["editing its comment", ["edit-comment"], "issues: write"],
  ["putting reactions", ["react"], "issues: write"],
])(
  "a token not good for %s: the request is done, with one warning that says so",
  async (_, calls, word) => {
    await using scenario = await startScenario();
    forbid(scenario, ...calls);
    // The invitation is a comment as well, and has a warning of its own.
    const elsewhere = "https://github.com/octo/code/pull/9";
    scenario.service.on(POLL, json(200, record("completed", { prLink: elsewhere })));
    const result = await scenario.run(byPhrase(comment("/docs explain retries")));
    expect(result.exitCode).toBe(0);
    expect(scenario.asked()).toEqual([CREATE, POLL]);
    expect(result.outputs).toMatchObject({ status: "completed", prLink: elsewhere });
    expect(result.warnings).toHaveLength(1);
    expect(result.warnings[0]).toContain(word);
  },
);

test("a token not good for pull requests: the answer stands, and the invitation is missed with a warning", async () => {
  await using scenario = await startScenario();
  scenario.github.server.on("POST /repos/octo/docs/issues/9/comments", FORBIDDEN);
  const result = await scenario.run(byPhrase(comment("/docs explain retries")));
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ status: "completed", prLink: PR_LINK });
  expect(result.warnings).toHaveLength(1);
  expect(result.warnings[0]).toContain("pull-requests: write");
  expect((await scenario.github.comments(7))[0]?.body).toContain(PR_LINK);
});

test("a token not good for reading comments: a new job, and a warning that says why", async () => {
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

test("a token not good for reading comments writes no second invitation", async () => {
  await using scenario = await startScenario();
  forbid(scenario, "list-comments");
  await scenario.run(byPhrase(newIssue("/docs explain retries")));
  expect(await scenario.github.comments(9)).toEqual([]);
});

test("a token not good for reading who may do what starts nothing, and the step is green", async () => {
  await using scenario = await startScenario();
  forbid(scenario, "permission");
  const result = await scenario.run(byPhrase(comment("/docs explain retries")));
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toEqual({ status: "skipped" });
  expect(result.visible.join()).toContain("permission");
  expect(scenario.asked()).toEqual([]);
});

test("a token not good for reading pull requests: the prompt goes without the changed files", async () => {
  await using scenario = await startScenario();
  scenario.github.server.on("GET /repos/octo/docs/pulls/:n/files", FORBIDDEN);
  const result = await scenario.run(byPhrase(reviewComment("/docs explain retries")));
  expect(result.exitCode).toBe(0);
  expect(scenario.asked()).toEqual([CREATE, POLL]);
  expect(result.warnings).toHaveLength(1);
  expect(result.warnings[0]).toContain("pull-requests: read");
});

test("a token good for nothing but who may do what: the request is done, and told in outputs and summary", async () => {
  await using scenario = await startScenario();
  forbid(scenario, "create-comment", "edit-comment", "list-comments", "react", "get-comment");
  scenario.github.server.on("GET /repos/octo/docs/pulls/:n/files", FORBIDDEN);
  const result = await scenario.run(byPhrase(reviewComment("/docs explain retries")));
  expect(result.exitCode).toBe(0);
  expect(result.errors).toEqual([]);
  expect(result.outputs).toMatchObject({ status: "completed", prLink: PR_LINK, jobId: "job_1" });
  expect(result.summary).toContain(PR_LINK);
  expect(result.warnings.length).toBeLessThanOrEqual(5);
});

test("an empty token starts nothing: nobody's permission can be read", async () => {
  await using scenario = await startScenario();
  scenario.github.answer("permission", refusal(401, "Requires authentication"));
  const result = await scenario.run(byPhrase(comment("/docs explain"), { "github-token": "" }));
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toEqual({ status: "skipped" });
  expect(result.visible.join()).toContain("github-token");
  expect(scenario.asked()).toEqual([]);
});
