import type { Permission } from "./permission.ts";

/** What the inputs say about GitHub, for every action that may run by phrase and may comment. */
export interface GitHubSettings {
  /** Empty when a run needs no phrase. */
  triggerPhrase: string;
  requiredPermission: Permission;
  comment: boolean;
  issueNumber: number | null;
  /** The matrix leg that this job is, as JSON. */
  matrix: string;
  githubToken: string;
  githubApiUrl: URL;
}
