/** Which changes do not count, and why: the words stand on the dashboard, under *Passed over*. */

import type { PathFilter } from "../text/path-filter.ts";
import type { ChangeDetails } from "./change-details.ts";
import type { ChangedFile, Pull } from "./history-records.ts";

/** What decides whether a change counts. */
export interface ChangeFilters {
  /** Any case. */
  ignoreLabels: readonly string[];
  /** Logins, any case. */
  ignoreAuthors: readonly string[];
  paths: PathFilter;
}

/** What tells a pull request of the agent. */
export interface AgentTraces {
  /** Addresses of its pull requests. */
  links: readonly string[];
  /** Names of its branches. */
  branches: readonly string[];
}

/** Why a change does not count, by what is known without its files; null: it may count. */
export function passedOver(
  { change, labels }: ChangeDetails,
  { ignoreLabels, ignoreAuthors }: ChangeFilters,
): string | null {
  const label = labels.find((name) => includes(ignoreLabels, name));
  if (label !== undefined) return `label ${label}`;
  return includes(ignoreAuthors, change.author) ? `author ${change.author}` : null;
}

/** Why a change does not count, by its files. What could not be read counts. */
export function passedOverByFiles(
  { files, hasMoreFiles }: ChangeDetails,
  { paths }: ChangeFilters,
): string | null {
  if (files === null || hasMoreFiles) return null;
  if (files.length === 0) return "changes no files";
  const isMatch = ({ path, previousPath }: ChangedFile) =>
    paths.matches(path) || (previousPath !== undefined && paths.matches(previousPath));
  return files.some(isMatch) ? null : "no file matches `paths`";
}

/**
 * Whether a pull request is the agent's: by its address, by its branch, or because a bot opened it from a
 * branch named like those of the agent, for example for a job that upkeep did not start.
 *
 * @param into the branch that changes are read from
 */
export function isAgents(pull: Pull, { links, branches }: AgentTraces, into: string): boolean {
  const isLink = links.some((link) => link.toLowerCase() === pull.url.toLowerCase());
  if (isLink || pull.isFork || pull.branch === into) return isLink;
  const folder = folderOf(pull.branch);
  const isAlike =
    pull.author.isBot && folder !== "" && branches.some((it) => folderOf(it) === folder);
  return isAlike || branches.includes(pull.branch);
}

function folderOf(branch: string): string {
  return branch.slice(0, Math.max(0, branch.lastIndexOf("/")));
}

/** Whether two lists of files tell of the same change. */
export function isSameDifference(
  one: readonly ChangedFile[],
  other: readonly ChangedFile[],
): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function includes(names: readonly string[], name: string): boolean {
  return names.some((one) => one.toLowerCase() === name.toLowerCase());
}
