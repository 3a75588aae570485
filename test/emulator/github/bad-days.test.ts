import { describe, expect, test } from "vitest";
import { gitHub } from "./ask.ts";

const BOT = "github-actions[bot]";

test("a fault takes the place of the next answers to what fits", () => {
  const { github, repository, ask, get, refusal } = gitHub();
  repository.openIssue({ title: "One" });
  const headers = { "retry-after": "60" };
  const message = "You have exceeded a secondary rate limit";
  github.addFault({ method: "POST", path: "/comments$", status: 403, headers, message, times: 2 });
  const comment = () => ask("POST /issues/1/comments", { body: { body: "x" } });
  expect(get("GET /issues/1/comments")).toEqual([]);
  expect(comment()).toMatchObject({ status: 403, headers, body: { message } });
  expect([comment().status, comment().status]).toEqual([403, 201]);
  github.addFault({ status: 502, times: 9 });
  expect(refusal("GET ")).toMatch(/^502/);
  github.clearFaults();
  get("GET ");
});

test("reads can be answered from a copy that is behind, and writes never are", () => {
  const { github, repository, get, refusal, pass } = gitHub();
  repository.openIssue({ title: "One" });
  const old = repository.tip();
  pass(10_000);
  const sha = repository.push();
  get("PATCH /issues/1", { body: { title: "Two" } });
  get("POST /issues/1/comments", { body: { body: "New" } });
  get("POST /issues", { body: { title: "Late" } });
  const tip = () => get<{ object: { sha: string } }>("GET /git/ref/heads/main").object.sha;
  github.behind = 4_000;
  expect(tip()).toBe(old);
  expect(get("GET /issues/1")).toMatchObject({ title: "One" });
  expect(get("GET /issues/1/comments")).toEqual([]);
  expect(refusal("GET /issues/2")).toMatch(/^404/);
  const move = { body: { sha: old } };
  expect(refusal("PATCH /git/refs/heads/main", move)).toMatch(/^422 Update is not a fast forward/);
  pass(5_000);
  expect(tip()).toBe(sha);
  expect(get("GET /issues/1/comments")).toMatchObject([{ body: "New" }]);
  github.behind = 0;
  expect(get("GET /issues/1")).toMatchObject({ title: "Two" });
});

test("the list of pull requests can be behind, where each by itself and its commits are known", () => {
  const { github, repository, get, pass } = gitHub();
  const { number, mergeSha } = repository.land();
  github.site.pullListBehind = 30_000;
  const listed = () => get<object[]>("GET /pulls?state=all").length;
  expect(listed()).toBe(0);
  expect(get(`GET /pulls/${number}`)).toMatchObject({ merged: true });
  expect(get(`GET /commits/${mergeSha}/pulls`)).toMatchObject([{ number }]);
  pass(31_000);
  expect(listed()).toBe(1);
});

describe("a repository", () => {
  test("that was renamed or given away is led to by its number", () => {
    const { github, repository, ask, get } = gitHub();
    const { id } = get<{ id: number }>("GET ");
    repository.rename("other/handbook");
    const told = ask("GET /issues?state=all");
    expect([told.status, told.headers.location]).toEqual([
      ...[301, `https://api.github.com/repositories/${id}/issues?state=all`],
    ]);
    expect(ask("POST /issues", { body: { title: "x" } }).status).toBe(307);
    expect(get(`GET /repositories/${id}/issues`)).toEqual([]);
    expect(get("GET /repos/Other/handbook")).toMatchObject({ id, full_name: "other/handbook" });
    const again = github.create("acme/docs");
    expect(get("GET ")).toMatchObject({ id: again.id });
  });

  test("leads on from a branch that was renamed, with its pull requests", () => {
    const { repository, ask, get } = gitHub();
    const { number } = repository.openPull();
    repository.renameBranch("main", "trunk");
    const { status, headers } = ask("GET /branches/main");
    expect([status, headers.location]).toEqual([
      ...[301, "https://api.github.com/repos/acme/docs/branches/trunk"],
    ]);
    expect(get("GET ")).toMatchObject({ default_branch: "trunk" });
    expect(get(`GET /pulls/${number}`)).toMatchObject({ base: { ref: "trunk" }, state: "open" });
  });

  test("that is private is there for those with a role alone, and an archived one for reading", () => {
    const { get, refusal } = gitHub();
    get("PATCH ", { body: { visibility: "private" } });
    expect(get("GET ", { as: "reader" })).toMatchObject({ private: true, visibility: "private" });
    for (const as of ["outsider", null]) expect(refusal("GET ", { as })).toMatch(/^404/);
    get("PATCH ", { body: { archived: true } });
    const issue = { body: { title: "x" } };
    expect(refusal("POST /issues", issue)).toBe("403 Repository was archived so is read-only.");
    get("GET /issues");
    get("PATCH ", { body: { archived: false } });
    get("POST /issues", issue);
    expect(refusal("PATCH ", { body: {}, as: "maintainer" })).toMatch(/^403/);
  });

  test("with a rule for refs refuses to create, move and delete those", () => {
    const { repository, get, refusal } = gitHub();
    repository.protectedRefs = "^refs/docs-agent/";
    const sha = repository.tip();
    const create = (ref: string) => refusal("POST /git/refs", { body: { ref, sha } });
    expect(create("refs/docs-agent/x")).toMatch(/^422 Repository rule violations found/);
    get("POST /git/refs", { body: { ref: "refs/heads/x", sha } });
    repository.protectedRefs = "^refs/heads/";
    expect(refusal("PATCH /git/refs/heads/x", { body: { sha } })).toMatch(/protected ref/);
    expect(refusal("DELETE /git/refs/heads/x")).toMatch(/^422/);
    expect(refusal("PUT /contents/a.md", { body: { content: "YQ==" } })).toMatch(/^422/);
    repository.protectedRefs = "";
    get("DELETE /git/refs/heads/x");
  });
});

