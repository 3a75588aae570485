import { describe, expect, test } from "vitest";
import { gitHub } from "./ask.ts";

interface Numbered {
  number: number;
}

interface Comment {
  id: number;
  body: string;
  updated_at: string;
}

const bodies = (comments: readonly Comment[]) => comments.map(({ body }) => body);

describe("issues", () => {
  test("are found by label, creator, state and time, made with labels, edited and closed", () => {
    const { repository, get, pass } = gitHub();
    const as = "github-actions[bot]";
    const body = { title: "Docs upkeep", body: "One", labels: ["docs-upkeep"] };
    const { number } = get<Numbered>("POST /issues", { body, as });
    repository.openPull({ labels: ["docs-upkeep"] });
    const found = (query: string) =>
      get<Numbered[]>(`GET /issues?labels=docs-upkeep&${query}`).map((issue) => issue.number);
    // As on GitHub, pull requests are issues too.
    expect(found("")).toEqual([2, 1]);
    expect(found(`creator=${encodeURIComponent(as)}`)).toEqual([number]);
    expect(found("state=closed")).toEqual([]);
    pass(5_000);
    get(`PATCH /issues/${number}`, { body: { body: "Two", state: "closed" }, as: "maintainer" });
    expect(get(`GET /issues/${number}`)).toMatchObject({
      ...{ body: "Two", state: "closed", closed_by: { login: "maintainer" } },
      ...{
        closed_at: "2026-03-01T12:00:05Z",
        performed_via_github_app: { slug: "github-actions" },
      },
    });
    expect(found("state=all&since=2026-03-01T12:00:01Z")).toEqual([number]);
    get(`PATCH /issues/${number}`, { body: { state: "open" } });
    expect(get(`GET /issues/${number}`)).toMatchObject({ closed_at: null, closed_by: null });
  });

  test("take labels and assignees from those who may give them", () => {
    const { repository, get, refusal } = gitHub();
    const { number } = repository.openIssue({ title: "One" });
    const path = `/issues/${number}`;
    get(`POST ${path}/labels`, { body: { labels: ["a", "b"] }, as: "triager" });
    get(`DELETE ${path}/labels/a`, { as: "triager" });
    expect(refusal(`DELETE ${path}/labels/a`)).toBe("404 Label does not exist");
    expect(refusal(`POST ${path}/labels`, { body: { labels: ["c"] }, as: "reader" })).toMatch(
      /^403/,
    );
    const assignees = ["writer", "outsider"];
    get(`POST ${path}/assignees`, { body: { assignees } });
    expect(get(`GET ${path}`)).toMatchObject({
      ...{ labels: [{ name: "b" }], assignees: [{ login: "writer" }] },
    });
    const body = { title: "Two", labels: ["mine"] };
    expect(get("POST /issues", { body, as: "reader" })).toMatchObject({ labels: [] });
  });

  test("are changed by their author and collaborators alone, and by nobody without a token", () => {
    const { repository, get, refusal } = gitHub();
    repository.openIssue({ title: "One", author: "reader" });
    const change = { body: { title: "Other" } };
    get("PATCH /issues/1", { ...change, as: "reader" });
    expect(refusal("PATCH /issues/1", { ...change, as: "outsider" })).toMatch(/^403/);
    expect(refusal("PATCH /issues/1", { ...change, as: null })).toBe("401 Requires authentication");
    expect(refusal("POST /issues", { ...change, as: null })).toMatch(/^401/);
    expect(get("GET /issues/1", { as: null })).toMatchObject({ title: "Other" });
  });

  test("are gone when they are deleted or converted, and elsewhere when they are transferred", () => {
    const { github, repository, ask, refusal, get } = gitHub();
    const [one, two] = ["One", "Two"].map((title) => repository.openIssue({ title }).number);
    repository.comment({ number: two ?? 0 }, "Still here", "reader");
    repository.moveIssue(one ?? 0);
    expect(refusal("GET /issues/1")).toBe("410 This issue was deleted");
    github.create("acme/other");
    github.transferIssue("acme/docs", 2, "acme/other");
    const moved = ask("GET /issues/2");
    expect([moved.status, moved.headers.location]).toEqual([
      ...[301, "https://api.github.com/repos/acme/other/issues/1"],
    ]);
    expect(get("GET /repos/acme/other/issues/1/comments")).toMatchObject([{ body: "Still here" }]);
    expect(get("GET /issues")).toEqual([]);
    expect(get("GET /issues/comments")).toEqual([]);
  });

  test("can be switched off: pull requests keep their comments", () => {
    const { repository, get, refusal } = gitHub();
    repository.openIssue({ title: "Before" });
    repository.openPull();
    get("PATCH /repos/acme/docs", { body: { has_issues: false } });
    const body = { title: "x", body: "x" };
    for (const request of ["GET /issues/1", "POST /issues", "POST /issues/1/comments"]) {
      expect(refusal(request, { body })).toBe("410 Issues are disabled for this repo");
    }
    get("POST /issues/2/comments", { body });
    expect(get("GET /issues")).toMatchObject([{ number: 2 }]);
  });

  test("take no title of more than 256 characters, and no body of more than 65,536", () => {
    const { repository, get, refusal } = gitHub();
    repository.openIssue({ title: "One" });
    const send = (request: string, length: number, title = "Long") =>
      refusal(request, { body: { title, body: "é".repeat(length) } });
    for (const request of ["POST /issues", "PATCH /issues/1", "POST /issues/1/comments"]) {
      expect(send(request, 65_537)).toBe("422 Validation Failed");
    }
    expect(send("POST /issues", 1, "x".repeat(257))).toMatch(/^422/);
    expect(send("POST /issues", 1, "")).toMatch(/^422/);
    get("POST /issues/1/comments", { body: { body: "é".repeat(65_536) } });
  });

  test("have no room for more than 2,500 comments", () => {
    const { repository, refusal, get } = gitHub();
    const issue = repository.openIssue({ title: "Busy" });
    for (let nth = 1; nth <= 2_500; nth += 1) repository.comment(issue, String(nth), "reader");
    const comment = { body: { body: "One more" } };
    expect(refusal("POST /issues/1/comments", comment)).toBe(
      "403 Commenting is disabled on issues with more than 2500 comments",
    );
    const last = get<Comment[]>("GET /issues/1/comments?per_page=100&page=25");
    expect(bodies(last).at(-1)).toBe("2500");
  });

  test("that are locked take comments of collaborators alone", () => {
    const { repository, get, refusal } = gitHub();
    repository.openIssue({ title: "Hot" });
    repository.lockIssue(1);
    const body = { body: "x" };
    const message = "403 Unable to create comment because issue is locked.";
    expect(refusal("POST /issues/1/comments", { body, as: "reader" })).toBe(message);
    get("POST /issues/1/comments", { body, as: "writer" });
    expect(get("GET /issues/1")).toMatchObject({ locked: true, comments: 1 });
  });
});

