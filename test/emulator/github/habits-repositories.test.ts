import { describe, expect, test } from "vitest";
import { enterpriseIdentity } from "../../../emulator/github/identities.ts";
import { tokenOf } from "../../../emulator/github/people.ts";
import { gitHub } from "./ask.ts";

interface PullRecord {
  number: number;
  base: { repo: { id: number } };
}

describe("a fork", () => {
  test("lists the upstream's pull requests for a commit, with the upstream's ID", () => {
    const { github, repository, get } = gitHub();
    const { mergeSha, number } = repository.land();
    const fork = github.fork(repository, "someone/docs");
    const path = (name: string, sha: string) => `GET /repos/${name}/commits/${sha}/pulls`;
    const listed = get<PullRecord[]>(path("someone/docs", mergeSha));
    expect(listed.map((pull) => [pull.number, pull.base.repo.id])).toEqual([
      [number, repository.id],
    ]);
    expect(get("GET /repos/someone/docs")).toMatchObject({ fork: true, id: fork.id });
    // Of a commit that only the fork has, the upstream knows no pull request, but its content.
    const own = fork.push({ files: { "own.md": "own\n" } });
    expect(get(path("acme/docs", own))).toEqual([]);
    expect(get(`GET /compare/main...${own}`)).toMatchObject({ ahead_by: 1 });
    expect(get(`GET /contents/own.md?ref=${own}`)).toMatchObject({ name: "own.md" });
  });

  test("has the branches and tags, and no other refs", () => {
    const { github, repository } = gitHub();
    repository.setRef("refs/tags/v1", repository.tip());
    repository.setRef("refs/docs-agent/upkeep", repository.tip());
    const fork = github.fork(repository, "someone/docs");
    expect([...fork.refs.keys()]).toEqual(["refs/heads/main", "refs/tags/v1"]);
  });
});

test("a repository's old name can be taken by somebody else, which ends its redirects", () => {
  const { github, repository, ask, get } = gitHub();
  repository.openIssue({ title: "Ours" });
  repository.rename("acme/handbook");
  expect(ask("GET /issues/1").status).toBe(301);
  github.create("acme/docs").openIssue({ title: "Theirs" });
  expect(get("GET /issues/1")).toMatchObject({ title: "Theirs" });
});

test("a commit that is not on the default branch has its merged and its open pull requests", () => {
  const { repository, get } = gitHub();
  repository.forcePush(repository.tip(), "stable");
  const first = repository.land({ base: "stable" });
  const sha = first.commits[0] ?? "";
  repository.forcePush(sha, "work/again");
  const open = repository.openPullOf({ title: "Again", branch: "work/again", base: "main" });
  const numbers = () => get<PullRecord[]>(`GET /commits/${sha}/pulls`).map(({ number }) => number);
  expect(numbers()).toEqual([first.number, open.number]);
  repository.merge(open);
  repository.forcePush(sha, "work/third");
  repository.openPullOf({ title: "Third", branch: "work/third", base: "stable" });
  expect(numbers()).toEqual([first.number, open.number]);
});

test("a list that is sorted by update moves while it is paged", () => {
  const { repository, get, pass } = gitHub();
  for (let nth = 0; nth < 3; nth += 1) {
    repository.openPull();
    pass(1_000);
  }
  const page = (number: number) =>
    get<PullRecord[]>(`GET /pulls?sort=updated&direction=desc&per_page=1&page=${number}`)[0]
      ?.number;
  expect(page(1)).toBe(3);
  get("PATCH /pulls/2", { body: { title: "Touched" } });
  // Number 2 was on the second page, and is never seen.
  expect([page(2), page(3)]).toEqual([3, 1]);
});

describe("a token", () => {
  test("of an app ends after an hour: 401", () => {
    const { github, ask, pass } = gitHub();
    const token = tokenOf("docs-agent[bot]");
    github.site.tokenEnds.set(token, github.site.now + 3_600_000);
    const as = "docs-agent[bot]";
    expect(ask("GET /issues", { as }).status).toBe(200);
    pass(3_600_000);
    expect(ask("GET /issues", { as })).toMatchObject({
      status: 401,
      body: { message: "Bad credentials" },
    });
  });

  test("has a limited number of requests in an hour", () => {
    const { github, ask, pass } = gitHub();
    github.site.switches.hourlyLimit = 2;
    const statuses = () => [1, 2, 3].map(() => ask("GET /issues").status);
    expect(statuses()).toEqual([200, 200, 403]);
    const { headers, body } = ask("GET /issues");
    expect(headers).toMatchObject({ "x-ratelimit-remaining": "0" });
    expect(body).toMatchObject({ message: expect.stringMatching(/^API rate limit exceeded/) });
    pass(3_600_000);
    expect(statuses()).toEqual([200, 200, 403]);
  });

  test("of GitHub says what remains of the hour, and until when the old version is answered", () => {
    const { headers } = gitHub().ask("GET /issues");
    expect(Number(headers["x-ratelimit-remaining"])).toBeGreaterThan(0);
    expect([headers.deprecation, headers.sunset]).toEqual([
      "Tue, 10 Mar 2026 00:00:00 GMT",
      "Fri, 10 Mar 2028 00:00:00 GMT",
    ]);
    const version = { headers: { "x-github-api-version": "2026-03-10" } };
    expect(gitHub().ask("GET /issues", version).headers).not.toHaveProperty("sunset");
  });

  test("without the members of an organization cannot ask a team for a review", () => {
    const { github, repository, get, refusal } = gitHub();
    github.site.addTeam("acme", "docs");
    repository.openPull();
    const body = { team_reviewers: ["docs"] };
    const path = "POST /pulls/1/requested_reviewers";
    for (const as of ["github-actions[bot]", "docs-agent[bot]"]) {
      expect(refusal(path, { body, as })).toMatch(/^422 Could not resolve to a node/);
    }
    github.restrict("docs-agent[bot]", { members: "read" });
    get(path, { body, as: "docs-agent[bot]" });
    get(path, { body, as: "maintainer" });
  });
});

