import type { Place } from "./markers.ts";
import { isOnPullRequest, type RunContext, triggeringSubject } from "./run-context.ts";
import type { GitHubSettings } from "./settings.ts";

/** Where a run's comment belongs; null when there is no such issue or pull request. */
export function commentPlace(
  { issueNumber }: Pick<GitHubSettings, "issueNumber">,
  context: RunContext,
): Place | null {
  const issue = issueNumber ?? triggeringSubject(context)?.number;
  const { repository } = context;
  return issue !== undefined && repository !== "" ? { repository, issue } : null;
}

/** The permission that a token needs for the run's comment and reactions. */
export function commentPermission(
  { issueNumber }: Pick<GitHubSettings, "issueNumber">,
  context: RunContext,
): string {
  if (issueNumber !== null) return "issues: write` or `pull-requests: write";
  return isOnPullRequest(context) ? "pull-requests: write" : "issues: write";
}
