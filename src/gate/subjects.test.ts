import { describe, expect, test } from "vitest";
import { unread } from "../../test/support/facts.ts";
import { contextOf } from "../../test/support/run-context.ts";
import type { Commit, Pull } from "../github/changes/history-records.ts";
import type { Payload } from "../github/trigger/run-context.ts";
import { ABSENT, type Fact, known } from "../runtime/fact.ts";
import type { KnownStatus, OpenPull } from "./gate-reader.ts";
import { chooseOpen, groupPulls, MOST_OPEN, subjectOf } from "./subjects.ts";

const ON_PULL = { issue: { number: 4, pull_request: {} } };
const OF_PULL = { pull_request: { number: 4 } };

test.each<[string, Payload, object]>([
  ["pull_request", OF_PULL, { type: "pull", number: 4 }],
  ["pull_request_review", OF_PULL, { type: "pull", number: 4 }],
  ["issue_comment", ON_PULL, { type: "comment", number: 4 }],
  ["issue_comment", { issue: { number: 4 } }, { type: "none" }],
  [
    "merge_group",
    { merge_group: { head_ref: "r", base_sha: "b", head_sha: "h" } },
    { type: "group", group: { ref: "r", base: "b", head: "h" } },
  ],
  ["workflow_run", {}, { type: "open" }],
  ["schedule", {}, { type: "open" }],
  ["workflow_dispatch", {}, { type: "open" }],
])("the subject of %s, %j", (eventName, payload, subject) => {
  expect(subjectOf({ ...contextOf(eventName), payload })).toEqual(subject);
});

test.each<[string, Payload, RegExp]>([
  ["push", {}, /runs on `pull_request`/],
  ["merge_group", { merge_group: { head_sha: "h" } }, /does not name the commits/],
  ["issues", { issue: { number: 4 } }, /runs on `pull_request`/],
])("%s, %j is an invalid input", (eventName, payload, message) => {
  expect(() => subjectOf({ ...contextOf(eventName), payload })).toThrow(message);
});

function commit(sha: string, parents: string[], title = ""): Commit {
  const author = { login: "", name: "", isBot: false };
  const empty = { url: "", body: "", author, committer: "", identity: "", tree: "" };
  return { sha, parents, title, ...empty, authoredAt: "", committedAt: "" };
}

describe("the pull requests of a group", () => {
  const group = {
    ref: "refs/heads/gh-readonly-queue/main/pr-9-abc",
    base: "0",
    head: "3",
  };

  async function numbersOf(commits: Commit[], numbers: Record<string, number> = {}) {
    const pulls = await groupPulls(group, {
      commitsBack: async () => known(commits),
      openPullsOf: async (sha) => {
        const number = numbers[sha];
        return known(number === undefined ? [] : [{ number } as Pull]);
      },
    });
    return pulls.map(({ number, isOfTitle }) => (isOfTitle ? `title ${number}` : number));
  }

  test("are those that GitHub names for the first-parent commits, if their titles name none", async () => {
    const commits = [commit("1", ["0"]), commit("2", ["1"]), commit("3", ["2"])];
    expect(await numbersOf(commits, { 1: 7, 2: 7, 3: 9 })).toEqual([9, 7]);
  });

  test("are those of the second parents of merge commits, but not of their other commits", async () => {
    const commits = [
      commit("a", ["0"]),
      commit("b", ["a"]),
      commit("2", ["0", "b"]),
      commit("3", ["2", "c"]),
    ];
    expect(await numbersOf(commits, { a: 5, b: 7, c: 9 })).toEqual([9, 7]);
  });

  test("are not those of commits before its base", async () => {
    const commits = [commit("3", ["0"]), commit("0", ["z"], "Add (#7)"), commit("z", [], "(#8)")];
    expect(await numbersOf(commits, { 0: 5 })).toEqual([9]);
  });

  test("are also those in titles", async () => {
    const commits = [
      commit("2", ["0"], "Add (#7)"),
      commit("3", ["2"], "Merge pull request #8 from x"),
    ];
    expect(await numbersOf(commits, { 3: 8 })).toEqual([9, 8, "title 7"]);
  });

  test.each<[string, Fact<never>]>([
    ["does not show its commits", ABSENT],
    ["shows too many to find its base", unread("incomplete")],
  ])("are unknown if GitHub %s", async (_, answer) => {
    const reads = { commitsBack: async () => answer, openPullsOf: async () => known([]) };
    await expect(groupPulls(group, reads)).rejects.toMatchObject({
      kind: "github-unavailable",
      problem: "GitHub does not show the commits of the merge queue's group.",
    });
  });

  test("are that of the branch if there are no commits", async () => {
    expect(await numbersOf([])).toEqual([9]);
  });
});

const HOUR = 3_600_000;

function status(setAt: number, over: Partial<KnownStatus> = {}): KnownStatus {
  return { state: "failure", description: "needed: no file", targetUrl: null, setAt, ...over };
}

function open(number: number, of: KnownStatus | null, updatedAt = 0): OpenPull {
  return { number, head: "a", updatedAt, status: of };
}

describe("the open pull requests of a run", () => {
  const numbers = (all: OpenPull[], isEach = false) =>
    chooseOpen(all, isEach).pulls.map(({ number }) => number);
  const green = (description: string) => status(9 * HOUR, { state: "success", description });

  test("begin with those without a status, then by its time", () => {
    const all = [open(1, status(3)), open(2, status(2)), open(3, null), open(4, status(1))];
    expect(numbers(all)).toEqual([3, 4, 2, 1]);
  });

  test.each([
    ["not-needed: label x", 0, false],
    ["not-needed (#1 of 2 pull requests): label x", 0, false],
    ["included: docs/a.md", 0, false],
    ["excused by writer: not-needed", 0, true],
    ["covered by a docs job (job 1)", 0, true],
    ["needed (only a warning): no file", 0, true],
    // Of an earlier version of the action.
    ["documentation included (docs/a.md)", 0, true],
    ["included: docs/a.md", 10 * HOUR, true],
    // A run may have read it before the change, and set the status after it.
    ["included: docs/a.md", 9 * HOUR - 60_000, true],
  ])(
    "with %s, last changed at %i, has a status that may change: %s",
    (description, updatedAt, may) => {
      const all = [open(1, green(description), updatedAt)];
      expect(numbers(all)).toEqual(may ? [1] : []);
      expect(numbers(all, true)).toEqual([1]);
    },
  );

  test("are at most 50", () => {
    const all = Array.from({ length: MOST_OPEN + 1 }, (_, nth) => open(nth, status(nth + 1)));
    expect(chooseOpen(all, false)).toMatchObject({ pulls: all.slice(0, MOST_OPEN), hasMore: true });
    expect(chooseOpen(all.slice(1), false)).toMatchObject({ hasMore: false });
  });
});
