import { expect, test } from "vitest";
import { WORKFLOW } from "../../../emulator/github/people.ts";
import { gitHub } from "./ask.ts";

interface Created {
  id: number;
  sha: string;
}

/** What the deploy action sends. */
const GOOD = { auto_merge: false, required_contexts: [], environment: "docs" };

test("a deployment notes the commit that its ref is at, and shows its statuses, the newest first", () => {
  const { repository, get } = gitHub();
  const body = { ...GOOD, ref: "main", payload: { run: "1" }, transient_environment: true };
  const made = get<Created>("POST /deployments", { body });
  expect(made).toMatchObject({
    sha: repository.tip(),
    environment: "docs",
    payload: { run: "1" },
    transient_environment: true,
    production_environment: false,
  });
  const link = "https://docs.example/";
  for (const state of ["queued", "success"]) {
    const status = { state, environment_url: link, log_url: "https://ci.example/1" };
    get(`POST /deployments/${made.id}/statuses`, { body: status });
  }
  expect(get(`GET /deployments/${made.id}/statuses`)).toMatchObject([
    { state: "success", environment_url: link, target_url: "https://ci.example/1" },
    { state: "queued" },
  ]);
  expect(get("GET /deployments?environment=docs")).toMatchObject([{ id: made.id }]);
  expect(get("GET /deployments?environment=other")).toEqual([]);
});

test("by default, a branch that is behind is merged, and there is no deployment", () => {
  const { repository, ask, get } = gitHub();
  const { branch, head } = repository.openPull();
  repository.push();
  const asked = (more: object) => ({ body: { ref: branch, required_contexts: [], ...more } });
  expect(ask("POST /deployments", asked({}))).toMatchObject({
    status: 202,
    body: { message: expect.stringContaining("Auto-merged main") },
  });
  expect(get("GET /deployments")).toEqual([]);
  expect(get("POST /deployments", asked({ auto_merge: false }))).toMatchObject({ sha: head });
});

test("by default, every check has to be green", () => {
  const { repository, get, refusal } = gitHub();
  repository.report({ name: "lint", head_sha: repository.tip(), conclusion: "skipped" });
  const body = { ref: "main", auto_merge: false };
  expect(refusal("POST /deployments", { body })).toMatch(/^409 Conflict: Commit status checks/);
  expect(get("POST /deployments", { body: { ...body, required_contexts: [] } })).toMatchObject({
    environment: "production",
    production_environment: true,
  });
});

test.each<[object, string]>([
  [{ state: "done" }, "422 Validation Failed"],
  [{ state: "error", description: "x".repeat(141) }, "422 Validation Failed"],
  [{ state: "success", environment_url: "javascript:alert(1)" }, "422 Validation Failed"],
])("the status %j is refused", (body, expected) => {
  const { get, refusal } = gitHub();
  const { id } = get<Created>("POST /deployments", { body: { ...GOOD, ref: "main" } });
  expect(refusal(`POST /deployments/${id}/statuses`, { body })).toBe(expected);
});

test("a success retires earlier ones of the same environment, unless they are transient", () => {
  const { get } = gitHub();
  const deploy = (more: object) => {
    const { id } = get<Created>("POST /deployments", { body: { ...GOOD, ref: "main", ...more } });
    get(`POST /deployments/${id}/statuses`, { body: { state: "success" } });
    return () => get<{ state: string }[]>(`GET /deployments/${id}/statuses`)[0]?.state;
  };
  const lasting = deploy({});
  const transient = deploy({ environment: "docs-preview", transient_environment: true });
  deploy({});
  deploy({ environment: "docs-preview", transient_environment: true });
  expect([lasting(), transient()]).toEqual(["inactive", "success"]);
});

test("an unknown ref, and a token without the permission, are refused", () => {
  const { github, refusal } = gitHub();
  const body = { ...GOOD, ref: "gone" };
  expect(refusal("POST /deployments", { body })).toBe("422 No ref found for: gone");
  github.restrict(WORKFLOW, { deployments: "read" });
  const asked = { body: { ...GOOD, ref: "main" }, as: WORKFLOW };
  expect(refusal("POST /deployments", asked)).toMatch(/^403 /);
});
