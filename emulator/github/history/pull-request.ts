/** A pull request as it is now: its tip, its commits, its files, and how it was merged. */

import { createHash } from "node:crypto";
import { between, mergeBase } from "./graph.ts";
import { type Commit, finder, type Merge, type Repository, read } from "./repository.ts";
import { type ChangedFile, difference } from "./trees.ts";
import type { Upstream } from "./upstream.ts";

export interface Pull {
  number: number;
  title: string;
  state: string;
  draft: boolean;
  user: { login: string };
  head: { ref: string; sha: string; label: string };
  base: { ref: string; sha: string };
  merged_at: string | null;
  merge_commit_sha: string | null;
}

/** What GitHub tells of one pull request only, not in a list. */
const ONLY_ALONE = new Set([
  ...["merged", "mergeable", "mergeable_state", "rebaseable", "merged_by"],
  ...["comments", "review_comments", "commits", "additions", "deletions", "changed_files"],
]);

/** As in a list. */
export async function asListed(repository: Repository, upstream: Upstream, pull: Pull) {
  const told = await asTold(repository, upstream, pull);
  return Object.fromEntries(Object.entries(told).filter(([name]) => !ONLY_ALONE.has(name)));
}

/** With how many commits, files and lines it has. */
export async function inFull(repository: Repository, upstream: Upstream, pull: Pull) {
  const range = await rangeOf(repository, upstream, pull);
  const files = await filesOf(upstream, range);
  const total = (count: "additions" | "deletions") =>
    files.reduce((sum, file) => sum + file[count], 0);
  return {
    ...(await asTold(repository, upstream, pull)),
    commits: range.commits.length,
    changed_files: files.length,
    additions: total("additions"),
    deletions: total("deletions"),
  };
}

/** With its tip and its merge as they are. */
export async function asTold<P extends Pull>(
  repository: Repository,
  upstream: Upstream,
  pull: P,
): Promise<P> {
  const merge = repository.merges.get(pull.number);
  const sha = merge?.head ?? (await tipOf(repository, upstream, pull))?.sha ?? pull.head.sha;
  const head = { ...pull.head, sha };
  if (merge !== undefined) return { ...pull, head, ...merged(merge) };
  return { ...pull, head, merge_commit_sha: trialMerge(pull, sha) };
}

function merged({ sha, at, by }: Merge) {
  const merged_by = { login: by, type: by.endsWith("[bot]") ? "Bot" : "User" };
  return { state: "closed", merged: true, merged_at: at, merge_commit_sha: sha, merged_by };
}

/** As on GitHub, a pull request that is not merged names the commit with which its merge was tried. */
function trialMerge({ number }: Pull, head: string): string {
  return createHash("sha1").update(`${number} ${head}`).digest("hex");
}

/** Undefined: the branch was deleted. */
function tipOf(
  repository: Repository,
  upstream: Upstream,
  { head }: Pull,
): Promise<Commit | undefined> {
  return read(repository, upstream, `heads/${head.ref}`).catch(() => undefined);
}

interface Range {
  from: Commit | undefined;
  to: Commit | undefined;
  /** Oldest first. */
  commits: Commit[];
}

/** What the pull request holds, in its branch's own commits. */
export async function rangeOf(
  repository: Repository,
  upstream: Upstream,
  pull: Pull,
): Promise<Range> {
  const find = finder(repository);
  const merge = repository.merges.get(pull.number);
  if (merge !== undefined) {
    const commits = merge.commits.flatMap((sha) => find(sha) ?? []);
    return { from: find(merge.fork), to: find(merge.head), commits };
  }
  const base = await read(repository, upstream, `heads/${pull.base.ref}`);
  const to = await tipOf(repository, upstream, pull);
  if (to === undefined) return { from: undefined, to, commits: [] };
  const from = mergeBase(find, base.sha, to.sha);
  return { from, to, commits: between(find, base.sha, to.sha) };
}

export async function filesOf(upstream: Upstream, { from, to }: Range): Promise<ChangedFile[]> {
  if (from === undefined || to === undefined) return [];
  return difference(upstream, from.item.commit.tree.sha, to.item.commit.tree.sha);
}
