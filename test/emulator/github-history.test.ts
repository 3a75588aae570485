import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { MergeMethod } from "../../emulator/github/merge.ts";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { RepositoryHistory } from "../../emulator/local-world/repository-history.ts";

interface Commit {
  sha: string;
  commit: {
    message: string;
    author: { name: string; date: string };
    committer: { name: string; date: string };
  };
  author: { login: string } | null;
  parents: { sha: string }[];
}

interface Comparison {
  status: string;
  total_commits: number;
  ahead_by: number;
  behind_by: number;
  merge_base_commit: Commit;
  commits: Commit[];
  files: { filename: string }[];
}

interface Pull {
  number: number;
  state: string;
  merged_at: string | null;
  merge_commit_sha: string;
  labels: { name: string }[];
  user: { login: string };
  head: { ref: string; sha: string };
}

let world: LocalWorld;
let history: RepositoryHistory;
let start: string;

const api = <Answer>(path: string) => world.github.api<Answer>(path);
const messages = (commits: Commit[]) => commits.map(({ commit }) => commit.message.split("\n")[0]);
const compare = (base: string, head = "main", page = "") =>
  api<Comparison>(`/compare/${base}...${head}${page}`);

async function firstParents(): Promise<string[]> {
  const { commits } = await compare(start);
  const chain: Commit[] = [];
  for (let sha = await history.tip(); sha !== start; sha = chain[0]?.parents[0]?.sha ?? start) {
    const commit = commits.find((one) => one.sha === sha);
    if (commit === undefined) throw new Error(`${sha} is not in the comparison`);
    chain.unshift(commit);
  }
  return messages(chain).map(String);
}

beforeAll(async () => {
  world = await startLocalWorld({ issues: [] });
  history = new RepositoryHistory(world.github);
});

beforeEach(async () => {
  start = await history.push({ message: "Start" });
});

afterAll(() => world.close());

const two = (name: string) => [
  { message: `${name} one`, files: { [`${name}/1.ts`]: "1\n" } },
  { message: `${name} two`, files: { [`${name}/2.ts`]: "1\n2\n" } },
];

