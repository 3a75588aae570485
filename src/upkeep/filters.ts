/** Which changes do not count, and why: the words stand on the dashboard, under *Passed over*. */

import type { ChangedFile, Commit, Pull } from "../github/history-records.ts";
import type { PathFilter } from "../inputs/path-filter.ts";
import { keyOf, pullKey, type SourceChange } from "./changes.ts";

export interface Filters {
  /** Any case. */
  ignoreLabels: readonly string[];
  /** Logins, any case. */
  ignoreAuthors: readonly string[];
  paths: PathFilter;
  /** Keys of the pull requests that the agent opened. */
  own: ReadonlySet<string>;
}

/** Why a change does not count, by what is known without its files; undefined: it may count. */
export function passedOver(change: SourceChange, filters: Filters): string | undefined {
  if (filters.own.has(keyOf(change))) return "opened by the documentation agent";
  const label = change.labels.find((name) => includes(filters.ignoreLabels, name));
  if (label !== undefined) return `label ${label}`;
  if (includes(filters.ignoreAuthors, change.author)) return `author ${change.author}`;
  return undefined;
}

/** Why a change does not count, by its files. What could not be read counts. */
export function passedOverByFiles(
  files: readonly ChangedFile[],
  isComplete: boolean,
  { paths }: Pick<Filters, "paths">,
): string | undefined {
  if (!isComplete) return undefined;
  if (files.length === 0) return "changes no files";
  const isMatch = ({ path, previousPath }: ChangedFile) =>
    paths.matches(path) || (previousPath !== undefined && paths.matches(previousPath));
  return files.some(isMatch) ? undefined : "no file matches `paths`";
}

/**
 * The keys of the agent's own pull requests: those that its jobs told of, and with them those that the
 * same bot opened from branches named alike, for example by jobs that upkeep did not start.
 *
 * @param links addresses of pull requests, by key
 */
export function ownPulls(
  repository: string,
  pulls: readonly Pull[],
  known: ReadonlySet<string>,
): Set<string> {
  const keyed = pulls.map((pull) => ({ pull, key: pullKey(repository, pull.number) }));
  const signatures = new Set(
    keyed.filter(({ key }) => known.has(key)).flatMap(({ pull }) => signatureOf(pull) ?? []),
  );
  const alike = keyed.filter(({ pull }) => signatures.has(signatureOf(pull) ?? ""));
  return new Set([...known, ...alike.map(({ key }) => key)]);
}

/** A bot, and the folder of its branches; undefined: a person may open anything. */
function signatureOf({ author, branch }: Pull): string | undefined {
  const end = branch.lastIndexOf("/");
  return author.isBot && end > 0 ? `${author.login} ${branch.slice(0, end)}` : undefined;
}

/** A commit that was here before the branch was rewritten, by what stays when it is made anew. */
export function formerOf(commit: Commit, dropped: readonly Commit[]): Commit | undefined {
  return dropped.find(({ identity }) => identity === commit.identity);
}

/** Whether two lists of files tell of the same change. */
export function isSameDifference(
  one: readonly ChangedFile[],
  other: readonly ChangedFile[],
): boolean {
  const told = (files: readonly ChangedFile[]) =>
    JSON.stringify(
      files.map(({ path, previousPath, status, additions, deletions, patch }) => [
        path,
        previousPath,
        status,
        additions,
        deletions,
        patch,
      ]),
    );
  return told(one) === told(other);
}

function includes(names: readonly string[], name: string): boolean {
  const wanted = name.toLowerCase();
  return names.some((one) => one.toLowerCase() === wanted);
}
