import { describe, expect, test } from "vitest";
import { attributeCommits, type Entry, mayBePulls, splitEntry } from "./attribution.ts";
import type { Commit, Pull } from "./history-records.ts";

const GITHUB = "GitHub <noreply@github.com>";
const PERSON = { login: "writer", name: "Writer", isBot: false };

function commit(sha: string, parents: string, over: Partial<Commit> = {}): Commit {
  return {
    ...{ sha, parents: parents === "" ? [] : parents.split(" "), title: sha, body: "", url: "" },
    ...{ author: PERSON, committer: "Writer <w@example.com>", identity: sha, tree: sha },
    ...{ authoredAt: "2026-05-01T00:00:00Z", committedAt: "2026-05-01T00:00:00Z", ...over },
  };
}

function pull(number: number, mergeSha: string, over: Partial<Pull> = {}): Pull {
  return {
    ...{ number, title: `Pull ${number}`, body: "", url: "", author: PERSON, labels: [] },
    ...{ branch: `branch-${number}`, head: `head-${number}`, base: "main", mergeSha },
    ...{ isFork: false, isOpen: false, repositoryId: 1, fileCount: 1 },
    ...{ mergedAt: "2026-05-01T00:00:00Z", updatedAt: "2026-05-01T00:00:00Z", ...over },
  };
}

/** In short: the commit or the pull request that counts, and what may belong to it. */
function attributed(commits: Commit[], pulls: Pull[], isRewritten = false): string[] {
  const line: Commit[] = [];
  let next = commits.at(-1);
  while (next !== undefined) {
    line.unshift(next);
    next = commits.find(({ sha }) => sha === next?.parents[0]);
  }
  return attributeCommits({ commits, line, isRewritten }, pulls).map(textOf);
}

function textOf({ landing, pull: own, undecided }: Entry): string {
  const name = own === undefined ? landing.sha : `#${own.number} by ${landing.sha}`;
  return undecided.length === 0 ? name : `${name} (${undecided.map(({ sha }) => sha).join(" ")}?)`;
}

const byGitHub = { committer: GITHUB };
const root = commit("a", "");

describe("a change", () => {
  test.each<[what: string, Commit[], Pull[], expected: string[]]>([
    [
      "each commit without a pull request, as they landed",
      [root, commit("b", "a")],
      [],
      ["a", "b"],
    ],
    [
      "a pull request that GitHub merged, without what a person pushed before it",
      [root, commit("b", "a", byGitHub)],
      [pull(1, "b")],
      ["a", "#1 by b"],
    ],
    [
      "a pull request that may be a rebase of commits by the same committer",
      [root, ...["b a", "c b", "d c"].map((it) => commit(it.slice(0, 1), it.slice(2), byGitHub))],
      [pull(1, "d")],
      ["a", "#1 by d (b c?)"],
    ],
    [
      "a pull request that a person may have rebased",
      [commit("a", "", byGitHub), commit("b", "a")],
      [pull(1, "b")],
      ["#1 by b (a?)"],
    ],
    [
      "each of two that one merge brought in, in the order of their numbers",
      [root, commit("s", "a"), commit("t", "s"), commit("m", "a t")],
      [pull(2, "t", { head: "t" }), pull(1, "s", { head: "s" })],
      ["a", "#1 by m", "#2 by m"],
    ],
    [
      "also the merge itself, when it brought in more than pull requests",
      [root, commit("x", "a"), commit("t", "x"), commit("m", "a t")],
      [pull(1, "t")],
      ["a", "#1 by m", "m"],
    ],
    [
      "a merge, with what was merged into its branch",
      [root, commit("s", "a"), commit("m", "a s")],
      [pull(1, "s", { base: "develop" }), pull(2, "m", { head: "s" })],
      ["a", "#2 by m"],
    ],
    [
      "each of those that came with the commits of another branch",
      [commit("a", "", byGitHub), commit("b", "a", byGitHub)],
      [pull(1, "a", { base: "develop" }), pull(2, "b", { base: "develop" })],
      ["#1 by a", "#2 by b"],
    ],
  ])("is %s", (_, commits, pulls, expected) => {
    expect(attributed(commits, pulls)).toEqual(expected);
  });

  test("is a pull request by its title, where the branch was rewritten", () => {
    const squashed = [commit("a", "", { title: "Pull 1 (#1)" })];
    expect(attributed(squashed, [pull(1, "gone")])).toEqual(["a"]);
    expect(attributed(squashed, [pull(1, "gone")], true)).toEqual(["#1 by a"]);
    const merged = [commit("a", "", { title: "Merge pull request #1 from acme/branch-1" })];
    expect(attributed(merged, [pull(1, "gone")], true)).toEqual(["#1 by a"]);
  });
});

describe("of commits that may be a pull request's own", () => {
  const [a, b, c] = [commit("a", ""), commit("b", "a"), commit("c", "b")] as const;
  const entry: Entry = { landing: c, pull: pull(1, "c"), undecided: [a, b] };
  const own = (...identities: string[]) =>
    identities.map((identity) => commit(`own-${identity}`, "", { identity }));

  test.each<[count: number, commits: string, Commit[]]>([
    [0, "of another identity: it was squashed", own("x", "y")],
    [0, "of the last alone", own("c")],
    [1, "of the last two", own("b", "c")],
    [2, "of all three", own("a", "b", "c")],
    [2, "of all three and one that the branch had already", own("a", "x", "b", "c")],
    [0, "in another order", own("c", "b")],
  ])("%i are, by the identities %s", (count, _, commits) => {
    expect(splitEntry(entry, commits)).toHaveLength(3 - count);
  });
});

describe("a commit that is in no listed pull request", () => {
  const NOW = Date.parse("2026-05-01T01:00:00Z");

  test.each<[string, Partial<Commit>, boolean]>([
    ["made by GitHub", { committer: GITHUB }, true],
    ["titled like a squash", { title: "Fix it (#12)" }, true],
    ["titled like a merge", { title: "Merge pull request #12 from a/b" }, true],
    ["made anew by somebody else a moment ago", { committer: "Merger <m@example.com>" }, true],
    ["made anew later by its author", { authoredAt: "2026-04-30T00:00:00Z" }, true],
    ["pushed as it was written", {}, false],
    ["titled like an issue's", { title: "Fix #12" }, false],
  ])("%s may have come with one: %s", (_, over, expected) => {
    expect(mayBePulls(commit("a", "", over), NOW)).toBe(expected);
  });

  test("made anew days ago came with none: no list is behind for so long", () => {
    const over = { committer: "Merger <m@example.com>" };
    expect(mayBePulls(commit("a", "", over), NOW + 24 * 60 * 60_000)).toBe(false);
  });
});
