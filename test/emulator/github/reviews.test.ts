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
  const told = () => get(`GET /pulls/${number}`);
  expect(told()).toMatchObject({ requested_reviewers: [{ login: "maintainer" }] });
  get(`POST /pulls/${number}/reviews`, { body: { event: "COMMENT" }, as: "maintainer" });
  expect(told()).toMatchObject({ requested_reviewers: [] });
});

test("check runs belong to apps and commits; the newest of a name counts", () => {
  const { repository, get, refusal } = gitHub();
  const sha = repository.push();
  const message = "403 You must authenticate via a GitHub App.";
  const mine = { body: { name: "mine", head_sha: sha } };
  expect(refusal("POST /check-runs", mine)).toBe(message);
  const annotations = [
    { path: "a.md", start_line: 1, end_line: 2, annotation_level: "failure", message: "Long" },
  ];
  const output = { title: "1 problem", summary: "It is too long.", annotations };
  const start = (name: string, more: object = { status: "in_progress" }) =>
    get<Made>("POST /check-runs", { body: { name, head_sha: sha, ...more }, as: BOT });
  const { id } = start("lint", { conclusion: "failure", output });
  expect(get(`GET /check-runs/${id}/annotations`)).toMatchObject([{ message: "Long" }]);
  const listed = () => get<{ check_runs: object[] }>("GET /commits/main/check-runs").check_runs;
  expect(listed()).toMatchObject([
    {
      ...{ status: "completed", conclusion: "failure", app: { slug: "github-actions" } },
      output: { title: "1 problem", annotations_count: 1 },
    },
  ]);
  start("lint");
  start("links");
  expect(listed()).toMatchObject([
    { name: "links", status: "in_progress" },
    { name: "lint", status: "in_progress" },
  ]);
});

test("releases make their tags; drafts are shown to those who may push", () => {
  const { repository, get, refusal } = gitHub();
  const old = repository.push();
  repository.push();
  const publish = (tag_name: string, more = {}) =>
    get<Made>("POST /releases", { body: { tag_name, ...more } });
  publish("v2", { draft: true });
  publish("v1", { target_commitish: old });
  expect(repository.resolve("tags/v1")?.sha).toBe(old);
  expect(repository.resolve("tags/v2")).toBeUndefined();
  expect(get("GET /releases")).toHaveLength(2);
  expect(get("GET /releases", { as: "reader" })).toMatchObject([{ tag_name: "v1" }]);
  expect(refusal("POST /releases", { body: { tag_name: "v1" } })).toMatch(/^422/);
});
