import { describe, expect, test } from "vitest";
import { NEW_VERSION, OLD_VERSION } from "../../../emulator/github/versions.ts";
import { gitHub } from "./ask.ts";

const at = (day: number) => new Date(Date.UTC(2026, 3, day));

describe("/commits?since=", () => {
  const since = at(10).toISOString();
  const shas = ({ get }: ReturnType<typeof gitHub>) =>
    get<{ sha: string }[]>(`GET /commits?since=${since}`).map(({ sha }) => sha);

  test("finds nothing behind an older commit, however new, as `git log --since` does", () => {
    const world = gitHub();
    const { github, repository } = world;
    const [lost = "", old = "", head = ""] = [20, 1, 21].map((day) =>
      repository.push({ at: at(day) }),
    );
    expect(shas(world)).toEqual([head, lost]);
    github.site.switches.isSinceLikeGit = true;
    expect(shas(world)).toEqual([head]);
    repository.forcePush(old);
    expect(shas(world)).toEqual([]);
  });
});

describe("a huge commit", () => {
  test("makes each comparison with it fail, but not the pages after the first, nor the list of commits", () => {
    const { repository, ask, get, refusal } = gitHub();
    const start = repository.tip();
    const huge = repository.push();
    const head = repository.push();
    repository.switches.huge.add(huge);
    for (let time = 0; time < 2; time += 1) {
      expect(refusal(`GET /compare/${start}...${head}`)).toMatch(/^500 .*taking too long/);
    }
    expect(ask(`GET /compare/${start}...${head}?page=2&per_page=1`).status).toBe(200);
    expect(ask(`GET /compare/${huge}...${head}`).status).toBe(200);
    expect(get(`GET /commits?sha=${head}`)).toHaveLength(3);
  });

  test("cannot be read with its files, nor can the files of a pull request with it", () => {
    const { repository, ask, get, refusal } = gitHub();
    const { number, head } = repository.openPull();
    repository.switches.huge.add(head);
    expect(refusal(`GET /commits/${head}`)).toMatch(/^500 .*taking too long/);
    expect(refusal(`GET /pulls/${number}/files`)).toMatch(/^422 .*taking too long/);
    expect(ask(`GET /git/commits/${head}`).status).toBe(200);
    expect(get(`GET /pulls/${number}`)).toMatchObject({ head: { sha: head } });
  });
});

test("of a tag and a branch with one name, a comparison takes the branch", () => {
  const { repository, get } = gitHub();
  const start = repository.tip();
  const branch = repository.forcePush(repository.commit(start), "v1");
  const tag = repository.push();
  repository.setRef("refs/tags/v1", tag);
  expect(get(`GET /compare/${start}...v1`)).toMatchObject({ commits: [{ sha: branch }] });
  expect(get("GET /commits/v1")).toMatchObject({ sha: branch });
});

test("commits with dates in the future are listed as they are", () => {
  const { repository, get } = gitHub();
  const sha = repository.push({ at: new Date("2031-01-01") });
  repository.push();
  const date = "2031-01-01T00:00:00Z";
  expect(get("GET /commits?since=2030-01-01T00:00:00Z")).toMatchObject([
    { sha, commit: { committer: { date } } },
  ]);
});

test("branches without a common ancestor cannot be compared: 404", () => {
  const { repository, refusal } = gitHub();
  const other = repository.forcePush(repository.commit(""), "other");
  expect(refusal(`GET /compare/main...${other}`)).toMatch(/^404 No common ancestor/);
});

describe("the API's version", () => {
  test("2026-03-10 has no merge_commit_sha and no assignee, and one that does not exist is refused", () => {
    const { github, repository, get, refusal } = gitHub();
    const { number } = repository.land();
    const fields = (version?: string) => {
      const headers = version === undefined ? {} : { "x-github-api-version": version };
      const pull = get<object>(`GET /pulls/${number}`, { headers });
      return ["merge_commit_sha", "assignee", "assignees"].filter((field) => field in pull);
    };
    expect(fields()).toEqual(["merge_commit_sha", "assignee", "assignees"]);
    expect(fields(NEW_VERSION)).toEqual(["assignees"]);
    github.site.switches.usualVersion = NEW_VERSION;
    expect(fields()).toEqual(["assignees"]);
    expect(fields(OLD_VERSION)).toEqual(["merge_commit_sha", "assignee", "assignees"]);
    const headers = { "x-github-api-version": "2020-01-01" };
    expect(refusal("GET /pulls", { headers })).toMatch(/^400 2020-01-01 is not a supported/);
  });
});

describe("pages", () => {
  test("of issues have no link to the last one, and with the switch no list has", () => {
    const { github, repository, ask } = gitHub();
    const { number } = repository.openIssue({ title: "x" });
    for (let nth = 0; nth < 3; nth += 1) repository.comment({ number }, "x", "writer");
    repository.openIssue({ title: "y" });
    const rels = (path: string) =>
      [...(ask(`GET ${path}`).headers.link ?? "").matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel);
    expect(rels("/issues?per_page=1")).toEqual(["next"]);
    const comments = `/issues/${number}/comments?per_page=1&page=2`;
    expect(rels(comments)).toEqual(["prev", "first", "next", "last"]);
    github.site.switches.hasNoLastPage = true;
    expect(rels(comments)).toEqual(["prev", "first", "next"]);
  });

  test("that are too deep in a repository's comments are refused: 422", () => {
    const { get, refusal } = gitHub();
    expect(get("GET /issues/comments?per_page=100&page=300")).toEqual([]);
    const deep = refusal("GET /issues/comments?per_page=100&page=301");
    expect(deep).toMatch(/^422 .*pagination is limited/);
  });
});
