import type { Octokit } from "@octokit/core";
import { type Comment, owned, PAGE } from "./comments.ts";

/** A comment of a repository, as its list tells of it. */
export interface RecentComment extends Comment {
  /** The issue or pull request that it is on. */
  issue: number;
  /** When it was last written, in milliseconds since 1970 by GitHub's clock. */
  updatedAt: number;
}

export interface RecentPage {
  comments: RecentComment[];
  /** The time by GitHub's clock, in milliseconds since 1970; null if the answer does not tell. */
  now: number | null;
}

/** Most pages that are read: a repository with more than 10,000 comments in the time keeps its newest. */
export const MAX_PAGES = 100;

/**
 * The comments on all issues and pull requests of a repository that were written since, page by page. Those
 * written last come first, so that one that is written meanwhile comes twice rather than pushing another out.
 *
 * @param repository `owner/name`
 * @param since milliseconds since 1970
 */
export async function* recentComments(
  github: Octokit,
  repository: string,
  since: number,
): AsyncGenerator<RecentPage> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data, headers } = await github.request("GET /repos/{owner}/{repo}/issues/comments", {
      ...owned({ repository }),
      since: new Date(since).toISOString().replace(/\.\d+Z$/, "Z"),
      ...{ sort: "updated", direction: "desc", per_page: PAGE, page },
    });
    const now = Date.parse(String(headers.date ?? ""));
    yield { comments: data.map(told), now: Number.isNaN(now) ? null : now };
    if (!String(headers.link ?? "").includes('rel="next"')) return;
  }
}

function told(comment: {
  id: unknown;
  body?: unknown;
  html_url?: unknown;
  issue_url?: unknown;
  updated_at?: unknown;
}): RecentComment {
  const [, issue] = /\/issues\/(\d+)$/.exec(String(comment.issue_url ?? "")) ?? [];
  return {
    id: Number(comment.id),
    body: String(comment.body ?? ""),
    url: String(comment.html_url ?? ""),
    issue: Number(issue ?? 0),
    updatedAt: Date.parse(String(comment.updated_at ?? "")) || 0,
  };
}
