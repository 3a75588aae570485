import type { Permission } from "./permission.ts";

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
