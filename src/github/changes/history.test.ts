import { describe, expect, test, vi } from "vitest";
import { connectClient } from "../../../test/support/github-client.ts";
import { explainRefusal } from "../api/refusal.ts";
import { History } from "./history.ts";

/** A client that answers every request alike, or with what a function says. */
function historyOf(answer: unknown | ((route: string, parameters: object) => unknown)) {
  const request = vi.fn(async (route: string, parameters = {}) => ({
    headers: { date: "Fri, 01 May 2026 10:00:00 GMT" },
    data: typeof answer === "function" ? answer(route, parameters) : answer,
  }));
  const graphql = () => Promise.reject(new Error("no GraphQL query was expected"));
  const history = new History({ request, graphql }, "acme/code");
  return Object.assign(history, { requests: () => request.mock.calls.length });
}

const commit = (sha: string) => ({
  sha,
  parents: [],
  html_url: "https://github.com/acme/code/commit/1",
  author: null,
  commit: {
    author: { name: "Writer", email: "w@example.com", date: "2026-05-01T10:00:00Z" },
    committer: { name: "GitHub", email: "noreply@github.com", date: "2026-05-01T11:00:00Z" },
    message: "Change",
    tree: { sha: "t" },
  },
});

const PULL = {
  number: 7,
  title: "Change",
  html_url: "https://github.com/acme/code/pull/7",
  state: "closed",
  labels: [],
  merged_at: null,
  updated_at: "2026-05-01T11:00:00Z",
  head: { ref: "topic", sha: "h", repo: null },
  base: { ref: "main", repo: { id: 1 } },
};

describe("what GitHub answers", () => {
  test.each([
    [{ visibility: "public" }, 0],
    [{ visibility: "internal" }, 1],
    [{ private: true }, 2],
    [{ private: false }, 0],
  ])("of a repository says who may read it: %j", async (fields, privacy) => {
    const history = historyOf({ id: 7, full_name: "acme/code", default_branch: "main", ...fields });
    const facts = { id: 7, fullName: "acme/code", defaultBranch: "main", privacy };
    expect(await history.facts()).toEqual(facts);
  });

  test("of releases: the newest that is published", async () => {
    const release = (tag_name: string, published_at: string, more = {}) => ({
      tag_name,
      published_at,
      draft: false,
      prerelease: false,
      ...more,
    });
    const releases = [
      release("v3", "2026-05-03T00:00:00Z", { draft: true }),
      release("v1.1", "2026-05-02T00:00:00Z"),
      release("v2-rc", "2026-05-04T00:00:00Z", { prerelease: true }),
      release("v2", "2026-05-01T00:00:00Z"),
    ];
    expect(await historyOf(releases).releases()).toEqual(["v1.1", "v2"]);
    expect(await historyOf([]).releases()).toEqual([]);
  });

  test("of a commit without an account leaves its name", async () => {
    expect(await historyOf(commit("abc")).commit("abc")).toMatchObject({
      sha: "abc",
      author: { login: "", name: "Writer", isBot: false },
      committer: "GitHub <noreply@github.com>",
      committedAt: "2026-05-01T11:00:00Z",
    });
  });

  test("of a pull request whose author is gone is a ghost's", async () => {
    const pull = { ...PULL, user: null, merged_at: "2026-05-01T11:00:00Z" };
    expect((await historyOf([pull]).mergedPulls(0)).pulls).toMatchObject([
      { number: 7, author: { login: "ghost" }, isFork: true },
    ]);
  });

  test.each<
    [what: string, ask: (history: History) => Promise<unknown>, answer: unknown, place: string]
  >([
    ["a branch", (it) => it.tip("main"), {}, "commit"],
    ["a repository", (it) => it.facts(), null, ""],
    ["a commit", (it) => it.commit("abc"), "<html>", ""],
    ["a list", (it) => it.compare("a", "b"), { status: "ahead", total_commits: 1 }, "commits"],
    [
      "a commit",
      (it) => it.compare("a", "b"),
      { status: "ahead", commits: [{}], total_commits: 1 },
      "commits.0.sha",
    ],
    ["a list", (it) => it.mergedPulls(0), {}, ""],
    ["a list", (it) => it.commitsSince("a", ""), "<html>", ""],
    ["a list", (it) => it.pullOf("a"), "<html>", ""],
    ["a list", (it) => it.releases(), "<html>", ""],
    ["a list", (it) => it.pullFiles(1), "<html>", ""],
    ["a commit", (it) => it.commitFiles("a"), "<html>", ""],
    ["a pull request", (it) => it.pull(1), "<html>", ""],
  ])("cannot be read where it is not %s", async (_, ask, answer, place) => {
    const error = await ask(historyOf(answer)).catch((thrown) => thrown);
    const where = place === "" ? "" : ` (at \`${place}\`)`;
    const unread = { reason: `GitHub's response could not be read${where}`, isPassing: true };
    expect(explainRefusal(error, ["contents: read"])).toMatchObject(unread);
  });
});