test("on GitHub Enterprise Server, web commits and addresses are of the server", () => {
  const { github, repository, get } = gitHub();
  github.site.identity = enterpriseIdentity("ghe.example.com");
  const { mergeSha } = repository.land({ author: "writer" }, "squash");
  expect(get(`GET /commits/${mergeSha}`)).toMatchObject({
    commit: {
      author: { email: "writer@users.noreply.ghe.example.com" },
      committer: { name: "GitHub Enterprise", email: "noreply@ghe.example.com" },
    },
    author: { login: "writer" },
    committer: { login: "web-flow" },
  });
});

describe("people", () => {
  test("who keep their membership private are CONTRIBUTOR or NONE", () => {
    const { repository, get } = gitHub();
    repository.switches.privateMembers.add("octocat");
    const issue = repository.openIssue({ title: "x", author: "octocat" });
    repository.comment(issue, "x", "octocat");
    const associations = () =>
      ["/issues/1", "/issues/1/comments"].map(
        (path) =>
          [get<{ author_association: string }>(`GET ${path}`)].flat()[0]?.author_association,
      );
    expect(associations()).toEqual(["NONE", "NONE"]);
    repository.land({ author: "octocat" });
    expect(associations()).toEqual(["CONTRIBUTOR", "CONTRIBUTOR"]);
  });

  test("can take a login that was given up, which has no permission until then", () => {
    const { github, repository, get, refusal } = gitHub();
    const path = "GET /collaborators/outsider/permission";
    const { id } = get<{ user: { id: number } }>(path).user;
    github.site.giveUp("outsider");
    expect(refusal(path)).toBe("404 outsider is not a user");
    github.site.account("outsider");
    expect(get<{ user: { id: number } }>(path).user.id).not.toBe(id);
    expect(repository.roleOf("outsider")).toBe("read");
  });

  test("whose account was deleted have no name, in REST and in GraphQL", () => {
    const { github, repository, get } = gitHub();
    const pull = repository.openPull({ author: "outsider" });
    repository.comment(pull, "x", "outsider");
    github.site.switches.ghosts.add("outsider");
    expect(get("GET /pulls")).toMatchObject([{ user: null }]);
    expect(get("GET /issues/1/comments")).toMatchObject([{ user: null }]);
    const query = `{ repository(owner: "acme", name: "docs") {
      pullRequest(number: 1) { author { login } } } }`;
    expect(get("POST /graphql", { body: { query } })).toMatchObject({
      data: { repository: { pullRequest: { author: null } } },
    });
  });

  test("whose account is hidden vanish from lists, and what they opened is 404", () => {
    const { github, repository, ask, get, refusal } = gitHub();
    repository.openPull({ author: "outsider" });
    const issue = repository.openIssue({ title: "x" });
    for (const author of ["writer", "outsider", "writer"]) repository.comment(issue, "x", author);
    github.site.switches.hidden.add("outsider");
    expect(get("GET /pulls?state=all")).toEqual([]);
    expect(refusal("GET /pulls/1")).toMatch(/^404/);
    const page = ask<unknown[]>("GET /issues/2/comments?per_page=2");
    expect(page.body).toHaveLength(1);
    expect(page.headers.link).toContain('rel="next"');
  });

  test("can be bots whose login does not say so", () => {
    const { github, repository, get, refusal } = gitHub();
    github.site.account("Copilot");
    repository.openPull({ author: "Copilot" });
    expect(get("GET /pulls/1")).toMatchObject({ user: { login: "Copilot", type: "Bot" } });
    expect(refusal("GET /collaborators/Copilot/permission")).toBe("404 Copilot is not a user");
  });
});

describe("a private repository on the plan Free", () => {
  test("takes one reviewer, one assignee and no team, and drops the rest", () => {
    const { github, repository, get } = gitHub();
    repository.switches.isOnFreePlan = true;
    github.site.addTeam("acme", "docs");
    repository.openPull();
    const asked = { reviewers: ["maintainer", "triager"], team_reviewers: ["docs"] };
    get("POST /pulls/1/requested_reviewers", { body: asked });
    const body = { assignees: ["maintainer", "triager"] };
    get("POST /issues/1/assignees", { body });
    expect(repository.pulls).toMatchObject([
      { reviewers: ["maintainer"], teams: [], assignees: ["maintainer"] },
    ]);
  });
});

describe("reviewers", () => {
  test("are asked all or none: not the author, nobody who is no collaborator, and at most 15", () => {
    const { repository, get, refusal } = gitHub();
    repository.openPull({ author: "writer" });
    const ask = (...reviewers: string[]) =>
      refusal("POST /pulls/1/requested_reviewers", { body: { reviewers } });
    expect(ask("maintainer", "writer")).toMatch(/^422 Review cannot be requested from/);
    expect(ask("maintainer", "outsider")).toMatch(/^422 Reviews may only be requested from/);
    const many = Array.from({ length: 16 }, (_, nth) => `person-${nth}`);
    for (const login of many) repository.roles.set(login, "read");
    expect(ask(...many)).toMatch(/^422 A maximum of 15/);
    expect(get("GET /pulls/1")).toMatchObject({ requested_reviewers: [] });
  });
});
