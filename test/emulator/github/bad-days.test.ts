import { describe, expect, test } from "vitest";
import { gitHub } from "./ask.ts";

const BOT = "github-actions[bot]";

test("with `behind`, reads return an outdated state, and writes use the current one", () => {
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

describe("a repository", () => {
  test("that was renamed or transferred is redirected to by its ID", () => {
    const { github, repository, ask, get } = gitHub();
    const { id } = get<{ id: number }>("GET ");
    repository.rename("other/handbook");
    const redirect = ask("GET /issues?state=all");
    expect([redirect.status, redirect.headers.location]).toEqual([
      301,
      `https://api.github.com/repositories/${id}/issues?state=all`,
    ]);
    expect(ask("POST /issues", { body: { title: "x" } }).status).toBe(307);
    expect(get(`GET /repositories/${id}/issues`)).toEqual([]);
    expect(get("GET /repos/Other/handbook")).toMatchObject({ id, full_name: "other/handbook" });
    const again = github.create("acme/docs");
    expect(get("GET ")).toMatchObject({ id: again.id });
  });

  test("that is private is visible only to accounts with a role, and one that is archived is read-only", () => {
    const { repository, get, refusal } = gitHub();
    repository.visibility = "private";
    expect(get("GET ", { as: "reader" })).toMatchObject({ private: true, visibility: "private" });
    for (const as of ["outsider", null]) expect(refusal("GET ", { as })).toMatch(/^404/);
    repository.isArchived = true;
    const issue = { body: { title: "x" } };
    expect(refusal("POST /issues", issue)).toBe("403 Repository was archived so is read-only.");
    get("GET /issues");
    repository.isArchived = false;
    get("POST /issues", issue);
  });
});

describe("a token", () => {
  test("that does not exist is refused with 401, and an unknown account has no permission", () => {
    const { github, refusal } = gitHub();
    const headers = { authorization: "Bearer ghs_wrong" };
    expect(github.handle({ method: "GET", path: "/repos/acme/docs", headers }).status).toBe(401);
    expect(refusal("GET /collaborators/nobody/permission")).toMatch(/^404/);
  });

  test("that is restricted is refused only what it has no permission for, with GitHub's message", () => {
    const { github, repository, ask, get, refusal } = gitHub();
    const { number, head } = repository.openPull();
    const message = "403 Resource not accessible by integration";
    const as = BOT;
    github.restrict(BOT, {
      contents: "read",
      issues: "none",
      pull_requests: "read",
      checks: "none",
    });
    for (const request of ["GET /issues", "POST /git/refs"]) {
      expect(refusal(request, { as, body: {} })).toBe(message);
    }
    const run = { body: { name: "x", head_sha: head }, as };
    expect(refusal("POST /check-runs", run)).toBe(message);
    expect(refusal(`GET /commits/${head}/check-runs`, { as })).toBe(message);
    const { headers } = ask("GET /issues", { as });
    expect(headers["x-accepted-github-permissions"]).toBe("issues=read");
    for (const path of ["/pulls", "/branches/main", ""]) get(`GET ${path}`, { as });
    expect(refusal(`PUT /pulls/${number}/merge`, { as, body: {} })).toBe(message);
    github.restrict(BOT, {});
    get("POST /issues", { as, body: { title: "x" } });
  });

  test.each(["issues", "pull_requests"])(
    "can react and comment with the permission %s alone",
    (scope) => {
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
    },
  );
});
