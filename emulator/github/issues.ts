/**
 * On GitHub every pull request is an issue too, with the same number. GitHub's own emulator answers 404
 * for such a number; here it is the issue that GitHub would show.
 */

import type { App } from "../http/app.ts";
import type { GitHubProxy } from "./proxy.ts";
import type { Pull } from "./pulls.ts";

const ISSUE = "/repos/:owner/:repo/issues/:number";

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

export function issues(app: App, proxy: GitHubProxy): void {
  app.get(ISSUE, async (call) => {
    const answer = await proxy.forward(call);
    if (answer.status !== 404) return answer;
    const pull = await proxy.read<Pull>(call, pullPath(call.req.path));
    return pull === undefined ? answer : call.json(asIssue(pull));
  });

  app.patch(ISSUE, async (call) => {
    if ((await proxy.read(call, pullPath(call.req.path))) === undefined) return proxy.forward(call);
    const answer = await proxy.forward(call, { path: pullPath(call.req.path) });
    return answer.ok ? call.json(asIssue((await answer.json()) as Pull)) : answer;
  });
}

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
