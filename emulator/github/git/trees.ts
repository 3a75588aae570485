/** The files of trees: reading and changing them, what two differ in, and what a merge of three makes. */

import { applyPatch, structuredPatch } from "diff";
import { type Entry, entry, FOLDER, type Objects } from "./objects.ts";

export interface File {
  path: string;
  mode: string;
  sha: string;
}

/** A file to write, or with `sha: null` to take out. A folder's tree can be put in as a whole. */
export interface FileChange {
  path: string;
  mode?: string;
  sha: string | null;
}

export interface Difference {
  path: string;
  before: File | undefined;
  after: File | undefined;
  /** Where the same content was before. */
  renamedFrom?: string;
}

/** The file or folder at a path. The root is a folder without a name. */
export function entryAt(objects: Objects, tree: string, path: string): Entry | undefined {
  let current: Entry = entry("", FOLDER, tree);
  for (const name of path.split("/").filter((part) => part !== "")) {
    const entries = current.mode === FOLDER ? (objects.trees.get(current.sha) ?? []) : [];
    const next = entries.find((candidate) => candidate.name === name);
    if (next === undefined) return undefined;
    current = next;
  }
  return current;
}

export function filesIn(objects: Objects, tree: string, below = ""): File[] {
  return (objects.trees.get(tree) ?? []).flatMap(({ name, mode, sha }): File[] => {
    const path = `${below}${name}`;
    return mode === FOLDER ? filesIn(objects, sha, `${path}/`) : [{ path, mode, sha }];
  });
}

/** Changes files of a tree; returns the SHA of the new one. Folders come and go with their files. */
export function writeTree(
  objects: Objects,
  tree: string | undefined,
  changes: readonly FileChange[],
): string {
  const before = objects.trees.get(tree ?? "") ?? [];
  const entries = new Map(before.map((item) => [item.name, item]));
  const byName = Map.groupBy(changes, ({ path }) => path.split("/", 1)[0] ?? "");
  for (const [name, below] of byName) {
    const old = entries.get(name);
    const own = below.find(({ path }) => path === name);
    const inner = below.filter(({ path }) => path !== name);
    let made = own ? madeOf(own, name) : old;
    if (inner.length > 0) {
      const folder = made?.mode === FOLDER ? made.sha : undefined;
      const rest = inner.map((change) => ({ ...change, path: change.path.slice(name.length + 1) }));
      const sha = writeTree(objects, folder, rest);
      made = objects.trees.get(sha)?.length === 0 ? undefined : entry(name, FOLDER, sha);
    }
    if (made === undefined) entries.delete(name);
    else entries.set(name, made);
  }
  return objects.tree(sorted([...entries.values()]));
}

function madeOf({ mode = "100644", sha }: FileChange, name: string): Entry | undefined {
  return sha === null ? undefined : entry(name, mode, sha);
}

/** Git sorts a folder as if its name ended in a slash. */
function sorted(entries: readonly Entry[]): Entry[] {
  const key = ({ name, mode }: Entry) => (mode === FOLDER ? `${name}/` : name);
  return entries.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** What the second tree changes in the first, by path; content that only moved is a renamed file. */
export function difference(objects: Objects, from: string | undefined, to: string): Difference[] {
  const all = changesBetween(objects, from, to, "");
  const removed = all.filter(({ after }) => after === undefined);
  const removedBySha = new Map(removed.map((change) => [change.before?.sha, change]));
  const moved = new Set<Difference>();
  const differences = all.map((change) => {
    const source = change.before === undefined ? removedBySha.get(change.after?.sha) : undefined;
    if (source === undefined || moved.has(source)) return change;
    moved.add(source);
    return { ...change, before: source.before, renamedFrom: source.path };
  });
  return differences
    .filter((change) => !moved.has(change))
    .sort((first, second) => (first.path < second.path ? -1 : 1));
}

function changesBetween(
  objects: Objects,
  from: string | undefined,
  to: string | undefined,
  below: string,
): Difference[] {
  if (from === to) return [];
  const entriesOf = (tree: string | undefined) =>
    new Map(objects.trees.get(tree ?? "")?.map((item) => [item.name, item]));
  const old = entriesOf(from);
  const now = entriesOf(to);
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name): Difference[] => {
    const before = old.get(name);
    const after = now.get(name);
    if (before?.sha === after?.sha && before?.mode === after?.mode) return [];
    const path = `${below}${name}`;
    const folder = (item: Entry | undefined) => (item?.mode === FOLDER ? item.sha : undefined);
    const inner = changesBetween(objects, folder(before), folder(after), `${path}/`);
    const file = (item: Entry | undefined) =>
      item?.mode === FOLDER ? undefined : item && { ...item, path };
    const fileBefore = file(before);
    const fileAfter = file(after);
    if (fileBefore === undefined && fileAfter === undefined) return inner;
    return [{ path, before: fileBefore, after: fileAfter }, ...inner];
  });
}

