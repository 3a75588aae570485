import type { Octokit } from "@octokit/core";
import { ActionError } from "../runtime/errors.ts";
import type { Comment } from "./comments.ts";
import type { Connect } from "./connect.ts";
import type { JobMarker, JobMarkers } from "./job-marker.ts";
import { explainRefusal } from "./refusal.ts";
import { owned, readPages } from "./rest.ts";

/** A comment in GitHub's list of a repository's comments. */
export interface RecentComment extends Comment {
  /** The issue or pull request that it is on. */
  issue: number;
  /** When it was last edited, by GitHub's clock, in milliseconds since 1970. */
  updatedAt: number;
}

export interface RecentPage<C = RecentComment> {
  comments: C[];
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

/** A comment about a job that took its run's request. */
export interface JobComment extends RecentComment {
  marker: JobMarker;
}

/**
 * The same, of comments about jobs.
 *
 * @throws ActionError `github-unavailable`
 */
export async function* recentJobs(
  connect: Connect,
  repository: string,
  markers: JobMarkers,
  since: number,
): AsyncGenerator<RecentPage<JobComment>> {
  try {
    for await (const { comments, now } of recentComments(await connect(), repository, since)) {
      const jobs = comments.flatMap((it) => {
        const marker = markers.read(it.body, { repository, issue: it.issue }, it.id);
        return marker?.request === "accepted" && marker.job !== "" ? [{ ...it, marker }] : [];
      });
      yield { comments: jobs, now };
    }
  } catch (error) {
    const { why } = explainRefusal(error, "issues: write");
    const what = `The repository's comments could not be read: ${why}.`;
    const advice = "Nothing was changed. The next run starts over.";
    throw new ActionError("github-unavailable", what, advice, { cause: error });
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
