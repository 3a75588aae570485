/** Repositories in memory beside the world's own, for runs that have a thousand commits to read. */

import type { App } from "../../http/app.ts";
import type { GitHubClock } from "./clock.ts";
import { MemoryRepository } from "./memory.ts";
import { answerFromMemory } from "./memory-api.ts";

export interface LargeOptions {
  /** `owner/name`, other than the world's own. */
  repository: string;
  /** How many pull requests were merged, evenly over the time. */
  pulls: number;
  /** How many commits each has. Default: 5. */
  commits?: number;
  method?: "merge" | "squash" | "rebase";
  /** How long ago that began. Default: 30. */
  days?: number;
  /** Further branches with the same commits as `main`. */
  branches?: string[];
}

const DAY = 24 * 60 * 60 * 1000;

/** Answers what is asked about repositories in memory, and makes them. */
export function large(app: App, clock: GitHubClock): void {
  const repositories = new Map<string, MemoryRepository>();

  app.use((call, next) => {
    const [, , owner, name, ...parts] = call.req.path.split("/");
    const repository = repositories.get(`${owner}/${name}`);
    if (repository === undefined || !call.req.path.startsWith("/repos/")) return next();
    const path = parts.map((part) => `/${part}`).join("");
    const query = new URL(call.req.url).searchParams;
    const { status, headers, body } = answerFromMemory(repository, path, query);
    return call.json(body, status as 200, { ...headers });
  });

  app.post("/_emulator/large", async (call) => {
    const options = await call.req.json<LargeOptions>();
    const { repository, start } = grow(options, clock);
    repositories.set(options.repository, repository);
    return call.json({ start });
  });
}

/** `start` is the commit before the first merge. */
function grow(
  { repository: name, pulls, commits = 5, method, days = 30, branches = [] }: LargeOptions,
  clock: GitHubClock,
) {
  const begin = clock.now() - days * DAY;
  let at: number | undefined = begin;
  const repository = new MemoryRepository(name, () => at ?? clock.now());
  const start = repository.tip();
  for (let number = 1; number <= pulls; number += 1) {
    at = begin + (number * days * DAY) / (pulls + 1);
    repository.land({ commits: Array.from({ length: commits }, () => ({})) }, method);
  }
  at = undefined;
  for (const branch of branches) repository.forcePush(repository.tip(), branch);
  return { repository, start };
}
