import { expect, test } from "vitest";
import { contextOf } from "../../../test/support/run-context.ts";
import { readRunContext } from "./read-run-context.ts";
import { inRepository, isOnPullRequest, pagesAddress, reactionTarget } from "./run-context.ts";

const ISSUE = { issue: { number: 7 } };
const COMMENT = { comment: { id: 90 } };
const PULL = { pull_request: { number: 8 } };

test.each([
  ["a comment", "issue_comment", { ...ISSUE, ...COMMENT }, { path: "issues/comments/90" }],
  [
    "a comment on a line",
    "pull_request_review_comment",
    { ...PULL, ...COMMENT },
    { path: "pulls/comments/90" },
  ],
  [
    "a review",
    "pull_request_review",
    { ...PULL, review: { id: 5, node_id: "PRR_x" } },
    { node: "PRR_x" },
  ],
  ["an issue", "issues", ISSUE, { path: "issues/7" }],
  ["a pull request", "pull_request", PULL, { path: "issues/8" }],
  ["a pull request from a fork", "pull_request_target", PULL, { path: "issues/8" }],
])("the reaction to %s is added to it", (_, event, payload, target) => {
  expect(reactionTarget(contextOf(event, payload))).toEqual(target);
});

test.each([
  ["issue_comment", ISSUE],
  ["pull_request_review_comment", PULL],
  ["pull_request_review", { ...PULL, review: { id: 5 } }],
  ["issues", {}],
  ["schedule", {}],
  ["push", ISSUE],
])("%s with %j has nothing that gets a reaction", (event, payload) => {
  expect(reactionTarget(contextOf(event, payload))).toBeNull();
});

test("an issue is a pull request if GitHub marks it as one", () => {
  expect(isOnPullRequest(contextOf("issues", ISSUE))).toBe(false);
  expect(isOnPullRequest(contextOf("pull_request", PULL))).toBe(true);
  const marked = { issue: { number: 7, pull_request: {} } };
  expect(isOnPullRequest(contextOf("issue_comment", marked))).toBe(true);
});

test.each([
  ["a copy of the repository", "acme/docs-agent", "acme/docs-agent"],
  ["a path in the workflow's own repository", "", "OWNER/docs-agent-action"],
  ["what is no repository", "acme/docs-agent/..)", "OWNER/docs-agent-action"],
])("the action's pages are in the repository that it is used from: %s", (_, used, expected) => {
  const context = readRunContext({ GITHUB_ACTION_REPOSITORY: used });
  expect(pagesAddress(context)).toBe(`https://github.com/${expected}/blob/main/docs`);
});

test.each([
  [{}, null, null],
  [{ GITHUB_WORKFLOW_REF: "", GITHUB_SHA: "" }, null, null],
  [{ GITHUB_WORKFLOW_REF: "octo/docs@main", GITHUB_SHA: "c0ffee" }, null, "c0ffee"],
  [
    { GITHUB_WORKFLOW_REF: "octo/docs/.github/workflows/docs.yml@refs/heads/main" },
    ".github/workflows/docs.yml",
    null,
  ],
])("by %j, the workflow's file is %j, and the commit %j", (env, workflow, sha) => {
  expect(readRunContext(env)).toMatchObject({ workflow, sha });
});

const OF_RUN = { GITHUB_REPOSITORY: "octo/docs", GITHUB_RUN_ID: "1001" };

test("the repository, the run and its page are those of the environment", () => {
  const context = readRunContext(OF_RUN);
  const runUrl = "https://github.com/octo/docs/actions/runs/1001/attempts/1";
  expect(context).toMatchObject({ repository: "octo/docs", runId: "1001", runUrl });
  expect(inRepository(context)).toEqual(context);
});

test.each([
  [{}, null, null],
  [{ GITHUB_REPOSITORY: "", GITHUB_RUN_ID: "" }, null, null],
  [{ ...OF_RUN, GITHUB_REPOSITORY: "" }, null, "1001"],
  [{ ...OF_RUN, GITHUB_RUN_ID: "" }, "octo/docs", null],
])("by %j, the repository is %j, the run is %j, and it has no page", (env, repository, runId) => {
  expect(readRunContext(env)).toMatchObject({ repository, runId, runUrl: null });
});

test("a step that needs a repository fails outside of one", () => {
  const outside = { ...contextOf("schedule"), repository: null };
  expect(() => inRepository(outside)).toThrow("GITHUB_REPOSITORY is not set");
});