describe("comments", () => {
  test("of all issues come in one list, by their time, from a time on, in pages", () => {
    const { repository, get, pass } = gitHub();
    for (const title of ["One", "Two"]) repository.openIssue({ title });
    const write = (issue: number, body: string) => {
      pass(5_000);
      return get<Comment>(`POST /issues/${issue}/comments`, { body: { body } });
    };
    const first = write(1, "first");
    write(2, "second");
    write(1, "third");
    pass(5_000);
    get(`PATCH /issues/comments/${first.id}`, { body: { body: "edited" } });
    const list = (query: string) => get<Comment[]>(`GET /issues/comments?${query}`);
    expect(bodies(list(""))).toEqual(["edited", "second", "third"]);
    expect(bodies(list("direction=desc"))).toEqual(["edited", "second", "third"]);
    const byUpdate = "sort=updated&direction=desc";
    expect(bodies(list(`${byUpdate}&per_page=2`))).toEqual(["edited", "third"]);
    expect(bodies(list(`${byUpdate}&per_page=2&page=2`))).toEqual(["second"]);
    const { updated_at } = list(byUpdate)[0] as Comment;
    expect(bodies(list(`since=${updated_at}`))).toEqual(["edited"]);
    const later = new Date(Date.parse(updated_at) + 1000).toISOString();
    expect(list(`since=${later}`)).toEqual([]);
    expect(bodies(get("GET /issues/1/comments"))).toEqual(["edited", "third"]);
  });

  test("are edited and deleted by their authors and by those who may push", () => {
    const { repository, get, refusal } = gitHub();
    repository.openIssue({ title: "One" });
    const { id } = repository.comment({ number: 1 }, "Mine", "reader");
    const path = `/issues/comments/${id}`;
    const edit = { body: { body: "Edited" } };
    expect(refusal(`PATCH ${path}`, { ...edit, as: "outsider" })).toMatch(/^403/);
    for (const as of ["reader", "writer"]) get(`PATCH ${path}`, { ...edit, as });
    expect(refusal(`DELETE ${path}`, { as: "triager" })).toMatch(/^403/);
    get(`DELETE ${path}`, { as: "reader" });
    expect(refusal(`GET ${path}`)).toMatch(/^404/);
  });
});

