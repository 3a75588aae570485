import type { Octokit } from "@octokit/core";
import { type Comment, owned, PAGE } from "./comments.ts";

/** A comment in GitHub's list of a repository's comments. */
export interface RecentComment extends Comment {
  /** The issue or pull request that it is on. */
  issue: number;
  /** When it was last edited, by GitHub's clock, in milliseconds since 1970. */
  updatedAt: number;
}

export interface RecentPage {
  comments: RecentComment[];
  /** The time of the answer by GitHub's clock, in milliseconds since 1970; null if unknown. */
  now: number | null;
}

/** Maximum number of pages. Of more than 10,000 comments, only the newest are read. */
export const MAX_PAGES = 100;

/**
 * The comments on all issues and pull requests of a repository since a time, page by page. The newest come first:
 * if one is added meanwhile, another one appears twice, but none is missed.
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
