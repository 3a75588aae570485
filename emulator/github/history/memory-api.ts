/** GitHub's REST API over a repository in memory: what can be read of its history. */

import { pageOf } from "../limits.ts";
import { ancestors, between, mergeBase, newestFirst } from "./graph.ts";
import type { MemoryCommit, MemoryPull, MemoryRepository } from "./memory.ts";

export interface MemoryAnswer {
  status: number;
  headers: { date: string; link?: string };
  body: unknown;
}

type Route = (repository: MemoryRepository, parts: string[], query: URLSearchParams) => Found;

/** What a route found; undefined: nothing. A list is told in pages. */
type Found = object | undefined;

const ROUTES: [pattern: RegExp, route: Route, status?: number][] = [
  [/^$/, ({ name }) => ({ full_name: name, default_branch: "main", has_issues: true })],
  [/^\/branches\/(.+)$/, branch],
  [/^\/compare\/([^/]+)\.\.\.([^/]+)$/, comparison],
  [/^\/commits$/, listCommits],
  [/^\/commits\/([^/]+)\/pulls$/, pullsOf, 422],
  [/^\/commits\/(.+)$/, oneCommit, 422],
  [/^\/pulls$/, listPulls],
  [/^\/pulls\/(\d+)$/, (repository, [number]) => asPull(repository, pull(repository, number))],
  [/^\/pulls\/(\d+)\/commits$/, ownCommits],
  [/^\/pulls\/(\d+)\/files$/, (repository, [number]) => filesOf(pull(repository, number)?.commits)],
];

/** Answers a GET. @param path below `/repos/OWNER/NAME`, still encoded. */
export function answerFromMemory(
  repository: MemoryRepository,
  path: string,
  query: URLSearchParams,
): MemoryAnswer {
  const headers = { date: new Date(repository.now()).toUTCString() };
  for (const [pattern, route, status = 404] of ROUTES) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const parts = match.slice(1).map((part) => decodeURIComponent(part));
    const found = route(repository, parts, query);
    if (found === undefined) return { status, headers, body: { message: "Not Found" } };
    if (!Array.isArray(found)) return { status: 200, headers, body: found };
    const { items, link } = pageOf(found, addressOf(query));
    return { status: 200, headers: { ...headers, ...(link !== "" && { link }) }, body: items };
  }
  return { status: 404, headers, body: { message: "Not Found" } };
}

/** An address with a query; who follows a link reads its query alone. */
export function addressOf(query: URLSearchParams): URL {
  return new URL(`https://api.github.com/x?${query}`);
}

function resolve(repository: MemoryRepository, ref = ""): MemoryCommit | undefined {
  const sha = repository.refs.get(ref) ?? ref;
  return repository.gone.has(sha) ? undefined : repository.commits.get(sha);
}

function branch(repository: MemoryRepository, [name = ""]: string[]): Found {
  const sha = repository.refs.get(name);
  return sha === undefined ? undefined : { name, commit: { sha } };
}

function comparison(
  repository: MemoryRepository,
  [one, other]: string[],
  query: URLSearchParams,
): Found {
  const base = resolve(repository, one);
  const head = resolve(repository, other);
  if (base === undefined || head === undefined) return undefined;
  const fork = mergeBase(repository.find, base.sha, head.sha);
  if (fork === undefined) return undefined;
  const ahead = between(repository.find, base.sha, head.sha);
  const behind = between(repository.find, head.sha, base.sha).length;
  const apart = ahead.length === 0 ? "behind" : "diverged";
  const level = ahead.length === 0 ? "identical" : "ahead";
  return {
    status: behind === 0 ? level : apart,
    ahead_by: ahead.length,
    behind_by: behind,
    total_commits: ahead.length,
    merge_base_commit: asCommit(repository, fork),
    commits: pageOf(ahead, addressOf(query)).items.map((commit) => asCommit(repository, commit)),
    files: [],
  };
}

function listCommits(repository: MemoryRepository, _: string[], query: URLSearchParams): Found {
  const head = resolve(repository, query.get("sha") ?? "main");
  if (head === undefined) return undefined;
  const since = Date.parse(query.get("since") ?? "");
  return newestFirst(ancestors(repository.find, head.sha))
    .filter(({ at }) => Number.isNaN(since) || at >= since)
    .map((commit) => asCommit(repository, commit));
}

function oneCommit(repository: MemoryRepository, [ref]: string[]): Found {
  const commit = resolve(repository, ref);
  if (commit === undefined) return undefined;
  return { ...asCommit(repository, commit), files: filesOf([commit]) };
}

function listPulls(repository: MemoryRepository, _: string[], query: URLSearchParams): Found {
  const state = query.get("state") ?? "open";
  const base = query.get("base");
  return repository.pulls
    .filter((one) => (state === "all" || one.state === state) && (base ?? one.base) === one.base)
    .sort((one, other) => other.updatedAt - one.updatedAt || other.number - one.number)
    .map((one) => asPull(repository, one));
}

function pullsOf(repository: MemoryRepository, [sha = ""]: string[]): Found {
  if (resolve(repository, sha) === undefined) return undefined;
  return repository.pulls
    .filter(({ landed, commits }) => [...landed, ...commits.map((it) => it.sha)].includes(sha))
    .map((one) => asPull(repository, one));
}

function ownCommits(repository: MemoryRepository, [number]: string[]): Found {
  return pull(repository, number)?.commits.map((commit) => asCommit(repository, commit));
}

function pull({ pulls }: MemoryRepository, number: string | undefined): MemoryPull | undefined {
  return pulls.find((one) => String(one.number) === number);
}

function filesOf(commits: readonly MemoryCommit[] | undefined) {
  const names = new Set(commits?.flatMap(({ files }) => files));
  if (commits === undefined) return undefined;
  return [...names].map((filename) => ({
    filename,
    status: "modified",
    additions: 1,
    deletions: 0,
    patch: `@@ -0,0 +1 @@\n+${filename}`,
  }));
}

function asCommit({ name }: MemoryRepository, commit: MemoryCommit) {
  return {
    sha: commit.sha,
    commit: {
      author: { ...person(commit.author), date: seconds(commit.authoredAt) },
      committer: { ...person(commit.committer), date: seconds(commit.at) },
      message: commit.message,
      tree: { sha: commit.sha },
    },
    author: { login: commit.author, type: typeOf(commit.author) },
    html_url: `https://github.com/${name}/commit/${commit.sha}`,
    parents: commit.parents.map((sha) => ({ sha })),
  };
}

function asPull({ name }: MemoryRepository, one: MemoryPull | undefined): Found {
  if (one === undefined) return undefined;
  return {
    number: one.number,
    title: one.title,
    body: one.body,
    state: one.state,
    html_url: `https://github.com/${name}/pull/${one.number}`,
    user: { login: one.author, type: typeOf(one.author) },
    labels: one.labels.map((label) => ({ name: label })),
    head: { ref: one.branch, sha: one.commits.at(-1)?.sha },
    base: { ref: one.base },
    updated_at: seconds(one.updatedAt),
    merged_at: one.mergedAt === null ? null : seconds(one.mergedAt),
    merge_commit_sha: one.mergeSha,
  };
}

/** GitHub tells times without fractions of a second. */
function seconds(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}

function person(name: string) {
  const email = name === "GitHub" ? "noreply@github.com" : `${name}@users.noreply.github.com`;
  return { name, email };
}

function typeOf(login: string): string {
  return login.endsWith("[bot]") ? "Bot" : "User";
}
