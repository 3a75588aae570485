import { describe, expect, test } from "vitest";
import { attributeCommits, mayBePulls, splitEntry } from "./attribution.ts";
import type { Commit, Pull } from "./history-records.ts";
import type { Landing } from "./landings.ts";

const GITHUB = "GitHub <noreply@github.com>";

function commit(sha: string, over: Partial<Commit> = {}): Commit {
  return {
    sha,
    parents: [],
    title: sha,
    body: "",
    url: "",
    identity: sha,
    tree: sha,
    author: { login: "writer", name: "Writer", isBot: false },
    committer: "Writer <w@example.com>",
    authoredAt: "2026-05-01T00:00:00Z",
    committedAt: "2026-05-01T00:00:00Z",
    ...over,
  };
}

test.each(["Pull 1 (#1)", "Merge pull request #1 from acme/branch-1"])(
  "in a branch that was rewritten, a commit titled `%s` is that pull request",
  (title) => {
    const landing = commit("a", { title });
    const pull = { number: 1, title: "Pull 1", branch: "branch-1", mergeSha: "gone" } as Pull;
    const landed = { line: [landing], known: new Map(), before: null, isRewritten: true };
    expect(attributeCommits(landed, [pull], "main")).toMatchObject([{ landing, pull }]);
    const asItWas = attributeCommits({ ...landed, isRewritten: false }, [pull], "main");
    expect(asItWas).toEqual([{ landing, undecided: [], beside: null, isDoubtful: false }]);
  },
);

describe("of commits that may be a pull request's own", () => {
  const [a, b, c] = [commit("a"), commit("b"), commit("c")] as const;
  const undecided = [a, b].map((one): Landing => {
    return { commit: one, pulls: [], others: [], candidates: [], isUnread: false };
  });
  const entry = {
    landing: c,
    pull: { number: 1 } as Pull,
    undecided,
    beside: null,
    isDoubtful: false,
  };
  const own = (...identities: string[]) =>
    identities.map((identity) => commit(`own-${identity}`, { identity }));

  test.each<[others: string[], commits: string, Commit[]]>([
    [["a", "b"], "of another identity: it was squashed", own("x", "y")],
    [["a", "b"], "of the last alone", own("c")],
    [["a"], "of the last two", own("b", "c")],
    [[], "of all three", own("a", "b", "c")],
    [[], "of all three and one that the branch had already", own("a", "x", "b", "c")],
    [["a", "b"], "in another order", own("c", "b")],
  ])("%j count by themselves, before it, by the identities %s", (others, _, commits) => {
    const entries = splitEntry(entry, new Map([[1, commits]]));
    expect(entries.map(({ landing }) => landing.sha)).toEqual([...others, "c"]);
    expect(entries.filter(({ pull }) => pull)).toEqual([{ ...entry, undecided: [] }]);
  });
});

describe("a commit that is in no listed pull request", () => {
  const NOW = Date.parse("2026-05-01T01:00:00Z");

  test.each<[string, Partial<Commit>, boolean]>([
    ["made by GitHub", { committer: GITHUB }, true],
    ["made by a server", { committer: "GitHub Enterprise <noreply@git.acme.example>" }, true],
    ["made by a server's address", { committer: "GitHub Enterprise <git@acme.example>" }, true],
    ["titled like a squash", { title: "Fix it (#12)" }, true],
    ["titled like a merge", { title: "Merge pull request #12 from a/b" }, true],
    ["made anew by somebody else a moment ago", { committer: "Merger <m@example.com>" }, true],
    ["made anew later by its author", { authoredAt: "2026-04-30T00:00:00Z" }, true],
    ["pushed as it was written", {}, false],
    ["titled like an issue's", { title: "Fix #12" }, false],
  ])("%s may have come with one: %s", (_, over, expected) => {
    expect(mayBePulls(commit("a", over), NOW)).toBe(expected);
  });

  test("made anew days ago came with none: no list is behind for so long", () => {
    const over = { committer: "Merger <m@example.com>" };
    expect(mayBePulls(commit("a", over), NOW + 24 * 60 * 60_000)).toBe(false);
  });
});
