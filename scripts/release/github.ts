import type { Change, Found, Release } from "./plan.ts";

/** Where the releases of a repository are. */
export interface Repository {
  /** Address of GitHub's API, without a slash at its end. */
  apiUrl: string;
  /** `owner/name` */
  name: string;
  /** Empty: only what everybody can see. */
  token: string;
}

interface GitObject {
  sha: string;
  type: string;
}

interface ReleaseRecord {
  id: number;
  tag_name: string;
  name: string | null;
  body: string | null;
  draft: boolean;
}

/** Milliseconds for one request. */
const LIMIT = 30_000;
const PAGE = 100;

/** Reads which tags and releases are there. */
export async function readFound(repository: Repository): Promise<Found> {
  const refs = await all<{ ref: string; object: GitObject }>(
    repository,
    "git/matching-refs/tags/v",
  );
  const tags: Record<string, string> = {};
  for (const { ref, object } of refs) {
    tags[ref.replace("refs/tags/", "")] = await commitOf(repository, object);
  }
  const releases = await all<ReleaseRecord>(repository, "releases");
  const latest = await send(repository, "GET", "releases/latest", undefined, { orMissing: true });
  return {
    tags,
    releases: releases.map(
      (it): Release => ({
        id: it.id,
        tag: it.tag_name,
        name: it.name ?? "",
        notes: it.body ?? "",
        isDraft: it.draft,
      }),
    ),
    latest: (latest as ReleaseRecord | null)?.tag_name ?? null,
  };
}

/** Makes a change. It is not tried again: whoever runs the release again finds out whether it was made. */
export async function makeChange(repository: Repository, change: Change): Promise<void> {
  await send(repository, change.method, change.path, change.body);
}

/** An annotated tag is an object of its own, which names the commit. */
async function commitOf(repository: Repository, { sha, type }: GitObject): Promise<string> {
  if (type !== "tag") return sha;
  const tag = (await send(repository, "GET", `git/tags/${sha}`)) as { object: GitObject };
  return await commitOf(repository, tag.object);
}

async function all<T>(repository: Repository, path: string): Promise<T[]> {
  const found: T[] = [];
  for (let page = 1; ; page++) {
    const query = `per_page=${PAGE}&page=${page}`;
    const records = (await send(repository, "GET", `${path}?${query}`)) as T[];
    found.push(...records);
    if (records.length < PAGE) return found;
  }
}

async function send(
  { apiUrl, name, token }: Repository,
  method: string,
  path: string,
  body?: unknown,
  { orMissing = false } = {},
): Promise<unknown> {
  const response = await fetch(`${apiUrl}/repos/${name}/${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(LIMIT),
  });
  if (orMissing && response.status === 404) return null;
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`GitHub answered ${method} ${path} with ${response.status}: ${text}`);
  }
  return JSON.parse(text);
}
