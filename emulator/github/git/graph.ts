/** What can be asked of a history of commits: who descends from whom, and what lies between two. */

import type { Commit } from "./objects.ts";

type Find = (sha: string) => Commit | undefined;

export function ancestors(find: Find, head: string): Map<string, Commit> {
  const found = new Map<string, Commit>();
  const open = [head];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    const node = found.has(sha) ? undefined : find(sha);
    if (node === undefined) continue;
    found.set(sha, node);
    open.push(...node.parents);
  }
  return found;
}

/** The commits in the order of their dates, newest first, but none before one that descends from it. */
export function newestFirst(nodes: ReadonlyMap<string, Commit>): Commit[] {
  return [...nodes.values()].sort(
    (one, other) => other.order - one.order || other.depth - one.depth,
  );
}

const [OWN, OTHERS, BOTH] = [1, 2, 3];

/** Goes down from both, the deepest commit first, until only what both descend from is left. */
export function diverge(find: Find, one: string, other: string) {
  const sides = new Map<string, number>();
  /** By depth, the deepest last. */
  const open: Commit[] = [];
  const add = (sha: string, side: number) => {
    const node = find(sha);
    if (node === undefined) return;
    const known = sides.get(sha) ?? 0;
    sides.set(sha, known | side);
    if (known !== 0) return;
    const at = open.findLastIndex(({ depth }) => depth <= node.depth);
    open.splice(at + 1, 0, node);
  };
  add(one, OWN as number);
  add(other, OTHERS as number);
  // What only one of them descends from, and the last that both do.
  const [own, others] = [new Map<string, Commit>(), new Map<string, Commit>()];
  let base: Commit | undefined;
  while (open.some(({ sha }) => sides.get(sha) !== BOTH)) {
    const node = open.pop() as Commit;
    const side = sides.get(node.sha);
    if (side === BOTH) base ??= node;
    else (side === OWN ? own : others).set(node.sha, node);
    for (const parent of node.parents) add(parent, side as number);
  }
  return { own, others, base: base ?? open.pop() };
}

/** What `head` descends from and `base` does not, oldest first: `git log base..head`, turned round. */
export function between(find: Find, base: string, head: string): Commit[] {
  return newestFirst(diverge(find, head, base).own).reverse();
}

/** A commit that both descend from, and that no other such commit descends from. */
export function mergeBase(find: Find, one: string, other: string): Commit | undefined {
  return diverge(find, one, other).base;
}

/** Whether a commit is another one, or descends from it. */
export function descendsFrom(find: Find, head: string, base: string): boolean {
  return mergeBase(find, head, base)?.sha === base;
}
