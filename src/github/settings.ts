import type { Place } from "./markers.ts";
import type { Permission } from "./permission.ts";
import { isOnPullRequest, type RunContext, triggeringSubject } from "./run-context.ts";

/** What the inputs say about GitHub, for every action that may run by phrase and may comment. */
export interface GitHubSettings {
  requiredPermission: Permission;
  /** Logins in lower case that may ask by phrase whatever their permission. */
  allowedUsers: readonly string[];
  /** Logins of bots in lower case, such as `renovate[bot]`, that may ask by phrase. */
  allowedBots: readonly string[];
  comment: boolean;
  issueNumber: number | null;
  /** The matrix leg that this job is, as JSON. */
  matrix: string;
  githubToken: string;
  githubApiUrl: URL;
}

/** The issue or pull request for a run's comment; null for none. */
export function commentPlace(
  { issueNumber }: Pick<GitHubSettings, "issueNumber">,
  context: RunContext,
): Place | null {
  const issue = issueNumber ?? triggeringSubject(context)?.number;
  const { repository } = context;
  return issue !== undefined && repository !== "" ? { repository, issue } : null;
}

/** The permission that the token needs for the comment and reactions. */
export function commentPermission(
  { issueNumber }: Pick<GitHubSettings, "issueNumber">,
  context: RunContext,
): string {
  if (issueNumber !== null) return "issues: write` or `pull-requests: write";
  return isOnPullRequest(context) ? "pull-requests: write" : "issues: write";
}
