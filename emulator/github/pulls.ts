/**
 * Pull requests as they are now. GitHub's own emulator keeps the head that a pull request was opened
 * with, and makes up the names of its files; here they come from a comparison of its branches.
 */

import type { App, Call } from "../http/app.ts";
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

const PULL = "/repos/:owner/:repo/pulls/:number";

export function pulls(app: App, proxy: GitHubProxy): void {
  app.get(PULL, async (call) => {
    const answer = await proxy.forward(call);
    if (!answer.ok) return answer;
    const pull = (await answer.json()) as Pull;
    const { commits, files } = await compare(proxy, call, pull);
    return call.json({
      ...pull,
      head: { ...pull.head, sha: commits.at(-1)?.sha ?? pull.head.sha },
      commits: commits.length,
      changed_files: files.length,
      additions: total(files, "additions"),
      deletions: total(files, "deletions"),
    });
  });

  for (const part of ["files", "commits"] as const) {
    app.get(`${PULL}/${part}`, async (call) => {
      const path = call.req.path.slice(0, -`/${part}`.length);
      const answer = await proxy.forward(call, { method: "GET", path, body: null });
      if (!answer.ok) return answer;
      const pull = (await answer.json()) as Pull;
      return call.json((await compare(proxy, call, pull))[part]);
    });
  }
}

/** What the pull request's branch holds that its base did not when it was opened. */
export async function compare(proxy: GitHubProxy, call: Call, pull: Pull): Promise<Comparison> {
  const { owner, repo } = call.req.param() as { owner: string; repo: string };
  const path = `/repos/${owner}/${repo}/compare/${pull.base.sha}...${pull.head.ref}`;
  // A branch that was deleted after a merge cannot be compared any more.
  return (await proxy.read<Comparison>(call, path)) ?? { commits: [], files: [] };
}

function total(files: ChangedFile[], count: "additions" | "deletions"): number {
  return files.reduce((sum, file) => sum + file[count], 0);
}
