import { describe, expect, test, vi } from "vitest";
import { connectClient } from "../../../test/support/github-client.ts";
import { commit, PULL } from "../../../test/support/history-answers.ts";
import { refusedRequest } from "../../../test/support/octokit-errors.ts";
import { explainRefusal } from "../api/refusal.ts";
import { History } from "./history.ts";
import type { Pull } from "./history-records.ts";

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

const PLACE = { id: 1, branch: "main" };
const ONE_PAGE = { pages: 1, isEnough: () => true };

describe("what GitHub answers", () => {
  test.each([
    [{ visibility: "public", private: false }, "public"],
    [{ visibility: "internal", private: true }, "internal"],
    [{ visibility: "secret", private: false }, null],
    [{ private: true }, "private"],
    [{ private: false }, "public"],
    [{}, null],
  ])("of a repository says who may read it: %j", async (fields, visibility) => {
    const history = historyOf({ id: 7, full_name: "acme/code", default_branch: "main", ...fields });
    const facts = { id: 7, fullName: "acme/code", defaultBranch: "main", visibility };
    expect(await history.facts()).toMatchObject(facts);
  });

  test.each([
    [{}, { isArchived: false, isFork: false, hasIssues: true }],
    [
      { archived: true, fork: true, has_issues: false },
      { isArchived: true, isFork: true, hasIssues: false },
    ],
  ])("of a repository says whether it can be used: %j", async (fields, usable) => {
    const history = historyOf({ id: 7, full_name: "acme/code", default_branch: "main", ...fields });
    expect(await history.facts()).toMatchObject(usable);
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

  test("of a pull request has the count of its files", async () => {
    const pull = await historyOf({ ...PULL, changed_files: 7 }).pull(7);
    expect(pull).toMatchObject({ number: 7, fileCount: 7 });
  });

  test.each<
    [what: string, ask: (history: History) => Promise<unknown>, answer: unknown, place: string]
  >([
    ["a branch", (history) => history.tip("main"), {}, "commit"],
    ["a repository", (history) => history.facts(), null, ""],
    ["a commit", (history) => history.commit("abc"), "<html>", ""],
    [
      "a list",
      (history) => history.compare("a", "b"),
      { status: "ahead", total_commits: 1 },
      "commits",
    ],
    [
      "a commit",
      (history) => history.compare("a", "b"),
      { status: "ahead", commits: [{}], total_commits: 1 },
      "commits.0.sha",
    ],
    ["a list", (it) => it.mergedPulls(0), {}, ""],
    ["a list", (it) => it.commitsBack("a", ONE_PAGE), "<html>", ""],
    ["a list", (it) => it.mergedPullOf("a", PLACE), "<html>", ""],
    ["a list", (it) => it.pullFiles(1), "<html>", ""],
    ["a commit", (it) => it.commitFiles("a"), "<html>", ""],
    ["a pull request", (it) => it.pull(1), "<html>", ""],
    ["a pull request with the count of its files", (it) => it.pull(1), PULL, "changed_files"],
  ])("cannot be read where it is not %s", async (_, ask, answer, place) => {
    const error = await ask(historyOf(answer)).catch((thrown) => thrown);
    const where = place === "" ? "" : ` (at \`${place}\`)`;
    const unread = { reason: `GitHub's response could not be read${where}`, isPassing: true };
    expect(explainRefusal(error, ["contents: read"])).toMatchObject(unread);
  });
});

describe("the pull request of a commit", () => {
  const merged = { ...PULL, merged_at: "2026-05-01T11:00:00Z" };
  const upstream = { ref: "main", repo: { id: 2 } };
  const elsewhere = { ref: "release", repo: { id: 1 } };
  const of = async (...pulls: object[]) =>
    numberOf(await historyOf(pulls).mergedPullOf("abc", PLACE));
  const numberOf = (pull: Pull | "unknown" | undefined) =>
    typeof pull === "object" ? pull.number : pull;

  test("is merged into the branch, or has the commit as its own", async () => {
    expect(await of({ ...PULL, number: 1 }, { ...merged, number: 2 })).toBe(2);
    const own = { ...merged, number: 3, merge_commit_sha: "abc" };
    expect(await of({ ...merged, number: 2 }, own)).toBe(3);
    expect(await of({ ...own, base: elsewhere })).toBe(3);
  });

  test("is none of another branch that contains the commit, nor of the repository of which it is a fork", async () => {
    expect(await of({ ...merged, base: elsewhere })).toBeUndefined();
    expect(await of({ ...merged, merge_commit_sha: "abc", base: upstream })).toBeUndefined();
    expect(await of({ ...merged, base: upstream }, { ...merged, number: 8 })).toBe(8);
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
    throw refusedRequest(status, "no");
  });
  expect(await history.commit("abc")).toBeUndefined();
  expect(await history.compare("a", "b")).toBeUndefined();
  expect(await history.commitFiles("abc")).toBeUndefined();
  expect(await history.mergedPullOf("abc", PLACE)).toBe("unknown");
  expect(await history.commitsBack("abc", ONE_PAGE)).toBeUndefined();
  expect(await history.tip("main")).toBeUndefined();
  await expect(history.facts()).rejects.toThrow("no");
});

test.each([500, 503])(
  "a commit whose diff GitHub answers %i to is read from a list",
  async (status) => {
    const history = historyOf((route: string) => {
      if (route.endsWith("/commits")) return [commit("abc")];
      throw refusedRequest(status, "taking too long");
    });
    expect(await history.commit("abc")).toMatchObject({ sha: "abc" });
    await expect(history.compare("a", "b")).rejects.toThrow("taking too long");
  },
);

test("what GitHub refuses otherwise is passed on", async () => {
  const history = historyOf(() => {
    throw refusedRequest(403, "Resource not accessible by integration");
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
  const unknown = { sha: "a", committer: " <>", authoredAt: null };
  expect(await historyOf(data).commit("a")).toMatchObject(unknown);
});

/** A repository of which GraphQL answers these fields. */
function graphOf(repository: object): History {
  const request = () => Promise.reject(new Error("only a GraphQL query was expected"));
  return new History({ request, graphql: async () => ({ repository }) }, "acme/code");
}

test("of releases, those that are published have tags, the newest first", async () => {
  const release = (tagName: string, publishedAt: string | null, more = {}) => ({
    tagName,
    publishedAt,
    isDraft: false,
    isPrerelease: false,
    tagCommit: { oid: `of ${tagName}` },
    ...more,
  });
  const nodes = [
    release("v3", "2026-05-04T00:00:00Z", { isPrerelease: true }),
    release("v4", null, { isDraft: true }),
    release("v2", "2026-05-01T00:00:00Z"),
    release("v5", null),
    release("v1.1", "2026-05-03T00:00:00Z"),
    release("v1.2", "2026-05-04T00:00:00Z", { tagCommit: null }),
  ];
  expect(await graphOf({ releases: { nodes } }).releases()).toEqual([
    { name: "v1.1", sha: "of v1.1" },
    { name: "v2", sha: "of v2" },
  ]);
  expect(await graphOf({ releases: { nodes: [] } }).releases()).toEqual([]);
  await expect(graphOf({}).releases()).rejects.toThrow("could not be read");
});

test("a tag names a commit, itself or by its message, and that of another tag", async () => {
  const nodes = [
    { name: "plain", target: { oid: "a" } },
    { name: "annotated", target: { oid: "x", target: { oid: "b" } } },
    { name: "of a tag", target: { oid: "x", target: { oid: "y", target: { oid: "c" } } } },
    { name: "gone", target: null },
  ];
  const tags = await graphOf({ refs: { nodes } }).newestTags();
  expect(tags.map(({ name, sha }) => [name, sha])).toEqual([
    ["plain", "a"],
    ["annotated", "b"],
    ["of a tag", "c"],
  ]);
});

test("the own commits of pull requests are asked for in fewer at once if GitHub fails", async () => {
  const asked: number[] = [];
  const graphql = async (query: string) => {
    const numbers = Array.from(query.matchAll(/number: (\d+)/g), ([, number]) => Number(number));
    asked.push(numbers.length);
    if (numbers.length > 5) throw refusedRequest(502, "timeout");
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
