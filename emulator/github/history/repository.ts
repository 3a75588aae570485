/** What is remembered of a repository's history: its commits, which never change, and its merges. */

import type { Call } from "../../http/app.ts";
import type { Node } from "./graph.ts";
import type { Trees } from "./trees.ts";
import type { Upstream } from "./upstream.ts";

/** A commit as GitHub's lists show it. */
export interface CommitItem {
  sha: string;
  commit: {
    author: Signature;
    committer: Signature;
    message: string;
    tree: { sha: string };
  };
  parents: { sha: string }[];
  author: { login: string } | null;
}

export interface Signature {
  name: string;
  email: string;
  date: string;
}

export interface Commit extends Node {
  item: CommitItem;
}

/** How a pull request came into its branch. */
export interface Merge {
  /** The commit that `merge_commit_sha` names. */
  sha: string;
  at: string;
  by: string;
  /** Tip of the pull request's branch, and where that forked from its base. */
  head: string;
  fork: string;
  /** SHAs of its own commits, oldest first. */
  commits: string[];
}

export interface Repository {
  commits: Map<string, Commit>;
  /** By the pull request's number. */
  merges: Map<number, Merge>;
  /** Numbers of the pull requests that brought a commit in. */
  brought: Map<string, number[]>;
  /** Commits that GitHub no longer has, as after a force-push and time. */
  gone: Set<string>;
  hasIssues: boolean;
  trees: Trees;
  /** One merge after the other. */
  lock: Promise<unknown>;
}

/** What is remembered of the repository that a call is about. */
export type RepositoryOf = (call: Call) => Repository;

export function emptyRepository(): Repository {
  return {
    commits: new Map(),
    merges: new Map(),
    brought: new Map(),
    gone: new Set(),
    trees: new Map(),
    hasIssues: true,
    lock: Promise.resolve(),
  };
}

/** Finds a commit among those that were read; use {@link read} before. */
export const finder = (repository: Repository) => (sha: string) => repository.commits.get(sha);

/**
 * The commit that a SHA, branch or tag names, with all that it descends from.
 *
 * @throws Refused when there is none.
 */
export async function read(
  repository: Repository,
  upstream: Upstream,
  ref: string,
): Promise<Commit> {
  const { commits } = repository;
  const known = commits.get(ref);
  if (known !== undefined) return known;
  const first = await readOne(upstream, ref);
  // Kept all at once at the end: whoever finds a commit finds all that it descends from.
  const found = new Map([[first.sha, first]]);
  const open = [...first.parents];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    if (commits.has(sha) || found.has(sha)) continue;
    const commit = await readOne(upstream, sha);
    found.set(sha, commit);
    open.push(...commit.parents);
  }
  for (const commit of found.values()) {
    if (!commits.has(commit.sha)) commits.set(commit.sha, commit);
  }
  return commits.get(first.sha) ?? first;
}

async function readOne(upstream: Upstream, ref: string): Promise<Commit> {
  const answer = await upstream.get<CommitItem & { files?: unknown; stats?: unknown }>(
    `/commits/${encodeURIComponent(ref)}?per_page=1`,
  );
  const { files: _files, stats: _stats, ...item } = answer;
  return {
    sha: item.sha,
    parents: item.parents.map(({ sha }) => sha),
    at: Date.parse(item.commit.committer.date),
    item,
  };
}
