import { describe, expect, test } from "vitest";
import { gitHub } from "./ask.ts";

describe("a release", () => {
  const list = ({ get }: ReturnType<typeof gitHub>) => get<object[]>("GET /releases");

  test("that was a prerelease keeps its time when it is promoted", () => {
    const world = gitHub();
    const { repository, get, pass } = world;
    const release = { tag_name: "v1", prerelease: true };
    get("POST /releases", { body: release });
    const published_at = "2026-03-01T12:00:00Z";
    pass(86_400_000);
    get("POST /releases", { body: { tag_name: "v0.9.1" } });
    repository.promote("v1");
    expect(list(world)).toMatchObject([
      { tag_name: "v0.9.1", published_at: "2026-03-02T12:00:00Z" },
      { tag_name: "v1", prerelease: false, published_at },
    ]);
  });

  test("keeps its name when its tag is moved, and is a draft when its tag is deleted", () => {
    const world = gitHub();
    const { repository, get } = world;
    get("POST /releases", { body: { tag_name: "v1" } });
    const sha = repository.push();
    repository.setRef("refs/tags/v1", sha);
    expect(list(world)).toMatchObject([{ tag_name: "v1", draft: false }]);
    expect(get("GET /commits/v1")).toMatchObject({ sha });
    repository.setRef("refs/tags/v1", null);
    expect(list(world)).toMatchObject([{ tag_name: "v1", draft: true, published_at: null }]);
    expect(get("GET /releases", { as: "reader" })).toEqual([]);
  });
});

describe("a push of a pull request's commits", () => {
  test("merges it, but first GitHub says that it conflicts", () => {
    const { github, repository, get, pass } = gitHub();
    github.site.switches.pushedMergeDelay = 3_000;
    const { number, head } = repository.openPull();
    repository.forcePush(head, "main");
    expect(get(`GET /pulls/${number}`)).toMatchObject({ state: "open", mergeable_state: "dirty" });
    pass(3_000);
    expect(get(`GET /pulls/${number}`)).toMatchObject({
      state: "closed",
      merged: true,
      merge_commit_sha: head,
    });
  });
});

describe("an issue", () => {
  test("has lines that end with CRLF if its text was edited on the page, and none that are not in the API", () => {
    const { repository, get } = gitHub();
    get("POST /issues", { body: { title: "x", body: "a\nb" } });
    expect(get("GET /issues/1")).toMatchObject({ body: "a\nb" });
    const issue = repository.issues.get(1);
    if (issue !== undefined) repository.editOnPage(issue, "a\nb\r\nc");
    expect(get("GET /issues/1")).toMatchObject({ body: "a\r\nb\r\nc" });
  });

  test("of somebody without push access is created without labels and assignees", () => {
    const { get } = gitHub();
    const body = { title: "x", labels: ["docs"], assignees: ["writer"] };
    const created = (as: string) => get("POST /issues", { body, as });
    expect(created("reader")).toMatchObject({ labels: [], assignees: [] });
    expect(created("writer")).toMatchObject({ labels: [{ name: "docs" }], assignees: [{}] });
  });

  test("on a page that is too deep is not listed: 422", () => {
    const { refusal } = gitHub();
    expect(refusal("GET /issues?per_page=100&page=101")).toMatch(/^422 .*pagination is limited/);
  });

  test("with a body that is too long is refused: 422", () => {
    const { get, refusal } = gitHub();
    const body = (length: number) => ({ body: { title: "x", body: "x".repeat(length) } });
    get("POST /issues", body(65_536));
    expect(refusal("POST /issues", body(65_537))).toBe("422 Validation Failed");
  });

  test("that was transferred is 301, that was deleted 410, and without issues 410 as well", () => {
    const { github, repository, refusal } = gitHub();
    for (const title of ["One", "Two"]) repository.openIssue({ title });
    repository.moveIssue(1, github.create("acme/other"));
    repository.moveIssue(2);
    expect(refusal("GET /issues/1")).toMatch(/^301/);
    expect(refusal("GET /issues/2")).toMatch(/^410/);
    repository.hasIssues = false;
    expect(refusal("POST /issues", { body: { title: "x" } })).toMatch(/^410/);
  });
});

