/** The comments on all issues and pull requests of a repository, a list that GitHub's emulator lacks. */

import type { App, Call } from "../../http/app.ts";
import type { GitHubProxy } from "../proxy.ts";
import { asSite, paged, passing, type Upstream } from "./upstream.ts";

interface Comment {
  id: number;
  created_at: string;
  updated_at: string;
}

/** Largest page of GitHub's emulator. */
const PAGE = 100;

export function repositoryComments(app: App, proxy: GitHubProxy): void {
  app.get(
    "/repos/:owner/:repo/issues/comments",
    passing(async (call) => paged(call, chosen(call, await all(asSite(proxy, call))))),
  );
}

async function all(upstream: Upstream): Promise<Comment[]> {
  const numbers = new Set<number>();
  for (const kind of ["issues", "pulls"]) {
    const found = await everyPage<{ number: number }>(upstream, `/${kind}?state=all`);
    for (const { number } of found) numbers.add(number);
  }
  const comments: Comment[] = [];
  for (const number of numbers) {
    comments.push(...(await everyPage<Comment>(upstream, `/issues/${number}/comments?`)));
  }
  return comments;
}

/** @param path with its query begun */
async function everyPage<T>(upstream: Upstream, path: string): Promise<T[]> {
  const found: T[] = [];
  for (let page = 1; found.length === (page - 1) * PAGE; page += 1) {
    found.push(...(await upstream.get<T[]>(`${path}&per_page=${PAGE}&page=${page}`)));
  }
  return found;
}

/** What the query asks for: those that were written since, in its order. */
function chosen(call: Call, comments: readonly Comment[]): Comment[] {
  const since = Date.parse(call.req.query("since") ?? "");
  const field = call.req.query("sort") === "updated" ? "updated_at" : "created_at";
  // Without `sort`, GitHub pays no heed to the direction.
  const isDown =
    call.req.query("sort") !== undefined && call.req.query("direction") === "desc" ? -1 : 1;
  return comments
    .filter(({ updated_at }) => Number.isNaN(since) || seconds(updated_at) >= since)
    .toSorted(
      (one, other) =>
        isDown * (Date.parse(one[field]) - Date.parse(other[field]) || one.id - other.id),
    );
}

/** GitHub tells times, and compares them, without fractions of a second. */
function seconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000) * 1000;
}
