/** What may be named where: a repository only where everyone who can see the place can see the repository, too. */

import { repositoryIdIn } from "../github/changes/change-details.ts";
import type { DocsPull } from "../github/changes/docs-pull.ts";
import {
  isSeenAt,
  type KnownRepository,
  type LevelOf,
} from "../github/changes/seen-repositories.ts";
import type { PullEntry } from "./ledger.ts";

/** Names of repositories, in lower case. */
export interface VisibleRepositories {
  /** Those that may be named on the docs pull request. */
  readonly onPull: readonly string[];
  /** Those that may be named in the log and the summary, which the workflow's repository shows. */
  readonly inLog: readonly string[];
}

/** Where something is that is not named. */
export const UNSEEN = "in repositories that not everyone here can see";
export const UNSEEN_ONE = "in a repository that not everyone here can see";

/** Whether a repository may be named. @param seen one of the lists of {@link VisibleRepositories} */
export function mayName(seen: readonly string[], repository: string): boolean {
  return seen.includes(repository.toLowerCase());
}

/** `owner/name` in the URL of an issue, a pull request or a comment. */
export function repositoryIn(url: string): string {
  return new URL(url).pathname.split("/").slice(1, 3).join("/");
}

/** @param home the workflow's repository, whose pages show log and summary */
export async function visibilityOf(
  { url, askedAt, changes }: PullEntry,
  pull: DocsPull,
  home: KnownRepository,
  levelOf: LevelOf,
): Promise<VisibleRepositories> {
  const docs = { name: pull.repository, id: pull.repositoryId };
  const documented = changes.map(({ repository, key }) => ({
    name: repository,
    id: repositoryIdIn(key),
  }));
  const seenAt = async (place: KnownRepository, all: readonly KnownRepository[]) => {
    const seen = await Promise.all(all.map((known) => isSeenAt(place, known, levelOf)));
    return all.filter((_, nth) => seen[nth]).map(({ name }) => name.toLowerCase());
  };
  const onPull = await seenAt(docs, [docs, ...documented, ...(askedAt === null ? [] : [home])]);
  const inLog = await seenAt(home, [home, docs, ...documented]);
  // The ledger keeps the URL from before the repository was renamed.
  const former = inLog.includes(docs.name.toLowerCase()) ? [repositoryIn(url).toLowerCase()] : [];
  return { onPull, inLog: [...inLog, ...former] };
}
