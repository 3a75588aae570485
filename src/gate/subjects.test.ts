import { describe, expect, test } from "vitest";
import { unread } from "../../test/support/facts.ts";
import { contextOf } from "../../test/support/run-context.ts";
import type { Commit, Pull } from "../github/changes/history-records.ts";
import type { Payload } from "../github/trigger/run-context.ts";
import { ABSENT, type Fact, known } from "../runtime/fact.ts";
import { groupPulls, subjectOf } from "./subjects.ts";

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
