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
  test("are found by label and state, made with labels, edited and closed", () => {
    const { repository, get, pass } = gitHub();
    const as = "github-actions[bot]";
    const body = { title: "Docs upkeep", body: "One", labels: ["docs-upkeep"] };
    const { number } = get<Numbered>("POST /issues", { body, as });
    repository.openPull({ labels: ["docs-upkeep"] });
    const found = (query: string) =>
      get<Numbered[]>(`GET /issues?labels=docs-upkeep&${query}`).map((issue) => issue.number);
    // As on GitHub, pull requests are issues too.
    expect(found("")).toEqual([2, 1]);
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
    expect(found("state=closed")).toEqual([number]);
    get(`PATCH /issues/${number}`, { body: { state: "open" } });
    expect(get(`GET /issues/${number}`)).toMatchObject({ closed_at: null, closed_by: null });
  });

  test("are gone when they are deleted or converted, and elsewhere when they are transferred", () => {
    const { github, repository, ask, refusal, get } = gitHub();
    const [one, two] = ["One", "Two"].map((title) => repository.openIssue({ title }).number);
    repository.comment({ number: two ?? 0 }, "Still here", "reader");
    repository.moveIssue(one ?? 0);
    expect(refusal("GET /issues/1")).toBe("410 This issue was deleted");
    repository.moveIssue(two ?? 0, github.create("acme/other"));
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
    repository.hasIssues = false;
    const body = { title: "x", body: "x" };
    for (const request of ["GET /issues/1", "POST /issues", "POST /issues/1/comments"]) {
      expect(refusal(request, { body })).toBe("410 Issues are disabled for this repo");
    }
    get("POST /issues/2/comments", { body });
    expect(get("GET /issues")).toMatchObject([{ number: 2 }]);
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
    }
    expect(github.reactions().map(({ subject }) => subject)).toEqual(
      subjects.map((subject) => `/repos/acme/docs/${subject}`),
    );
    expect(refusal("POST /issues/99/reactions", eyes)).toMatch(/^404/);
    const shrug = { body: { content: "shrug" } };
    expect(refusal("POST /issues/1/reactions", shrug)).toMatch(/^422/);
  });
});
