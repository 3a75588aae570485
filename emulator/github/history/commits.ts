/** The routes of commits: lists, comparisons, and the pull requests of a commit. */

import type { App, Call } from "../../http/app.ts";
import { pageOf } from "../limits.ts";
import type { GitHubProxy } from "../proxy.ts";
import { between, mergeBase } from "./graph.ts";
import { asListed, type Pull, rangeOf } from "./pull-request.ts";
import {
  type Commit,
  type CommitItem,
  finder,
  type Repository,
  type RepositoryOf,
  read,
} from "./repository.ts";
import { difference } from "./trees.ts";
import {
  asCaller,
  asSite,
  linked,
  paged,
  passing,
  Refused,
  refusal,
  type Upstream,
} from "./upstream.ts";

const REPO = "/repos/:owner/:repo";

/** How many commits a comparison tells when no page is asked for, and files in any case. */
const UNPAGED = 250;
const MOST_FILES = 300;

export function commits(app: App, proxy: GitHubProxy, repositoryOf: RepositoryOf): void {
  app.get(
    `${REPO}/commits`,
    passing(async (call) => {
      const repository = repositoryOf(call);
      if (repository.gone.has(call.req.query("sha") ?? "")) return refusal(call, 404, "Not Found");
      const answer = await proxy.forward(call);
      if (!answer.ok) return answer;
      const list = (await answer.json()) as CommitItem[];
      const newest = list[0];
      if (newest !== undefined) await read(repository, asSite(proxy, call), newest.sha);
      const items = list.map((item) => repository.commits.get(item.sha)?.item ?? item);
      return linked(call, answer, items);
    }),
  );

  app.get(
    `${REPO}/commits/:sha/pulls`,
    passing(async (call) => {
      const repository = repositoryOf(call);
      const sha = call.req.param("sha");
      const commit = await find(repository, asSite(proxy, call), sha);
      if (commit === undefined) return unknown(call, sha);
      return paged(call, await pullsOf(proxy, repository, call, commit));
    }),
  );

  app.get(
    `${REPO}/commits/:ref{.+}`,
    passing(async (call) => {
      const ref = call.req.param("ref");
      const isGone = repositoryOf(call).gone.has(ref);
      const answer = await proxy.forward(call);
      if (answer.ok && !isGone) return answer;
      await asCaller(proxy, call).get("");
      return unknown(call, ref);
    }),
  );

  app.get(
    `${REPO}/compare/:basehead{.+}`,
    passing((call) => comparison(repositoryOf(call), asSite(proxy, call), call)),
  );
}

async function comparison(repository: Repository, upstream: Upstream, call: Call) {
  const [one = "", other = ""] = call.req.param("basehead").split("...");
  const base = await find(repository, upstream, one);
  const head = await find(repository, upstream, other);
  if (base === undefined || head === undefined) return refusal(call, 404, "Not Found");
  const fork = mergeBase(finder(repository), base.sha, head.sha);
  if (fork === undefined) {
    return refusal(call, 404, `No common ancestor between ${one} and ${other}.`);
  }
  const ahead = between(finder(repository), base.sha, head.sha);
  const behind = between(finder(repository), head.sha, base.sha).length;
  const isPaged = ["page", "per_page"].some((name) => call.req.query(name) !== undefined);
  const { items, link } = isPaged
    ? pageOf(ahead, new URL(call.req.url))
    : { items: ahead.slice(0, UNPAGED), link: "" };
  if (link !== "") call.header("link", link);
  const isFirst = (call.req.query("page") ?? "1") === "1";
  const files = isFirst ? await difference(upstream, treeOf(fork), treeOf(head)) : [];
  return call.json({
    status: statusOf(ahead.length, behind),
    ahead_by: ahead.length,
    behind_by: behind,
    total_commits: ahead.length,
    base_commit: base.item,
    merge_base_commit: fork.item,
    commits: items.map(({ item }) => item),
    files: files.slice(0, MOST_FILES),
  });
}

function statusOf(ahead: number, behind: number): string {
  if (ahead === 0) return behind === 0 ? "identical" : "behind";
  return behind === 0 ? "ahead" : "diverged";
}

async function find(
  repository: Repository,
  upstream: Upstream,
  ref: string,
): Promise<Commit | undefined> {
  if (repository.gone.has(ref)) return undefined;
  try {
    return await read(repository, upstream, ref);
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/** The merged pull requests that brought a commit in; where none did, the open ones that hold it. */
async function pullsOf(
  proxy: GitHubProxy,
  repository: Repository,
  call: Call,
  commit: Commit,
): Promise<object[]> {
  const caller = asCaller(proxy, call);
  const upstream = asSite(proxy, call);
  const numbers = repository.brought.get(commit.sha) ?? [];
  const merged = numbers.map((number) => caller.get<Pull>(`/pulls/${number}`));
  const found = await Promise.all(merged);
  if (found.length === 0) {
    for (const pull of await caller.get<Pull[]>("/pulls?state=open&per_page=100")) {
      if ((await rangeOf(repository, upstream, pull)).commits.includes(commit)) found.push(pull);
    }
  }
  return Promise.all(found.map((pull) => asListed(repository, upstream, pull)));
}

function unknown(call: Call, ref: string): Response {
  return refusal(call, 422, `No commit found for SHA: ${ref}`);
}

function treeOf({ item }: Commit): string {
  return item.commit.tree.sha;
}
