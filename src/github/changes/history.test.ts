import { describe, expect, test, vi } from "vitest";
import { clientOf } from "../../../test/support/github-client.ts";
import { commit, PULL } from "../../../test/support/history-answers.ts";
import { explainRefusal } from "../api/refusal.ts";
import { History } from "./history.ts";
import type { Pull } from "./history-records.ts";

/** What a request is refused with. */
class Refusal {
  readonly status: number;
  readonly message: string;

  constructor(status: number, message: string) {
    this.status = status;
    this.message = message;
  }
}

/** A client that answers every request alike, or with what a function says. */
async function historyOf(answer: unknown | ((path: string, page: number) => unknown)) {
  let requests = 0;
  const github = await clientOf(({ url }) => {
    requests += 1;
    const page = Number(url.searchParams.get("page"));
    const data = typeof answer === "function" ? answer(url.pathname, page) : answer;
    return data instanceof Refusal ? [data.status, { message: data.message }] : [200, data];
  });
  return Object.assign(new History(github, "acme/code"), { requests: () => requests });
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
    const history = await historyOf({
      id: 7,
      full_name: "acme/code",
      default_branch: "main",
      ...fields,
    });
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
    const history = await historyOf({
      id: 7,
      full_name: "acme/code",
      default_branch: "main",
      ...fields,
    });
    expect(await history.facts()).toMatchObject(usable);
  });

  test("of a commit without an account leaves its name", async () => {
    expect(await (await historyOf(commit("abc"))).commit("abc")).toMatchObject({
      sha: "abc",
      author: { login: "", name: "Writer", isBot: false },
      committer: "GitHub <noreply@github.com>",
      committedAt: "2026-05-01T11:00:00Z",
    });
  });

  test("of a pull request whose author is gone is a ghost's", async () => {
    const pull = { ...PULL, user: null, merged_at: "2026-05-01T11:00:00Z" };
    expect((await (await historyOf([pull])).mergedPulls(0)).pulls).toMatchObject([
      { number: 7, author: { login: "ghost" }, isFork: true },
    ]);
  });

  test("of a pull request has the count of its files", async () => {
    const pull = await (await historyOf({ ...PULL, changed_files: 7 })).pull(7);
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
    const error = await ask(await historyOf(answer)).catch((thrown) => thrown);
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
    numberOf(await (await historyOf(pulls)).mergedPullOf("abc", PLACE));
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
    const history = await historyOf((_: string, page: number) => ({
      status: "ahead",
      total_commits,
      commits: page < 3 ? full(page * 100) : [],
    }));
    expect(await history.compare("a", "b")).toMatchObject({ isComplete, isDiverged: false });
    expect(history.requests()).toBe(requests);
  });

  test("of pull requests are read until one was last changed before", async () => {
    const pull = (at: number) => ({ ...PULL, updated_at: new Date(at).toISOString() });
    const history = await historyOf((_: string, page: number) =>
      Array.from({ length: 100 }, (_, at) => pull(1_000_000 - page * 1000 - at)),
    );
    const { isComplete } = await history.mergedPulls(997_500);
    expect([history.requests(), isComplete]).toEqual([3, true]);
    expect((await history.mergedPulls(0)).isComplete).toBe(false);
  });

  test("of files end after three, and it is said that there are more", async () => {
    const file = { filename: "a", status: "added", additions: 1, deletions: 0 };
    const history = await historyOf(Array.from({ length: 100 }, () => file));
    const { files, isComplete } = await history.pullFiles(1);
    expect([files.length, isComplete]).toEqual([300, false]);
  });
});

test.each([404, 422])("a commit that GitHub answers %i to is not there", async (status) => {
  const history = await historyOf(new Refusal(status, "no"));
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
    const history = await historyOf((route: string) => {
      if (route.endsWith("/commits")) return [commit("abc")];
      return new Refusal(status, "taking too long");
    });
    expect(await history.commit("abc")).toMatchObject({ sha: "abc" });
    await expect(history.compare("a", "b")).rejects.toThrow(`GitHub returned ${status}`);
  },
);

test("what GitHub refuses otherwise is passed on", async () => {
  const history = await historyOf(new Refusal(403, "Resource not accessible by integration"));
  await expect(history.compare("a", "b")).rejects.toThrow("not accessible");
});

test("a mistake of the action is not tried again", async () => {
  const mistake = new TypeError("x is not a function");
  const fail = vi.fn(() => {
    throw mistake;
  });
  const history = new History(await clientOf(fail), "acme/code");
  await expect(history.commitsOfPulls([1, 2])).rejects.toBe(mistake);
  expect(fail).toHaveBeenCalledTimes(1);
});

test("a commit whose author and committer GitHub does not know can be read", async () => {
  const { commit: known, ...rest } = commit("a");
  const data = { ...rest, commit: { ...known, author: null, committer: null } };
  const unknown = { sha: "a", committer: " <>", authoredAt: null };
  expect(await (await historyOf(data)).commit("a")).toMatchObject(unknown);
});
