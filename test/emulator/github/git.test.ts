import fc from "fast-check";
import { expect, test } from "vitest";
import { ancestors, between, mergeBase } from "../../../emulator/github/git/graph.ts";
import { Objects } from "../../../emulator/github/git/objects.ts";
import {
  difference,
  type FileChange,
  mergeTrees,
  patchOf,
  writeTree,
} from "../../../emulator/github/git/trees.ts";

/** A tree of files with these texts. */
function treeOf(objects: Objects, files: Record<string, string>, base?: string): string {
  const changes = Object.entries(files).map(
    ([path, text]): FileChange => ({ path, sha: text === "" ? null : objects.blob(text) }),
  );
  return writeTree(objects, base, changes);
}

test("a difference contains added, removed, changed and renamed files", () => {
  const objects = new Objects();
  const from = treeOf(objects, { "a.md": "a\n", "b.md": "b\n", "old/c.md": "c\n", same: "s" });
  const to = treeOf(
    objects,
    { "a.md": "A\n", "b.md": "", "old/c.md": "", "new/c.md": "c\n", "d.md": "d\n" },
    from,
  );
  const files = difference(objects, from, to).map(({ path, before, after, renamedFrom }) => [
    path,
    renamedFrom ?? (before === undefined ? "added" : after === undefined ? "removed" : "changed"),
  ]);
  expect(files).toEqual([
    ["a.md", "changed"],
    ["b.md", "removed"],
    ["d.md", "added"],
    ["new/c.md", "old/c.md"],
  ]);
});

test.each([
  ["", "one\ntwo\n", "@@ -0,0 +1,2 @@\n+one\n+two", 2, 0],
  ["one\n", "", "@@ -1 +0,0 @@\n-one", 0, 1],
  ["a\nb\nc", "a\nB\nc", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n\\ No newline at end of file", 1, 1],
])("the patch from %j to %j is like git's", (before, after, patch, additions, deletions) => {
  const result = patchOf(Buffer.from(before), Buffer.from(after));
  expect(result).toEqual({ patch, additions, deletions });
});

test("a merge combines the changes of both sides, and conflicts if both changed the same lines", () => {
  const objects = new Objects();
  const lines = (...changed: string[]) => ["1", "2", "3", "4", "5", ...changed].join("\n");
  const base = treeOf(objects, { both: lines(), mine: "m", theirs: "t", gone: "g" });
  const ours = treeOf(objects, { both: lines().replace("1", "one"), mine: "M" }, base);
  const theirs = treeOf(objects, { both: lines().replace("5", "five"), gone: "", new: "n" }, base);
  const merged = mergeTrees(objects, { base, ours, theirs });
  const expected = { both: "one\n2\n3\n4\nfive", mine: "M", theirs: "t", new: "n" };
  expect(merged).toBe(treeOf(objects, expected));
  const other = treeOf(objects, { both: lines().replace("1", "uno") }, base);
  expect(mergeTrees(objects, { base, ours, theirs: other })).toBeUndefined();
  expect(mergeTrees(objects, { base, ours, theirs: ours })).toBe(ours);
});

test("in any history, the commits between two commits are the ancestors of one that are not ancestors of the other", () => {
  const parents = fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), { maxLength: 25 });
  fc.assert(
    fc.property(parents, fc.nat(), fc.nat(), (history, baseIndex, headIndex) => {
      const objects = new Objects();
      const tree = objects.tree([]);
      const made: string[] = [];
      for (const [nth, numbers] of [[], ...history].entries()) {
        const author = { name: "w", email: "w@example.com", at: 1000 * (nth % 3) };
        const own = [...new Set(numbers.map((parent) => made[parent % nth] ?? ""))];
        const commit = { tree, parents: own, author, committer: author, message: String(nth) };
        made.push(objects.commit(commit).sha);
      }
      const find = (sha: string) => objects.commits.get(sha);
      const [base = "", head = ""] = [made[baseIndex % made.length], made[headIndex % made.length]];
      const known = ancestors(find, base);
      const all = ancestors(find, head);
      const listed = between(find, base, head).map(({ sha }) => sha);
      expect(new Set(listed)).toEqual(new Set([...all.keys()].filter((sha) => !known.has(sha))));
      for (const [at, sha] of listed.entries()) {
        const later = find(sha)?.parents.filter((parent) => listed.indexOf(parent) > at);
        expect(later).toEqual([]);
      }
      const fork = mergeBase(find, base, head)?.sha ?? "";
      const shared = [...all.keys()].filter((sha) => known.has(sha));
      expect(shared).toContain(fork);
      expect(shared.filter((sha) => sha !== fork && ancestors(find, sha).has(fork))).toEqual([]);
    }),
  );
});
