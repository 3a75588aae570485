import type { Octokit } from "@octokit/core";
import type { Comment } from "./comments.ts";
import { owned, readPages } from "./rest.ts";

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
  const query = {
    ...owned({ repository }),
    since: new Date(since).toISOString().replace(/\.\d+Z$/, "Z"),
    ...({ sort: "updated", direction: "desc" } as const),
  };
  const request = (page: object) =>
    github.request("GET /repos/{owner}/{repo}/issues/comments", { ...query, ...page });
  const pages = readPages(MAX_PAGES, request, (data) => data.map(told));
  for await (const { response, items } of pages) {
    const now = Date.parse(String(response.headers.date ?? ""));
    yield { comments: items, now: Number.isNaN(now) ? null : now };
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