describe("comments", () => {
  test("are at most 2,500 an issue", () => {
    const { repository, refusal } = gitHub();
    const issue = repository.openIssue({ title: "x" });
    for (let nth = 0; nth < 2_500; nth += 1) repository.comment(issue, "x", "writer");
    const body = { body: "x" };
    expect(refusal("POST /issues/1/comments", { body })).toMatch(/^403 .*more than 2500/);
  });

  test("can be edited by writers, and stay their author's", () => {
    const { repository, get, refusal } = gitHub();
    const { id } = repository.comment(repository.openIssue({ title: "x" }), "x", "reader");
    const edit = { body: { body: "y" } };
    expect(refusal(`PATCH /issues/comments/${id}`, { ...edit, as: "triager" })).toMatch(/^403/);
    const edited = get(`PATCH /issues/comments/${id}`, { ...edit, as: "writer" });
    expect(edited).toMatchObject({ body: "y", user: { login: "reader" } });
    get(`DELETE /issues/comments/${id}`);
    expect(refusal(`PATCH /issues/comments/${id}`, edit)).toBe("404 Not Found");
  });

  test("of a repository are sorted only if the request says by what", () => {
    const { repository, get, pass } = gitHub();
    const issue = repository.openIssue({ title: "x" });
    for (const body of ["one", "two"]) {
      repository.comment(issue, body, "writer");
      pass(1_000);
    }
    const bodies = (query: string) =>
      get<{ body: string }[]>(`GET /issues/comments?${query}`).map(({ body }) => body);
    expect(bodies("direction=desc")).toEqual(["one", "two"]);
    expect(bodies("sort=created&direction=desc")).toEqual(["two", "one"]);
  });

  test("get each reaction of an account once", () => {
    const { repository, ask } = gitHub();
    repository.openIssue({ title: "x" });
    const react = () => ask("POST /issues/1/reactions", { body: { content: "eyes" } }).status;
    expect([react(), react()]).toEqual([201, 200]);
  });
});

describe("an older server", () => {
  test("refuses a query with a field that it does not know", () => {
    const { github, repository, get } = gitHub();
    repository.openPull();
    github.site.switches.unknownFields = ["isMergeQueueEnabled"];
    const query = (field: string) => ({
      body: {
        query: `{ repository(owner: "acme", name: "docs") { pullRequest(number: 1) { ${field} } } }`,
      },
    });
    const refused = get("POST /graphql", query("isMergeQueueEnabled"));
    expect(refused).toMatchObject({
      errors: [{ message: expect.stringContaining("isMergeQueueEnabled") }],
    });
    expect(get("POST /graphql", query("number"))).not.toHaveProperty("errors");
  });
});

test("reviews can be without databaseId, and have an ID as a text", () => {
  const { github, repository, get } = gitHub();
  repository.openPull();
  const { id } = get<{ id: number }>("POST /pulls/1/reviews", {
    body: { event: "COMMENT", body: "x" },
  });
  github.site.switches.hasNoDatabaseId = true;
  const query = `{ repository(owner: "acme", name: "docs") { pullRequest(number: 1) {
    reviews(first: 1) { nodes { databaseId fullDatabaseId } } } } }`;
  expect(get("POST /graphql", { body: { query } })).toMatchObject({
    data: {
      repository: {
        pullRequest: { reviews: { nodes: [{ databaseId: null, fullDatabaseId: String(id) }] } },
      },
    },
  });
});

test("the clock of an answer can be behind GitHub's time", () => {
  const { github, ask } = gitHub();
  github.site.switches.dateBehind = 5_000;
  expect(ask("GET /issues").headers.date).toBe("Sun, 01 Mar 2026 11:59:55 GMT");
});
