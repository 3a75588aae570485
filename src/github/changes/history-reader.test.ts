import { describe, expect, test, vi } from "vitest";
import { clientOf } from "../../../test/support/github-client.ts";
import { commit, PULL } from "../../../test/support/history-answers.ts";
import { knownValue } from "../../../test/support/known.ts";
import { ABSENT, type Fact, known } from "../../runtime/fact.ts";
import { HistoryReader } from "./history-reader.ts";

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
  return Object.assign(new HistoryReader(github, "acme/code"), { requests: () => requests });
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
    expect(knownValue(await history.facts())).toMatchObject(facts);
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
    expect(knownValue(await history.facts())).toMatchObject(usable);
  });

  test("of a commit without an account leaves its name", async () => {
    expect(knownValue(await (await historyOf(commit("abc"))).commit("abc"))).toMatchObject({
      sha: "abc",
      author: { login: "", name: "Writer", isBot: false },
      committer: "GitHub <noreply@github.com>",
      committedAt: "2026-05-01T11:00:00Z",
    });
  });

  test("of a pull request whose author is gone is a ghost's", async () => {
    const pull = { ...PULL, user: null, merged_at: "2026-05-01T11:00:00Z" };
    expect(knownValue(await (await historyOf([pull])).mergedPulls(0)).pulls).toMatchObject([
      { number: 7, author: { login: "ghost" }, isFork: true },
    ]);
  });

  test("of a pull request has the count of its files", async () => {
    const pull = knownValue(await (await historyOf({ ...PULL, changed_files: 7 })).pull(7));
    expect(pull).toMatchObject({ number: 7, fileCount: 7 });
  });

  test.each<
    [
      what: string,
      ask: (history: HistoryReader) => Promise<Fact<unknown>>,
      answer: unknown,
      place: string,
    ]
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
    const fact = await ask(await historyOf(answer));
    const where = place === "" ? "" : ` (at \`${place}\`)`;
    const reason = `GitHub's response could not be read${where}`;
    expect(fact).toMatchObject({ type: "unread", cause: "unusable", reason, isPassing: true });
  });
});

describe("the pull request of a commit", () => {
  const merged = { ...PULL, merged_at: "2026-05-01T11:00:00Z" };
  const upstream = { ref: "main", repo: { id: 2 } };
  const elsewhere = { ref: "release", repo: { id: 1 } };
  const of = async (...pulls: object[]) =>
    knownValue(await (await historyOf(pulls)).mergedPullOf("abc", PLACE))?.number ?? null;

  test("is merged into the branch, or has the commit as its own", async () => {
    expect(await of({ ...PULL, number: 1 }, { ...merged, number: 2 })).toBe(2);
    const own = { ...merged, number: 3, merge_commit_sha: "abc" };
    expect(await of({ ...merged, number: 2 }, own)).toBe(3);
    expect(await of({ ...own, base: elsewhere })).toBe(3);
  });

  test("is none of another branch that contains the commit, nor of the repository of which it is a fork", async () => {
    expect(await of({ ...merged, base: elsewhere })).toBeNull();
    expect(await of({ ...merged, merge_commit_sha: "abc", base: upstream })).toBeNull();
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
    expect(await history.compare("a", "b")).toMatchObject(known({ isComplete, isDiverged: false }));
    expect(history.requests()).toBe(requests);
  });

  test("of pull requests are read until one was last changed before", async () => {
    const pull = (at: number) => ({ ...PULL, updated_at: new Date(at).toISOString() });
    const history = await historyOf((_: string, page: number) =>
      Array.from({ length: 100 }, (_, at) => pull(1_000_000 - page * 1000 - at)),
    );
    const { isComplete } = knownValue(await history.mergedPulls(997_500));
    expect([history.requests(), isComplete]).toEqual([3, true]);
    expect(knownValue(await history.mergedPulls(0)).isComplete).toBe(false);
  });

  test("of files end after three, and it is said that there are more", async () => {
    const file = { filename: "a", status: "added", additions: 1, deletions: 0 };
    const history = await historyOf(Array.from({ length: 100 }, () => file));
    const { files, isComplete } = knownValue(await history.pullFiles(1));
    expect([files.length, isComplete]).toEqual([300, false]);
  });
});

test.each([404, 422])("a commit that GitHub answers %i to is not there", async (status) => {
  const history = await historyOf(new Refusal(status, "no"));
  expect(await history.commit("abc")).toBe(ABSENT);
  expect(await history.compare("a", "b")).toBe(ABSENT);
  expect(await history.commitFiles("abc")).toBe(ABSENT);
  expect(await history.mergedPullOf("abc", PLACE)).toBe(ABSENT);
  expect(await history.commitsBack("abc", ONE_PAGE)).toBe(ABSENT);
  expect(await history.tip("main")).toBe(ABSENT);
  expect(await history.facts()).toMatchObject({ type: "unread", status });
});

test.each([500, 503])(
  "a commit whose diff GitHub answers %i to is read from a list",
  async (status) => {
    const history = await historyOf((route: string) => {
      if (route.endsWith("/commits")) return [commit("abc")];
      return new Refusal(status, "taking too long");
    });
    expect(await history.commit("abc")).toMatchObject(known({ sha: "abc" }));
    expect(await history.compare("a", "b")).toMatchObject({ type: "unread", status });
  },
);

test("what GitHub refuses otherwise is passed on", async () => {
  const history = await historyOf(new Refusal(403, "Resource not accessible by integration"));
  expect(await history.compare("a", "b")).toMatchObject({ type: "unread", cause: "refused" });
});

test("a mistake of the action is not tried again", async () => {
  const mistake = new TypeError("x is not a function");
  const fail = vi.fn(() => {
    throw mistake;
  });
  const history = new HistoryReader(await clientOf(fail), "acme/code");
  await expect(history.ownCommits(1)).rejects.toBe(mistake);
  expect(fail).toHaveBeenCalledTimes(1);
});

test("a commit whose author and committer GitHub does not know can be read", async () => {
  const { commit: message, ...rest } = commit("a");
  const data = { ...rest, commit: { ...message, author: null, committer: null } };
  const unknown = { sha: "a", committer: " <>", authoredAt: null };
  expect(await (await historyOf(data)).commit("a")).toMatchObject(known(unknown));
});