/** What `theirs` changed in `base`, on top of `ours`; undefined: both changed the same lines, each in its own way. */
export function mergeTrees(
  objects: Objects,
  { base, ours, theirs }: { base: string; ours: string; theirs: string },
): string | undefined {
  const ourChanges = new Map(
    changesBetween(objects, base, ours, "").map(({ path, after }) => [path, after]),
  );
  const changes: FileChange[] = [];
  for (const { path, before, after } of changesBetween(objects, base, theirs, "")) {
    const our = ourChanges.get(path);
    if (!ourChanges.has(path)) changes.push({ path, ...after, sha: after?.sha ?? null });
    else if (our?.sha !== after?.sha) {
      const textOf = (file: File | undefined) => objects.blobs.get(file?.sha ?? "");
      const [old, mine, theirText] = [textOf(before), textOf(our), textOf(after)];
      const merged = old && mine && theirText && mergeTexts(old, mine, theirText);
      if (merged === undefined) return undefined;
      changes.push({ path, mode: our?.mode ?? "100644", sha: objects.blob(merged) });
    }
  }
  return writeTree(objects, ours, changes);
}

export interface Patch {
  additions: number;
  deletions: number;
  /** Hunks as `git diff` shows them; undefined: there is nothing to show. */
  patch?: string;
}

/** Size from which on GitHub shows no lines of a file, in bytes. */
const TOO_LARGE = 1024 * 1024;

export function patchOf(before: Buffer | undefined, after: Buffer | undefined): Patch {
  const old = before ?? Buffer.alloc(0);
  const now = after ?? Buffer.alloc(0);
  const isBinary = [old, now].some((content) => content.includes(0));
  if (isBinary || old.length + now.length > TOO_LARGE) return { additions: 0, deletions: 0 };
  const { hunks } = structuredPatch("", "", old.toString(), now.toString());
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  const shown = hunks.map((hunk) => {
    const [from, to] = [span(hunk.oldStart, hunk.oldLines), span(hunk.newStart, hunk.newLines)];
    return [`@@ -${from} +${to} @@`, ...hunk.lines].join("\n");
  });
  const patch = shown.length === 0 ? {} : { patch: shown.join("\n") };
  return { additions: count("+"), deletions: count("-"), ...patch };
}

/** Git counts from the line before where there are none, and leaves out the number where it is one. */
function span(start: number, lines: number): string {
  return lines === 1 ? String(start) : `${lines === 0 ? start - 1 : start},${lines}`;
}

/** A text with what two sides changed in it; undefined: they changed the same lines. */
function mergeTexts(base: Buffer, ours: Buffer, theirs: Buffer): string | undefined {
  const context = { context: 1 };
  const patch = structuredPatch("", "", base.toString(), theirs.toString(), "", "", context);
  const merged = applyPatch(ours.toString(), patch);
  return merged === false ? undefined : merged;
}