describe("reactions", () => {
  test("can be given once each, to issues, comments and comments on lines", () => {
    const { github, repository, ask, get, refusal } = gitHub();
    repository.openIssue({ title: "One" });
    const { id } = repository.comment({ number: 1 }, "Hello", "reader");
    const { number } = repository.openPull({ commits: [{ files: ["a.ts"] }] });
    const line = { path: "a.ts", line: 1, body: "Why?" };
    const on = get<{ id: number }>(`POST /pulls/${number}/comments`, { body: line });
    const subjects = ["issues/1", `issues/comments/${id}`, `pulls/comments/${on.id}`];
    const eyes = { body: { content: "eyes" }, as: "github-actions[bot]" };
    for (const subject of subjects) {
      const path = `/${subject}/reactions`;
      expect([ask(`POST ${path}`, eyes).status, ask(`POST ${path}`, eyes).status]).toEqual([
        201, 200,
      ]);
      expect(get(`GET ${path}`)).toMatchObject([{ content: "eyes", user: { type: "Bot" } }]);
      expect(get(`GET /${subject}`)).toMatchObject({ reactions: { eyes: 1, total_count: 1 } });
    }
    expect(github.reactions().map(({ subject }) => subject)).toEqual(
      subjects.map((subject) => `/repos/acme/docs/${subject}`),
    );
    expect(refusal("POST /issues/99/reactions", eyes)).toMatch(/^404/);
    const shrug = { body: { content: "shrug" } };
    expect(refusal("POST /issues/1/reactions", shrug)).toMatch(/^422/);
  });

  test("are put on a review by GraphQL, once each", () => {
    const { github, repository, get } = gitHub();
    const { number } = repository.openPull();
    const body = { event: "COMMENT", body: "/docs" };
    const { node_id } = get<{ node_id: string }>(`POST /pulls/${number}/reviews`, { body });
    const query =
      "mutation ($id: ID!, $content: ReactionContent!) { addReaction(input: { subjectId: $id, content: $content }) { clientMutationId } }";
    const react = (id: string, content: string) =>
      get("POST /graphql", { body: { query, variables: { id, content } } });
    for (const _ of [1, 2]) expect(react(node_id, "EYES")).not.toHaveProperty("errors");
    expect(github.reactions()).toMatchObject([{ subject: node_id, content: "eyes" }]);
    expect(react("PRR_0", "EYES")).toHaveProperty("errors");
    expect(react(node_id, "SHRUG")).toHaveProperty("errors");
  });
});
