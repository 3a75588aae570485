/** Which changes are ignored, and why. The dashboard shows the reasons under *Passed over*. */

import type { PathFilter } from "../text/path-filter.ts";
import type { ChangeDetails } from "./change-details.ts";
import type { ChangedFile, Pull } from "./history-records.ts";

/** The filters of changes. */
export interface ChangeFilters {
  /** Any case. */
  ignoreLabels: readonly string[];
  /** Logins, any case. */
  ignoreAuthors: readonly string[];
  paths: PathFilter;
}

/** How to recognize the agent's pull requests. */
export interface AgentTraces {
  /** Addresses of its pull requests. */
  links: readonly string[];
  /** Names of its branches. */
  branches: readonly string[];
}

/** Why a change is ignored, without a look at its files; null if it may not be. */
export function passedOver(
  { change, labels }: ChangeDetails,
  { ignoreLabels, ignoreAuthors }: ChangeFilters,
): string | null {
  const label = labels.find((name) => includes(ignoreLabels, name));
  if (label !== undefined) return `label ${label}`;
  return includes(ignoreAuthors, change.author) ? `author ${change.author}` : null;
}

/** Why a change is ignored because of its files; null if it is not, or if the files could not be read. */
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

function includes(names: readonly string[], name: string): boolean {
  return names.some((one) => one.toLowerCase() === name.toLowerCase());
}
