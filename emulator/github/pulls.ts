/**
 * Pull requests as they are. GitHub's emulator remembers a pull request's head as it was when it
 * was opened and makes up the names of its files; the comparison of its branches knows better.
 */

import type { App, Call } from "../http.ts";
import type { GitHubFront } from "./index.ts";

export interface Pull {
  number: number;
  title: string;
  body: string | null;
  state: string;
  draft: boolean;
  merged: boolean;
  html_url: string;
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

export function pulls(app: App, front: GitHubFront): void {
  app.get(PULL, async (call) => {
    const answer = await front.forward(call);
    if (!answer.ok) return answer;
    const pull = (await answer.json()) as Pull;
    const { commits, files } = await compare(front, call, pull);
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
      const answer = await front.forward(call, { method: "GET", path, body: null });
      if (!answer.ok) return answer;
      return call.json((await compare(front, call, (await answer.json()) as Pull))[part]);
    });
  }
}

/** What the pull request's branch holds that its base did not when it was opened. */
export async function compare(front: GitHubFront, call: Call, pull: Pull): Promise<Comparison> {
  const { owner, repo } = call.req.param() as { owner: string; repo: string };
  const path = `/repos/${owner}/${repo}/compare/${pull.base.sha}...${pull.head.ref}`;
  const answer = await front.forward(call, { method: "GET", path, body: null });
  // A branch that was deleted after a merge cannot be compared any more.
  return answer.ok ? ((await answer.json()) as Comparison) : { commits: [], files: [] };
}

function total(files: ChangedFile[], count: "additions" | "deletions"): number {
  return files.reduce((sum, file) => sum + file[count], 0);
}