describe("a merge", () => {
  test("by a merge commit has the branch and the pull request as parents", async () => {
    const number = await history.openPull({ title: "Add it", branch: "add", commits: two("m") });
    await history.push({ message: "Meanwhile" });
    const sha = await history.merge(number, "merge");
    expect(await history.tip()).toBe(sha);
    expect(await firstParents()).toEqual([
      "Meanwhile",
      `Merge pull request #${number} from acme/add`,
    ]);
    const { commits, total_commits } = await compare(start);
    expect([...messages(commits)].sort()).toEqual(
      ["Meanwhile", `Merge pull request #${number} from acme/add`, "m one", "m two"].sort(),
    );
    expect(total_commits).toBe(4);
    expect(commits.find((commit) => commit.sha === sha)).toMatchObject({
      commit: { author: { name: "maintainer" }, committer: { name: "GitHub" } },
      author: { login: "maintainer" },
    });
  });

  test("by squashing is one commit of the author's, named after the pull request", async () => {
    const number = await history.openPull({ title: "Squash it", commits: two("s") });
    await history.push({ message: "Meanwhile" });
    const sha = await history.merge(number, "squash");
    expect(await firstParents()).toEqual(["Meanwhile", `Squash it (#${number})`]);
    const commit = await api<Commit>(`/commits/${sha}`);
    expect(commit).toMatchObject({ author: { login: "writer" } });
    expect(commit.commit.message).toBe(`Squash it (#${number})\n\n* s one\n\n* s two`);
  });

  test("by rebasing is each commit anew, with its author and date, by whoever merged", async () => {
    const commits = two("r").map((one) => ({ ...one, at: new Date("2026-01-02T03:04:05Z") }));
    const number = await history.openPull({ commits });
    await history.push({ message: "Meanwhile" });
    const sha = await history.merge(number, "rebase");
    expect(await firstParents()).toEqual(["Meanwhile", "r one", "r two"]);
    const rebased = await compare(start);
    for (const { commit } of rebased.commits.slice(1)) {
      expect(commit.author).toMatchObject({
        name: "writer",
        date: expect.stringMatching(/^2026-01-02/),
      });
      expect(commit.committer.name).toBe("maintainer");
      expect(commit.committer.date).not.toMatch(/^2026-01-02/);
    }
    const own = await api<Commit[]>(`/pulls/${number}/commits`);
    expect(messages(own)).toEqual(["r one", "r two"]);
    expect(own.map((commit) => commit.sha)).not.toContain(sha);
  });

  test.each<MergeMethod>(["merge", "squash", "rebase"])(
    "by %s keeps what landed meanwhile",
    async (method) => {
      const [first, second] = [
        await history.openPull({ commits: two(`${method}-a`) }),
        await history.openPull({ commits: two(`${method}-b`) }),
      ];
      await history.merge(first, method);
      await history.merge(second, method);
      const { files } = await compare(start);
      expect(files.map(({ filename }) => filename)).toEqual(
        ["a/1", "a/2", "b/1", "b/2"].map((name) => `${method}-${name}.ts`),
      );
    },
  );

  test("is told in the list and by itself, with its commit and its time", async () => {
    const { number, sha } = await history.land({ labels: ["skip-docs"], author: "reader" });
    const merged = {
      number,
      state: "closed",
      merge_commit_sha: sha,
      merged_at: expect.stringMatching(/^\d{4}-/),
      labels: [{ name: "skip-docs" }],
      user: { login: "reader" },
    };
    const [newest] = await api<Pull[]>("/pulls?state=closed&sort=updated&direction=desc");
    expect(newest).toMatchObject(merged);
    expect(newest).not.toHaveProperty("merged");
    expect(await api(`/pulls/${number}`)).toMatchObject({ ...merged, merged: true, commits: 1 });
  });

  test("is refused when both sides changed a file, and for what is not open", async () => {
    const number = await history.openPull({ commits: [{ files: { "same.ts": "theirs\n" } }] });
    await history.push({ files: { "same.ts": "ours\n" } });
    await expect(history.merge(number)).rejects.toThrow("405");
    await history.close(number);
    await expect(history.merge(number)).rejects.toThrow("405");
    const pull = await api<Pull>(`/pulls/${number}`);
    // As on GitHub: the trial merge has a name too.
    expect(pull).toMatchObject({ state: "closed", merged_at: null });
    expect(pull.merge_commit_sha).toMatch(/^[0-9a-f]{40}$/);
  });

  test("is refused for whoever may not push", async () => {
    const number = await history.openPull();
    await expect(history.merge(number, "squash", "reader")).rejects.toThrow("403");
  });

  test("leaves commits and files of the pull request when its branch is gone", async () => {
    const number = await history.openPull({ branch: "short-lived", commits: two("gone") });
    await history.merge(number, "squash");
    await world.github.api("/git/refs/heads/short-lived", { method: "DELETE" });
    expect(await api<Commit[]>(`/pulls/${number}/commits`)).toHaveLength(2);
    expect(await api(`/pulls/${number}/files`)).toMatchObject([
      { filename: "gone/1.ts", status: "added", additions: 1, deletions: 0 },
      { filename: "gone/2.ts", status: "added", additions: 2, deletions: 0 },
    ]);
  });
});

describe("pull requests", () => {
  test("are listed in pages, the last changed first, by base and state", async () => {
    const first = await history.openPull();
    const second = await history.openPull();
    await history.close(first);
    await history.close(second);
    await history.label(first, "later");
    const list = (query: string) => api<Pull[]>(`/pulls?${query}`);
    const closed = "state=closed&base=main&sort=updated&direction=desc&per_page=1";
    expect(await list(`${closed}&page=1`)).toMatchObject([{ number: first }]);
    expect(await list(`${closed}&page=2`)).toMatchObject([{ number: second }]);
    expect(await list("state=closed&base=other")).toEqual([]);
  });

  test("have commits and files in pages", async () => {
    const number = await history.openPull({ commits: two("pages") });
    const page = (part: string, page: number) =>
      api<unknown[]>(`/pulls/${number}/${part}?per_page=1&page=${page}`);
    expect(await page("files", 2)).toMatchObject([{ filename: "pages/2.ts" }]);
    expect(await page("files", 3)).toEqual([]);
    expect(await page("commits", 2)).toMatchObject([{ commit: { message: "pages two" } }]);
  });

  test("follow their branch, and go on from where it left the base", async () => {
    const number = await history.openPull({ branch: "growing", commits: two("grow") });
    const sha = await history.push({ message: "grow three" }, "growing");
    await history.push({ message: "Meanwhile" });
    expect(await api<Pull>(`/pulls/${number}`)).toMatchObject({ head: { sha }, commits: 3 });
  });

  test("are found by their commits: those on the branch, and their own", async () => {
    const { number, sha } = await history.land({ commits: two("find") }, "rebase");
    const of = (commit: string) => api<Pull[]>(`/commits/${commit}/pulls`);
    expect(await of(sha)).toMatchObject([{ number, merge_commit_sha: sha }]);
    const [rebased] = (await compare(start)).commits;
    expect(await of(rebased?.sha ?? "")).toMatchObject([{ number }]);
    const [own] = await api<Commit[]>(`/pulls/${number}/commits`);
    expect(await of(own?.sha ?? "")).toMatchObject([{ number }]);
    expect(await of(start)).toEqual([]);
    await expect(of("0".repeat(40))).rejects.toThrow("422");
  });

  test("that are open are found by their commits too", async () => {
    const number = await history.openPull({ branch: "open-one" });
    const sha = await history.tip("open-one");
    expect(await api(`/commits/${sha}/pulls`)).toMatchObject([{ number, state: "open" }]);
  });

  test("can be read as the issues that they also are", async () => {
    const number = await history.openPull({ title: "As an issue" });
    expect(await api(`/issues/${number}`)).toMatchObject({
      title: "As an issue",
      pull_request: { merged_at: null },
    });
  });
});

