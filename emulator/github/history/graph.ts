/** What can be asked of a history of commits: who descends from whom, and what lies between two. */

export interface Node {
  sha: string;
  parents: readonly string[];
  /** When it was committed, in milliseconds since 1970. */
  at: number;
}

/** Finds a commit by its full SHA. */
export type Find<N extends Node> = (sha: string) => N | undefined;

/** A commit and all that it descends from. */
export function ancestors<N extends Node>(find: Find<N>, head: string): Map<string, N> {
  const found = new Map<string, N>();
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
export function newestFirst<N extends Node>(nodes: ReadonlyMap<string, N>): N[] {
  const children = new Map<string, number>();
  for (const { parents } of nodes.values()) {
    for (const parent of parents) children.set(parent, (children.get(parent) ?? 0) + 1);
  }
  const open = [...nodes.values()].filter(({ sha }) => !children.has(sha));
  const ordered: N[] = [];
  while (open.length > 0) {
    open.sort((one, other) => one.at - other.at);
    const node = open.pop() as N;
    ordered.push(node);
    for (const parent of node.parents) {
      const left = (children.get(parent) ?? 0) - 1;
      children.set(parent, left);
      const ready = left === 0 ? nodes.get(parent) : undefined;
      if (ready !== undefined) open.push(ready);
    }
  }
  return ordered;
}

/** What `head` descends from and `base` does not, oldest first: `git log base..head`, turned round. */
export function between<N extends Node>(find: Find<N>, base: string, head: string): N[] {
  const known = ancestors(find, base);
  const all = ancestors((sha) => (known.has(sha) ? undefined : find(sha)), head);
  return newestFirst(all).reverse();
}

/** The newest commit that both descend from, and that no other such commit descends from. */
export function mergeBase<N extends Node>(
  find: Find<N>,
  one: string,
  other: string,
): N | undefined {
  const left = ancestors(find, one);
  const shared = [...ancestors(find, other).values()].filter(({ sha }) => left.has(sha));
  const covered = new Set(shared.flatMap(({ parents }) => parents));
  return shared.filter(({ sha }) => !covered.has(sha)).sort((a, b) => b.at - a.at)[0];
}
