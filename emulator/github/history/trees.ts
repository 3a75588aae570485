/** The files of commits: what two differ in, and what a merge of three makes. */

import type { Upstream } from "./upstream.ts";

export interface ChangedFile {
  filename: string;
  status: string;
  additions: number;
  deletions: number;
  patch?: string;
}

interface Entry {
  path: string;
  mode: string;
  type: string;
  sha: string;
}

/** Largest number of files that GitHub tells of one difference. */
const MOST_FILES = 3000;

/** What one tree changes in another, file by file. The trees are named by their SHAs. */
export async function difference(
  upstream: Upstream,
  from: string,
  to: string,
): Promise<ChangedFile[]> {
  // GitHub's emulator tells the files of a commit much faster than those of a comparison.
  const at = { date: "1970-01-01T00:00:00Z", name: "GitHub", email: "noreply@github.com" };
  const made = { author: at, committer: at };
  const base = await commitTree(upstream, { message: "", tree: from, parents: [], ...made });
  const head = await commitTree(upstream, { message: "", tree: to, parents: [base], ...made });
  const files: ChangedFile[] = [];
  for (let page = 1; files.length < MOST_FILES; page += 1) {
    const answer = await upstream.get<{ files: ChangedFile[] }>(
      `/commits/${head}?per_page=100&page=${page}`,
    );
    files.push(...answer.files);
    if (answer.files.length < 100) break;
  }
  return files;
}

/** Makes a commit that no branch leads to. */
export async function commitTree(
  upstream: Upstream,
  commit: {
    message: string;
    tree: string;
    parents: string[];
    author?: { name: string; email: string; date?: string };
    committer?: { name: string; email: string; date?: string };
  },
): Promise<string> {
  return (await upstream.send<{ sha: string }>("POST", "/git/commits", commit)).sha;
}

/** Files of trees by the tree's SHA: a tree never changes. */
export type Trees = Map<string, ReadonlyMap<string, Entry>>;

/**
 * The tree that has what `theirs` changed in `base` on top of `ours`.
 *
 * @returns undefined when both changed the same file.
 */
export async function mergeTrees(
  upstream: Upstream,
  trees: Trees,
  { base, ours, theirs }: { base: string; ours: string; theirs: string },
): Promise<string | undefined> {
  const before = await filesOf(upstream, trees, base);
  const mine = await filesOf(upstream, trees, ours);
  const other = await filesOf(upstream, trees, theirs);
  const result = new Map(mine);
  const changes: (Omit<Entry, "sha"> & { sha: string | null })[] = [];
  for (const path of new Set([...before.keys(), ...other.keys()])) {
    const [old, mineNow, theirsNow] = [before, mine, other].map((files) => files.get(path));
    if (old?.sha === theirsNow?.sha || mineNow?.sha === theirsNow?.sha) continue;
    if (mineNow?.sha !== old?.sha) return undefined;
    const { mode, type } = theirsNow ?? (old as Entry);
    changes.push({ path, mode, type, sha: theirsNow?.sha ?? null });
    if (theirsNow === undefined) result.delete(path);
    else result.set(path, theirsNow);
  }
  if (changes.length === 0) return ours;
  const body = { base_tree: ours, tree: changes };
  const { sha } = await upstream.send<{ sha: string }>("POST", "/git/trees", body);
  trees.set(sha, result);
  return sha;
}

async function filesOf(upstream: Upstream, trees: Trees, sha: string) {
  const known = trees.get(sha);
  if (known !== undefined) return known;
  const { tree } = await upstream.get<{ tree: Entry[] }>(`/git/trees/${sha}?recursive=1`);
  const files = tree
    .filter(({ type }) => type !== "tree")
    .map((entry): [string, Entry] => [entry.path, entry]);
  trees.set(sha, new Map(files));
  return new Map(files);
}