describe("a comparison", () => {
  test("comes in pages, oldest first, each with the whole number", async () => {
    await history.push([1, 2, 3, 4, 5].map((n) => ({ message: `Push ${n}` })));
    const pages = [1, 2, 3, 4].map((n) => compare(start, "main", `?per_page=2&page=${n}`));
    const told = await Promise.all(pages);
    expect(told.map(({ commits }) => messages(commits))).toEqual([
      ["Push 1", "Push 2"],
      ["Push 3", "Push 4"],
      ["Push 5"],
      [],
    ]);
    expect(told.map(({ total_commits }) => total_commits)).toEqual([5, 5, 5, 5]);
    expect(told.map(({ files }) => files.length)).toEqual([5, 0, 0, 0]);
    const { headers } = await fetch(
      `${world.github.url}/repos/acme/docs/compare/${start}...main?per_page=2&page=2`,
    );
    expect(headers.get("link")).toContain(
      `<${world.github.url}/repos/acme/docs/compare/${start}...main?per_page=2&page=3>; rel="next"`,
    );
  });

  test("is identical, ahead, behind or diverged", async () => {
    const later = await history.push({ message: "Later" });
    expect(await compare(later, later)).toMatchObject({ status: "identical", total_commits: 0 });
    expect(await compare(start, later)).toMatchObject({ status: "ahead", ahead_by: 1 });
    expect(await compare(later, start)).toMatchObject({ status: "behind", behind_by: 1 });
    const other = await history.forcePush(start, [{ message: "Other" }]);
    expect(await compare(later, other)).toMatchObject({
      status: "diverged",
      ahead_by: 1,
      behind_by: 1,
      merge_base_commit: { sha: start },
      commits: [{ sha: other }],
    });
  });

  test("knows old commits after a force-push, until they are forgotten", async () => {
    const old = await history.push({ message: "Old" });
    await history.forcePush(start);
    expect(await compare(old)).toMatchObject({ status: "behind" });
    await history.forget(old);
    await expect(compare(old)).rejects.toThrow("404");
    await expect(api(`/commits/${old}`)).rejects.toThrow("422");
    await expect(api(`/commits?sha=${old}`)).rejects.toThrow("404");
  });

  test.each([
    ["/compare/0000000000000000000000000000000000000000...main", "404"],
    ["/compare/main...nothing", "404"],
    ["/branches/nothing", "404"],
    ["/commits/nothing", "422"],
  ])("of what is not there is refused: %s", async (path, status) => {
    await expect(api(path)).rejects.toThrow(status);
  });
});

describe("commits", () => {
  test("are listed newest first, from a commit and a time on", async () => {
    const at = (hour: number) => new Date(Date.UTC(2030, 0, 1, hour));
    const sha = await history.push([1, 2, 3].map((n) => ({ message: `At ${n}`, at: at(n) })));
    await history.push({ message: "Not from there", at: at(4) });
    const since = `since=${at(2).toISOString()}`;
    const list = await api<Commit[]>(`/commits?sha=${sha}&${since}&per_page=100`);
    expect(messages(list)).toEqual(["At 3", "At 2"]);
    await history.forcePush(start);
  });

  test("are found by tag, branch and the beginning of their SHA", async () => {
    const body = { ref: "refs/tags/v1.0", sha: start };
    await world.github.api("/git/refs", { method: "POST", body });
    for (const ref of ["v1.0", "main", start.slice(0, 10)]) {
      expect(await api(`/commits/${ref}`)).toMatchObject({ sha: start });
    }
  });
});

