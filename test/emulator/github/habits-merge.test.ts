import { describe, expect, test } from "vitest";
import { AGENT, WORKFLOW } from "../../../emulator/github/people.ts";
import { gitHub } from "./ask.ts";

const CI = { ".github/workflows/ci.yml": "on: push\n" };

/** A pull request, and its `mergeStateStatus` as an account reads it. */
function scene(files: Record<string, string> = { "docs/a.md": "a\n" }) {
  const world = gitHub();
  const { number } = world.repository.openPull({ author: AGENT, commits: [{ files }] });
  const query = `{ repository(owner: "acme", name: "docs") {
    pullRequest(number: ${number}) { mergeStateStatus } } }`;
  const state = (as: string) => {
    type Answer = { data: { repository: { pullRequest: { mergeStateStatus: string } } } };
    const { data } = world.get<Answer>("POST /graphql", { body: { query }, as });
    return data.repository.pullRequest.mergeStateStatus;
  };
  const merge = (as: string) => world.ask(`PUT /pulls/${number}/merge`, { body: {}, as });
  return { ...world, number, state, merge };
}

describe("the state of a merge", () => {
  test("is CLEAN for an account that can bypass the rule, and its merge goes around the rule", () => {
    const { repository, state, merge } = scene();
    repository.mergeRule = { approvals: 1, bypass: [WORKFLOW] };
    expect([state("maintainer"), state(WORKFLOW)]).toEqual(["BLOCKED", "CLEAN"]);
    expect([merge("maintainer").status, merge(WORKFLOW).status]).toEqual([405, 200]);
  });

  test("is BLOCKED for the workflow's token if the pull request changes workflow files", () => {
    const { state } = scene(CI);
    expect([state("maintainer"), state(WORKFLOW)]).toEqual(["CLEAN", "BLOCKED"]);
  });
});

test("a merge that changes workflow files is refused for the workflow's token, and for apps without the permission", () => {
  const { github, merge } = scene(CI);
  const message =
    "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission";
  for (const app of [WORKFLOW, AGENT]) {
    expect(merge(app)).toMatchObject({ status: 403, body: { message } });
  }
  // The workflow's token can never have it.
  github.restrict(WORKFLOW, { workflows: "write" });
  expect(merge(WORKFLOW).status).toBe(403);
  github.restrict(AGENT, { workflows: "write" });
  expect(merge(AGENT).status).toBe(200);
});
