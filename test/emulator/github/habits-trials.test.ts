import { describe, expect, test } from "vitest";
import { WORKFLOW } from "../../../emulator/github/people.ts";
import type { Permissions } from "../../../emulator/github/site.ts";
import { gitHub } from "./ask.ts";

const NO_COMMIT = "0".repeat(40);

/** A request that is bound to be refused for its content, and the permission that it needs. */
const TRIALS: [request: string, body: object, missing: Permissions, answer: string][] = [
  ["POST /issues", { title: "" }, { issues: "read" }, "422 Validation Failed"],
  ["POST /pulls", { title: "", head: "" }, { pull_requests: "read" }, "422 Validation Failed"],
  ["POST /deployments", { ref: "" }, { deployments: "read" }, "422 No ref found for: "],
  [`POST /statuses/${NO_COMMIT}`, { state: "none" }, { statuses: "read" }, "422 Validation Failed"],
  [
    "POST /git/refs",
    { ref: "docs-agent", sha: NO_COMMIT },
    { contents: "read" },
    "422 Reference name must begin with refs/ and contain at least two slashes",
  ],
];

describe("a request with a wrong content", () => {
  test.each(TRIALS)(
    "is refused for the permission first, then for the content: %s",
    (request, body, missing, answer) => {
      const { github, repository, refusal } = gitHub();
      const question = { body, as: WORKFLOW };
      expect(refusal(request, question)).toBe(answer);
      github.restrict(WORKFLOW, missing);
      expect(refusal(request, question)).toBe("403 Resource not accessible by integration");
      expect([repository.issues.size, repository.statuses, repository.deployments]).toEqual([
        0,
        [],
        [],
      ]);
    },
  );

  test("in an archived repository is refused before anything else", () => {
    const { github, repository, refusal } = gitHub();
    repository.isArchived = true;
    github.restrict(WORKFLOW, { issues: "read" });
    const question = { body: { title: "" }, as: WORKFLOW };
    expect(refusal("POST /issues", question)).toBe("403 Repository was archived so is read-only.");
  });

  test("for an issue is refused for disabled Issues only with the permission", () => {
    const { github, repository, refusal } = gitHub();
    repository.hasIssues = false;
    const question = { body: { title: "" }, as: WORKFLOW };
    expect(refusal("POST /issues", question)).toBe("410 Issues are disabled for this repo");
    github.restrict(WORKFLOW, { issues: "read" });
    expect(refusal("POST /issues", question)).toBe("403 Resource not accessible by integration");
  });

  test("for a pull request is refused to workflows by a setting of the repository", () => {
    const { repository, refusal } = gitHub();
    repository.switches.mayNotOpenPulls = true;
    const body = { title: "" };
    expect(refusal("POST /pulls", { body, as: WORKFLOW })).toMatch(
      /^403 GitHub Actions is not per/,
    );
    expect(refusal("POST /pulls", { body, as: "writer" })).toMatch(/^422/);
  });
});

test("a ref that names a commit with changed workflow files is refused to a workflow's token", () => {
  const { repository, get, refusal } = gitHub();
  const sha = repository.push({ files: { ".github/workflows/docs.yml": "on: push\n" } });
  const body = { ref: "refs/docs-agent/x", sha };
  expect(refusal("POST /git/refs", { body, as: WORKFLOW })).toMatch(/^403 Resource not accessible/);
  get("POST /git/refs", { body, as: "writer" });
  get("POST /git/refs", {
    body: { ...body, ref: "refs/docs-agent/y", sha: repository.push() },
    as: WORKFLOW,
  });
});

test("everybody who can read the repository can read a branch's rules", () => {
  const { github, repository, get } = gitHub();
  github.restrict(WORKFLOW, { contents: "none", actions: "none" });
  const types = (branch: string) =>
    get<{ type: string }[]>(`GET /rules/branches/${branch}`, { as: WORKFLOW }).map(
      ({ type }) => type,
    );
  expect(types("main")).toEqual([]);
  repository.mergeRule = { approvals: 1, checks: ["build"], queue: true };
  expect(types("main")).toEqual(["pull_request", "required_status_checks", "merge_queue"]);
  expect(types("other")).toEqual([]);
});

test("a branch shows the checks of its classic protection to everybody who can read it", () => {
  const { repository, get } = gitHub();
  const protection = () => get<{ protection: object }>("GET /branches/main", { as: WORKFLOW });
  repository.mergeRule = { checks: ["build"], isClassic: true };
  const required_status_checks = { enforcement_level: "non_admins", contexts: ["build"] };
  expect(protection()).toMatchObject({
    protected: true,
    protection: { enabled: true, required_status_checks },
  });
  expect(get("GET /rules/branches/main", { as: WORKFLOW })).toEqual([]);
  repository.mergeRule = { checks: ["build"] };
  expect(protection()).toMatchObject({ protected: false, protection: { enabled: false } });
});

test("a workflow has a state, and the runs that its schedule started", () => {
  const { github, repository, get, refusal } = gitHub();
  const path = ".github/workflows/docs.yml";
  repository.push({ files: { [path]: "name: Docs\n" } });
  repository.workflowStates.set(path, "disabled_inactivity");
  repository.scheduledRuns.push({ id: 7, path, conclusion: "failure", at: 0 });
  const { workflows } = get<{ workflows: { id: number }[] }>("GET /actions/workflows");
  expect(workflows).toMatchObject([{ name: "Docs", path, state: "disabled_inactivity" }]);
  repository.workflowStates.delete(path);
  repository.workflowsEnabledAt.set(path, Date.UTC(2027, 0, 1));
  expect(get("GET /actions/workflows")).toMatchObject({
    workflows: [{ state: "active", updated_at: "2027-01-01T00:00:00Z" }],
  });
  const runs = `GET /actions/workflows/${workflows[0]?.id}/runs?event=`;
  expect(get(`${runs}schedule`)).toMatchObject({
    workflow_runs: [{ id: 7, event: "schedule", conclusion: "failure" }],
  });
  expect(get(`${runs}push`)).toMatchObject({ workflow_runs: [] });
  github.restrict(WORKFLOW, { actions: "none" });
  expect(refusal("GET /actions/workflows", { as: WORKFLOW })).toMatch(/^403/);
});
