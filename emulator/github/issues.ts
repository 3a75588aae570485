/** On GitHub every pull request is an issue too, with the same number. */

import type { Pull } from "./pulls.ts";

/** What only the pull request itself has, beside what an issue shares with it. */
const OF_PULLS_ONLY = [
  "base",
  "commits_url",
  "diff_url",
  "draft",
  "head",
  "issue_url",
  "mergeable",
  "mergeable_state",
  "merge_commit_sha",
  "merged",
  "merged_at",
  "merged_by",
  "patch_url",
  "requested_reviewers",
  "requested_teams",
  "review_comment_url",
  "review_comments",
  "review_comments_url",
  "statuses_url",
];

/** A pull request as the issue with its number. */
export function asIssue(pull: Pull): Record<string, unknown> {
  const { url, html_url, diff_url, patch_url, merged_at } = pull;
  const shared = Object.entries(pull).filter(([name]) => !OF_PULLS_ONLY.includes(name));
  return {
    ...Object.fromEntries(shared),
    url: url.replace(/\/pulls\/(\d+)$/, "/issues/$1"),
    pull_request: { url, html_url, diff_url, patch_url, merged_at },
  };
}

/** The path of the pull request with an issue's number; any other path stays as it is. */
export function pullPath(issuePath: string): string {
  return issuePath.replace(/\/issues\/([^/]+)$/, "/pulls/$1");
}
