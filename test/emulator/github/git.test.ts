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

test("a difference tells what came, went, changed and only moved", () => {
  const objects = new Objects();
  const from = treeOf(objects, { "a.md": "a\n", "b.md": "b\n", "old/c.md": "c\n", same: "s" });
  const to = treeOf(
    objects,
    { "a.md": "A\n", "b.md": "", "old/c.md": "", "new/c.md": "c\n", "d.md": "d\n" },
    from,
  );
  const told = difference(objects, from, to).map(({ path: of, before, after, renamedFrom }) => [
    of,
    renamedFrom ?? (before === undefined ? "added" : after === undefined ? "removed" : "changed"),
  ]);
  expect(told).toEqual([
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
])("a patch of %j to %j is as git shows it", (before, after, patch, additions, deletions) => {
  const told = patchOf(Buffer.from(before), Buffer.from(after));
  expect(told).toEqual({ patch, additions, deletions });
});

test("a merge takes what both sides changed, and conflicts where they changed the same", () => {
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

test("in any history, what lies between two commits is what one descends from and the other does not", () => {
  const parents = fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), { maxLength: 25 });
  fc.assert(
    fc.property(parents, fc.nat(), fc.nat(), (history, one, other) => {
      const objects = new Objects();
      const tree = objects.tree([]);
      const made = [""].slice(1);
      for (const [nth, of] of [[], ...history].entries()) {
        const author = { name: "w", email: "w@example.com", at: 1000 * (nth % 3) };
        const own = [...new Set(of.map((parent) => made[parent % nth] ?? ""))];
        const commit = { tree, parents: own, author, committer: author, message: String(nth) };
        made.push(objects.commit(commit).sha);
      }
      const find = (sha: string) => objects.commits.get(sha);
      const [base = "", head = ""] = [made[one % made.length], made[other % made.length]];
      const known = ancestors(find, base);
      const all = ancestors(find, head);
      const told = between(find, base, head).map(({ sha }) => sha);
      expect(new Set(told)).toEqual(new Set([...all.keys()].filter((sha) => !known.has(sha))));
      for (const [at, sha] of told.entries()) {
        const later = find(sha)?.parents.filter((parent) => told.indexOf(parent) > at);
        expect(later).toEqual([]);
      }
      const fork = mergeBase(find, base, head)?.sha ?? "";
      const shared = [...all.keys()].filter((sha) => known.has(sha));
      expect(shared).toContain(fork);
      expect(shared.filter((sha) => sha !== fork && ancestors(find, sha).has(fork))).toEqual([]);
    }),
  );
});
