import { expect, test } from "vitest";
import { gitHub } from "./ask.ts";

interface Made {
  id: number;
}

const BOT = "github-actions[bot]";

test("reviews have a state, comments on lines, and are not the author's own", () => {
  const { repository, get, refusal } = gitHub();
  const { number, head } = repository.openPull({ commits: [{ files: ["a.ts"] }] });
  const path = `/pulls/${number}`;
  const review = (as: string, body: object) => get<Made>(`POST ${path}/reviews`, { body, as });
  const comments = [{ path: "a.ts", line: 1, body: "Say why." }];
  const { id } = review("maintainer", { event: "REQUEST_CHANGES", body: "Not yet.", comments });
  review("reader", { event: "APPROVE" });
  const own = { body: { event: "APPROVE" }, as: "writer" };
  expect(refusal(`POST ${path}/reviews`, own)).toMatch(/^422/);
  expect(refusal(`POST ${path}/reviews`, { body: { event: "SHRUG" } })).toMatch(/^422/);
  expect(get(`GET ${path}/reviews`)).toMatchObject([
    { state: "CHANGES_REQUESTED", user: { login: "maintainer" }, commit_id: head },
    { state: "APPROVED", author_association: "COLLABORATOR" },
  ]);
  expect(get(`GET ${path}/comments`)).toMatchObject([
    { body: "Say why.", pull_request_review_id: id, diff_hunk: expect.stringContaining("@@") },
  ]);
  get(`PUT ${path}/reviews/${id}/dismissals`, { body: { message: "Done." } });
  expect(get(`GET ${path}/reviews`)).toMatchObject([{ state: "DISMISSED" }, {}]);
});

test("comments on lines make threads, and are edited and deleted", () => {
  const { repository, get, refusal } = gitHub();
  const { number } = repository.openPull({ commits: [{ files: ["a.ts"] }] });
  const path = `/pulls/${number}/comments`;
  const comment = (text: string) =>
    get<Made>(`POST ${path}`, { body: { path: "a.ts", line: 1, body: text } });
  const [one, two] = [comment("One"), comment("Two")];
  const reply = get<Made>(`POST ${path}/${one.id}/replies`, { body: { body: "Yes" } });
  expect(reply).toMatchObject({ in_reply_to_id: one.id, path: "a.ts" });
  get(`PATCH /pulls/comments/${two.id}`, { body: { body: "Three" } });
  get(`DELETE /pulls/comments/${one.id}`);
  expect(get("GET /pulls/comments")).toMatchObject([{ body: "Three" }, { body: "Yes" }]);
  const elsewhere = { body: { path: "none.ts", body: "x" } };
  expect(refusal(`POST ${path}`, elsewhere)).toMatch(/^422/);
});

test("reviews are requested from collaborators and teams, together or not at all", () => {
  const { github, repository, get, refusal } = gitHub();
  const { number } = repository.openPull();
  github.site.addTeam("acme", "docs");
  const path = `/pulls/${number}/requested_reviewers`;
  const ask = (reviewers: string[], team_reviewers: string[] = []) => ({
    body: { reviewers, team_reviewers },
  });
  const message = /^422 Reviews may only be requested from collaborators/;
  expect(refusal(`POST ${path}`, ask(["maintainer", "outsider"]))).toMatch(message);
  expect(refusal(`POST ${path}`, ask([], ["nobodies"]))).toMatch(message);
  expect(refusal(`POST ${path}`, ask(["writer"]))).toMatch(/^422 Review cannot be requested/);
  get(`POST ${path}`, ask(["maintainer"], ["docs"]));
  const asked = { users: [{ login: "maintainer" }], teams: [{ slug: "docs" }] };
  expect(get(`GET ${path}`)).toMatchObject(asked);
  get(`POST /pulls/${number}/reviews`, { body: { event: "COMMENT" }, as: "maintainer" });
  expect(get(`GET ${path}`)).toMatchObject({ users: [], teams: [{ slug: "docs" }] });
  expect(get(`GET /pulls/${number}`)).toMatchObject({ requested_teams: [{ slug: "docs" }] });
});

test("check runs belong to apps and commits; the newest of a name counts", () => {
  const { repository, get, refusal } = gitHub();
  const sha = repository.push();
  const start = (name: string) =>
    get<Made>("POST /check-runs", {
      body: { name, head_sha: sha, status: "in_progress" },
      as: BOT,
    });
  const message = "403 You must authenticate via a GitHub App.";
  const mine = { body: { name: "mine", head_sha: sha } };
  expect(refusal("POST /check-runs", mine)).toBe(message);
  const { id } = start("lint");
  const annotations = [
    { path: "a.md", start_line: 1, end_line: 2, annotation_level: "failure", message: "Long" },
  ];
  const output = { title: "1 problem", summary: "It is too long.", annotations };
  get(`PATCH /check-runs/${id}`, { body: { conclusion: "failure", output }, as: BOT });
  expect(get(`GET /check-runs/${id}`)).toMatchObject({
    ...{ status: "completed", conclusion: "failure", app: { slug: "github-actions" } },
    output: { title: "1 problem", annotations_count: 1 },
  });
  expect(get(`GET /check-runs/${id}/annotations`)).toMatchObject([{ message: "Long" }]);
  start("lint");
  start("links");
  const listed = (query: string) =>
    get<{ check_runs: { name: string; status: string }[] }>(
      `GET /commits/main/check-runs?${query}`,
    ).check_runs.map(({ name, status }) => `${name} ${status}`);
  expect(listed("")).toEqual(["links in_progress", "lint in_progress"]);
  expect(listed("filter=all&check_name=lint")).toEqual(["lint in_progress", "lint completed"]);
  expect(listed("status=completed")).toEqual([]);
});

test("releases make their tags; drafts are shown to those who may push, and the newest commit is latest", () => {
  const { repository, get, refusal, pass } = gitHub();
  const old = repository.push();
  pass(60_000);
  repository.push();
  const publish = (tag_name: string, more = {}) =>
    get<Made>("POST /releases", { body: { tag_name, ...more } });
  const draft = publish("v3", { draft: true });
  publish("v2");
  publish("v1", { target_commitish: old });
  publish("v3-rc", { prerelease: true });
  expect(repository.resolve("tags/v1")?.sha).toBe(old);
  expect(repository.resolve("tags/v3")).toBeUndefined();
  expect(get("GET /releases/latest")).toMatchObject({ tag_name: "v2" });
  expect(get("GET /releases/tags/v1")).toMatchObject({ created_at: "2026-03-01T12:00:00Z" });
  expect(get("GET /releases")).toHaveLength(4);
  expect(get("GET /releases", { as: "reader" })).toHaveLength(3);
  expect(refusal(`GET /releases/${draft.id}`, { as: "reader" })).toMatch(/^404/);
  expect(refusal("GET /releases/tags/v3")).toMatch(/^404/);
  get(`PATCH /releases/${draft.id}`, { body: { draft: false } });
  expect(get("GET /releases/tags/v3")).toMatchObject({ published_at: "2026-03-01T12:01:00Z" });
  expect(refusal("POST /releases", { body: { tag_name: "v1" } })).toMatch(/^422/);
});