describe("a token", () => {
  test.each([
    ["octocat", "admin", "admin"],
    ["maintainer", "write", "maintain"],
    ["writer", "write", "write"],
    ["triager", "read", "triage"],
    ["reader", "read", "read"],
    ["outsider", "read", "read"],
  ])("of %s has the permission %s, in the role %s", (login, permission, role_name) => {
    const { get } = gitHub();
    const told = get(`GET /collaborators/${login}/permission`);
    expect(told).toMatchObject({ permission, role_name, user: { login } });
    expect(get("GET /user", { as: login })).toMatchObject({ login });
  });

  test("that nobody has is no token, and who nobody is has no permission", () => {
    const { github, refusal } = gitHub();
    const headers = { authorization: "Bearer ghs_wrong" };
    expect(github.handle({ method: "GET", path: "/repos/acme/docs", headers }).status).toBe(401);
    expect(refusal("GET /collaborators/nobody/permission")).toMatch(/^404/);
    expect(refusal("GET /users/nobody")).toMatch(/^404/);
  });

  test("that is restricted is refused as GitHub refuses it, and only what it lacks", () => {
    const { github, repository, get, refusal } = gitHub();
    const { number, head } = repository.openPull();
    const message = "403 Resource not accessible by integration";
    const as = BOT;
    github.restrict(BOT, {
      contents: "read",
      issues: "none",
      pull_requests: "read",
      checks: "none",
    });
    for (const request of ["GET /issues", "POST /git/refs", "PUT /contents/a.md"]) {
      expect(refusal(request, { as, body: {} })).toBe(message);
    }
    const run = { body: { name: "x", head_sha: head }, as };
    expect(refusal("POST /check-runs", run)).toBe(message);
    expect(refusal(`GET /commits/${head}/check-runs`, { as })).toBe(message);
    for (const path of ["/pulls", "/branches/main", ""]) get(`GET ${path}`, { as });
    expect(refusal(`PUT /pulls/${number}/merge`, { as, body: {} })).toBe(message);
    github.restrict(BOT, {});
    get("POST /issues", { as, body: { title: "x" } });
  });

  test.each(["issues", "pull_requests"])("reacts and comments by the scope %s alone", (scope) => {
    const { github, repository, get, refusal } = gitHub();
    repository.openIssue({ title: "One" });
    const none = { issues: "none", pull_requests: "none" } as const;
    for (const [path, body] of [
      ["/issues/1/reactions", { content: "eyes" }],
      ["/issues/1/comments", { body: "x" }],
    ]) {
      github.restrict(BOT, { ...none, [scope]: "write" });
      get(`POST ${path}`, { body, as: BOT });
      github.restrict(BOT, none);
      expect(refusal(`POST ${path}`, { body, as: BOT })).toMatch(/^403/);
    }
  });
});

test("GitHub's clock can be put forward: it is told with every answer, and written down", () => {
  const { github, repository, ask, get } = gitHub();
  const before = get<{ created_at: string }>("POST /issues", { body: { title: "x" } }).created_at;
  github.site.advance(3_600_000);
  const { headers, body } = ask<{ created_at: string }>("POST /issues", { body: { title: "y" } });
  expect([before, body.created_at]).toEqual(["2026-03-01T12:00:00Z", "2026-03-01T13:00:00Z"]);
  expect(headers.date).toBe("Sun, 01 Mar 2026 13:00:00 GMT");
  const start = repository.grow({ pulls: 3, commits: 2, days: 4, method: "rebase" });
  expect(get("GET /pulls?state=closed")).toMatchObject([
    { merged_at: "2026-02-28T13:00:00Z" },
    { merged_at: "2026-02-27T13:00:00Z" },
    {},
  ]);
  expect(get(`GET /compare/${start}...main`)).toMatchObject({ total_commits: 6 });
  expect(ask("GET ").headers.date).toBe("Sun, 01 Mar 2026 13:00:00 GMT");
});

test.each([
  ["GET /nothing", "404 Not Found"],
  ["GET /repos/acme/nothing", "404 Not Found"],
  ["GET /issues/1", "404 Not Found"],
  ["GET /pulls/1", "404 Not Found"],
  ["GET /branches/nothing", "404 Not Found"],
  ["GET /compare/main...nothing", "404 Not Found"],
])("%s is answered with %s", (request, expected) => {
  expect(gitHub().refusal(request)).toBe(expected);
});

test("a body that is no JSON is refused", () => {
  const { github } = gitHub();
  const headers = { authorization: "Bearer ghs_local_octocat" };
  const asked = { method: "POST", path: "/repos/acme/docs/issues", headers, body: "{" };
  const { status, body } = github.handle(asked);
  expect([status, JSON.parse(String(body)).message]).toEqual([400, "Problems parsing JSON"]);
});
