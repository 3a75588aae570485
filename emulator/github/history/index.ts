/**
 * What GitHub's emulator lacks of a repository's history: merges of all three kinds on top of what the
 * branch is then, comparisons that stay fast over a thousand commits, the pull requests of a commit,
 * commits that are gone, issues that are switched off, tokens that may not do everything, and a clock
 * that can be put forward. Tests steer the latter through `/_emulator/`.
 */

import type { App, Call } from "../../http/app.ts";
import type { GitHubProxy } from "../proxy.ts";
import { clock, GitHubClock } from "./clock.ts";
import { commits } from "./commits.ts";
import { issues } from "./issues.ts";
import { large } from "./large.ts";
import { type Permissions, permissions } from "./permissions.ts";
import { pulls } from "./pulls.ts";
import { emptyRepository, type Repository } from "./repository.ts";
import { repositoryComments } from "./repository-comments.ts";

/** Adds the routes; ahead of all others, because the first that fits a call answers it. */
export function history(app: App, proxy: GitHubProxy): void {
  const repositories = new Map<string, Repository>();
  const restricted = new Map<string, Permissions>();
  const gitHubClock = new GitHubClock();
  const named = (name: string): Repository => {
    const found = repositories.get(name.toLowerCase()) ?? emptyRepository();
    repositories.set(name.toLowerCase(), found);
    return found;
  };
  const repositoryOf = (call: Call) =>
    named(`${call.req.param("owner")}/${call.req.param("repo")}`);

  app.post("/_emulator/clock", async (call) => {
    const { advance } = await call.req.json<{ advance: number }>();
    gitHubClock.advance(advance);
    return call.json({ now: gitHubClock.now() });
  });
  app.post("/_emulator/permissions", async (call) => {
    const { login, ...held } = await call.req.json<Permissions & { login: string }>();
    restricted.set(login, held);
    return call.json({ login, ...held });
  });
  app.post("/_emulator/gone", async (call) => {
    const { repository, sha } = await call.req.json<{ repository: string; sha: string }>();
    named(repository).gone.add(sha);
    return call.json({ repository, sha });
  });

  clock(app, proxy, gitHubClock);
  permissions(app, proxy, restricted);
  large(app, gitHubClock);
  issues(app, proxy, repositoryOf);
  repositoryComments(app, proxy);
  commits(app, proxy, repositoryOf);
  pulls(app, proxy, repositoryOf, () => gitHubClock.now());
}