describe("GitHub's clock", () => {
  test("can be put forward: what is written after has later times", async () => {
    const comment = async () => {
      const call = { method: "POST", body: { body: "." } };
      const path = `/issues/${number}/comments`;
      return (await world.github.api<{ created_at: string }>(path, call)).created_at;
    };
    const number = await history.openPull();
    const before = await comment();
    await history.advance(3_600_000);
    const after = await comment();
    const between = Date.parse(after) - Date.parse(before);
    expect(between).toBeGreaterThanOrEqual(3_600_000);
    expect(between).toBeLessThan(3_660_000);
    const read = await api<{ created_at: string }[]>(`/issues/${number}/comments`);
    expect(read.map(({ created_at }) => created_at)).toEqual([before, after]);
    const since = new Date(Date.parse(before) + 1000).toISOString();
    expect(await api(`/issues/${number}/comments?since=${since}`)).toHaveLength(1);
  });

  test("is told with every answer, and by a merge", async () => {
    const ahead = async (path: string) => {
      const { headers } = await fetch(`${world.github.url}/repos/acme/docs${path}`);
      return Math.round((Date.parse(headers.get("date") ?? "") - Date.now()) / 3_600_000);
    };
    await history.advance(3_600_000);
    expect(await ahead("/branches/main")).toBe(2);
    expect(await ahead("/pulls")).toBe(2);
    expect(await ahead("/compare/main...main")).toBe(2);
    const { number } = await history.land();
    const { merged_at } = await api<Pull>(`/pulls/${number}`);
    const late = Date.parse(merged_at ?? "") - Date.now();
    expect(late).toBeGreaterThan(7_100_000);
    const [newest] = await api<Commit[]>("/commits?per_page=1");
    const { date } = newest?.commit.committer ?? { date: "" };
    expect(Math.abs(Date.parse(date) - Date.parse(merged_at ?? ""))).toBeLessThan(60_000);
  });
});

describe("a restricted token", () => {
  const as = (method: string, path: string, body?: unknown) =>
    world.github.api(path, { method, token: world.github.token, body });

  test("is refused as GitHub refuses it, and only what it lacks", async () => {
    await history.restrict({ contents: "read", issues: "none", pull_requests: "read" });
    for (const [method, path] of [
      ["GET", "/issues"],
      ["POST", "/issues"],
      ["POST", "/git/refs"],
    ] as const) {
      const refused = as(method, path, method === "GET" ? undefined : { title: "x" });
      await expect(refused).rejects.toThrow(/403.*Resource not accessible by integration/);
    }
    await as("GET", "/pulls");
    await as("GET", "/branches/main");
    await history.restrict({ issues: "read" });
    await as("GET", "/issues");
    await expect(as("POST", "/issues", { title: "x" })).rejects.toThrow("403");
    await history.restrict({});
    await as("POST", "/issues", { title: "x" });
  });
});

test.each(["issues", "pull_requests"])(
  "a reaction needs the scope of what it belongs to: %s",
  async (scope) => {
    const none = { issues: "none", pull_requests: "none" } as const;
    const call = { method: "POST", token: world.github.token, body: { content: "eyes" } };
    await history.restrict({ ...none, [scope]: "write" });
    await world.github.api("/issues/1/reactions", call);
    await history.restrict(none);
    await expect(world.github.api("/issues/1/reactions", call)).rejects.toThrow("403");
    await history.restrict({});
  },
);

describe("issues", () => {
  test("are found by label, creator and state, made with labels, edited and closed", async () => {
    const { token, api } = world.github;
    const body = { title: "Docs upkeep", body: "One", labels: ["docs-upkeep"] };
    const { number } = await api<{ number: number }>("/issues", { method: "POST", token, body });
    const creator = encodeURIComponent("github-actions[bot]");
    const found = (query: string) => api(`/issues?labels=docs-upkeep&${query}`);
    expect(await found(`state=all&creator=${creator}`)).toMatchObject([{ number, body: "One" }]);
    expect(await found("state=closed")).toEqual([]);
    expect(await found("creator=writer")).toEqual([]);
    const change = { body: "Two", state: "closed" };
    await api(`/issues/${number}`, { method: "PATCH", token, body: change });
    expect(await found("state=closed")).toMatchObject([{ number, body: "Two" }]);
    expect(await found("state=open")).toEqual([]);
  });

  test("can be switched off: pull requests keep their comments", async () => {
    const { api } = world.github;
    const { number } = await api<{ number: number }>("/issues", {
      method: "POST",
      body: { title: "Before" },
    });
    const pull = await history.openPull();
    await history.setIssues(false);
    const post = (path: string) => api(path, { method: "POST", body: { title: "x", body: "x" } });
    expect(await api("")).toMatchObject({ has_issues: false });
    expect(await api("/issues")).toEqual([]);
    await expect(api(`/issues/${number}`)).rejects.toThrow(/410.*Issues are disabled/);
    await expect(post("/issues")).rejects.toThrow(/410.*Issues are disabled/);
    await expect(post(`/issues/${number}/comments`)).rejects.toThrow("410");
    await post(`/issues/${pull}/comments`);
    await history.setIssues(true);
    await post(`/issues/${number}/comments`);
  });
});
