/** What a pull request's page shows of its branch. */

import type { Call } from "../http/app.ts";
import type { GitHubProxy } from "./proxy.ts";

export interface Pull {
  url: string;
  number: number;
  title: string;
  body: string | null;
  state: string;
  draft: boolean;
  merged: boolean;
  merged_at: string | null;
  html_url: string;
  diff_url: string;
  patch_url: string;
  user: { login: string };
  head: { ref: string; sha: string };
  base: { ref: string; sha: string };
}

export interface ChangedFile {
  filename: string;
  status: string;
  additions: number;
  deletions: number;
  patch?: string;
}

interface Comparison {
  commits: { sha: string }[];
  files: ChangedFile[];
}

/** What the pull request's branch holds that its base did not when it was opened. */
export async function compare(proxy: GitHubProxy, call: Call, pull: Pull): Promise<Comparison> {
  const { owner, repo } = call.req.param() as { owner: string; repo: string };
  const path = `/repos/${owner}/${repo}/compare/${pull.base.sha}...${pull.head.ref}`;
  // A branch that was deleted after a merge cannot be compared any more.
  return (await proxy.read<Comparison>(call, path)) ?? { commits: [], files: [] };
}