describe("pages", () => {
  const full = (from: number) => Array.from({ length: 100 }, (_, at) => commit(`${from + at}`));

  test.each([
    [200, true, 3],
    [201, false, 3],
    // Far more than are read.
    [5001, false, 1],
  ])("of a comparison of %i commits", async (total_commits, isComplete, requests) => {
    const history = historyOf((_: string, { page }: { page: number }) => ({
      status: "ahead",
      total_commits,
      commits: page < 3 ? full(page * 100) : [],
    }));
    expect(await history.compare("a", "b")).toMatchObject({ isComplete, isDiverged: false });
    expect(history.requests()).toBe(requests);
  });

  test("of pull requests are read until one was last changed before", async () => {
    const pull = (at: number) => ({ ...PULL, updated_at: new Date(at).toISOString() });
    const history = historyOf((_: string, { page }: { page: number }) =>
      Array.from({ length: 100 }, (_, at) => pull(1_000_000 - page * 1000 - at)),
    );
    const { isComplete } = await history.mergedPulls(997_500);
    expect([history.requests(), isComplete]).toEqual([3, true]);
    expect((await history.mergedPulls(0)).isComplete).toBe(false);
  });

  test("of files end after three, and it is said that there are more", async () => {
    const file = { filename: "a", status: "added", additions: 1, deletions: 0 };
    const history = historyOf(Array.from({ length: 100 }, () => file));
    const { files, isComplete } = await history.pullFiles(1);
    expect([files.length, isComplete]).toEqual([300, false]);
  });
});

test.each([404, 422])("a commit that GitHub answers %i to is not there", async (status) => {
  const history = historyOf(() => {
    throw Object.assign(new Error("no"), { status, response: {} });
  });
  expect(await history.commit("abc")).toBeUndefined();
  expect(await history.compare("a", "b")).toBeUndefined();
  expect(await history.commitFiles("abc")).toBeUndefined();
  expect(await history.pullOf("abc")).toBeUndefined();
  expect(await history.tip("main")).toBeUndefined();
  await expect(history.facts()).rejects.toThrow("no");
});

test("what GitHub refuses otherwise is passed on", async () => {
  const history = historyOf(() => {
    throw Object.assign(new Error("Resource not accessible by integration"), { status: 403 });
  });
  await expect(history.compare("a", "b")).rejects.toThrow("not accessible");
});

test("a mistake of the action is not tried again", async () => {
  const mistake = new TypeError("x is not a function");
  const fail = vi.fn(async () => {
    throw mistake;
  });
  const github = await connectClient().connect();
  github.hook.before("request", fail);
  await expect(new History(github, "acme/code").commitsOfPulls([1, 2])).rejects.toBe(mistake);
  expect(fail).toHaveBeenCalledTimes(1);
});

test("a commit whose author and committer GitHub does not know can be read", async () => {
  const { commit: known, ...rest } = commit("a");
  const data = { ...rest, commit: { ...known, author: null, committer: null } };
  const unknown = { sha: "a", committer: " <>", authoredAt: "" };
  expect(await historyOf(data).commit("a")).toMatchObject(unknown);
});

test("the own commits of pull requests are asked for in fewer at once if GitHub fails", async () => {
  const asked: number[] = [];
  const graphql = async (query: string) => {
    const numbers = Array.from(query.matchAll(/number: (\d+)/g), ([, number]) => Number(number));
    asked.push(numbers.length);
    if (numbers.length > 5)
      throw Object.assign(new Error("timeout"), { status: 502, response: {} });
    const commits = { totalCount: 0, nodes: [] };
    return {
      repository: Object.fromEntries(numbers.map((number) => [`p${number}`, { number, commits }])),
    };
  };
  const request = () => Promise.reject(new Error("only a GraphQL query was expected"));
  const history = new History({ request, graphql }, "acme/code");
  const numbers = [1, 2, 3, 4, 5, 6, 7];
  expect([...(await history.commitsOfPulls(numbers)).keys()]).toEqual(numbers);
  expect(asked).toEqual([7, 5, 2]);
});
