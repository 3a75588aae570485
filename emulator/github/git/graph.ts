/** Questions about a history of commits: which descends from which, and which are between two. */

import type { Commit } from "./objects.ts";

type Find = (sha: string) => Commit | undefined;

/** A commit and all that it descends from. @param isListed where not, the walk does not go on */
export function ancestors(
  find: Find,
  head: string,
  isListed: (commit: Commit) => boolean = () => true,
): Map<string, Commit> {
  const commits = new Map<string, Commit>();
  const open = [head];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    const commit = commits.has(sha) ? undefined : find(sha);
    if (commit === undefined || !isListed(commit)) continue;
    commits.set(sha, commit);
    open.push(...commit.parents);
  }
  return commits;
}

/** The commits in the order of their dates, newest first, but none before one that descends from it. */
export function newestFirst(nodes: ReadonlyMap<string, Commit>): Commit[] {
  return [...nodes.values()].sort(
    (first, second) => second.order - first.order || second.depth - first.depth,
  );
}

/** From which of two commits a commit can be reached: bits. */
const FROM_HEAD = 1;
const FROM_BASE = 2;
const FROM_BOTH = FROM_HEAD | FROM_BASE;

/** How two commits diverged. */
export interface Divergence {
  /** Commits that only `head` descends from, by their SHAs. */
  own: Map<string, Commit>;
  /** Commits that only `base` descends from. */
  others: Map<string, Commit>;
  /** The last commit that both descend from. */
  base: Commit | undefined;
}

/** Walks down from both commits, the deepest first, until only commits that both descend from remain. */
export function diverge(find: Find, head: string, base: string): Divergence {
  const sides = new Map<string, number>();
  /** By depth, the deepest last. */
  const open: Commit[] = [];
  const add = (sha: string, side: number) => {
    const commit = find(sha);
    if (commit === undefined) return;
    const known = sides.get(sha) ?? 0;
    sides.set(sha, known | side);
    if (known !== 0) return;
    const at = open.findLastIndex(({ depth }) => depth <= commit.depth);
    open.splice(at + 1, 0, commit);
  };
  add(head, FROM_HEAD);
  add(base, FROM_BASE);
  const own = new Map<string, Commit>();
  const others = new Map<string, Commit>();
  let common: Commit | undefined;
  while (open.some(({ sha }) => sides.get(sha) !== FROM_BOTH)) {
    const commit = open.pop();
    if (commit === undefined) break;
    const side = sides.get(commit.sha) ?? 0;
    if (side === FROM_BOTH) common ??= commit;
    else (side === FROM_HEAD ? own : others).set(commit.sha, commit);
    for (const parent of commit.parents) add(parent, side);
  }
  return { own, others, base: common ?? open.pop() };
}

/** The commits that `head` descends from and `base` does not, oldest first: `git log --reverse base..head`. */
export function between(find: Find, base: string, head: string): Commit[] {
  return newestFirst(diverge(find, head, base).own).reverse();
}

/** A commit that both descend from, and that no other such commit descends from. */
export function mergeBase(find: Find, first: string, second: string): Commit | undefined {
  return diverge(find, first, second).base;
}

/** Whether a commit is another one, or descends from it. */
export function descendsFrom(find: Find, head: string, base: string): boolean {
  return mergeBase(find, head, base)?.sha === base;
}
