import { cut } from "../text/markdown.ts";
import type { PathFilter } from "../text/path-filter.ts";
import type { History } from "./history.ts";
import type { ChangedFile, Commit, Pull } from "./history-records.ts";

/** Maximum length of a title in the ledger, in characters. */
const MAX_TITLE = 120;

/** A merged pull request, or a commit that was pushed without one. */
export interface MergedChange {
  kind: "change";
  /** Identifies it permanently: `ID#12` or `ID@SHA`, with the repository's ID. */
  key: string;
  title: string;
  url: string;
  /** `owner/name` at the time when the change was found. */
  repository: string;
  /** Number of the pull request; null for a commit without one. */
  number: number | null;
  /** The commit of the branch that it came with; the last one of several. */
  sha: string;
  author: string;
  /** ISO 8601. */
  landedAt: string;
}

/** Everything that filters and prompts use of a change. The ledger stores only `change`. */
export interface ChangeDetails {
  change: MergedChange;
  body: string;
  labels: string[];
  /** Null: not read. */
  files: ChangedFile[] | null;
  /** Whether there are more files than were read. */
  hasMoreFiles: boolean;
}

/** Where a change comes from. */
interface Place {
  /** Of the repository. */
  id: number;
  repository: string;
}

/**
 * @param landing the commit of the branch that the change came with
 * @param pull null: the commit itself is the change
 */
export function detailsOf({ id, repository }: Place, landing: Commit, pull: Pull | null) {
  const { sha, committedAt, author, message } = landing;
  const [first = "", ...rest] = message.split("\n");
  const change: MergedChange = {
    kind: "change",
    key: pull === null ? `${id}@${sha}` : `${id}#${pull.number}`,
    title: cut(pull?.title ?? first.trim(), MAX_TITLE),
    ...{ url: (pull ?? landing).url, repository, number: pull?.number ?? null, sha },
    author: pull?.author.login ?? (author.login || author.name),
    landedAt: pull?.mergedAt ?? committedAt,
  };
  const body = pull?.body ?? rest.join("\n").trim();
  return { ...detailsOfKnown(change), body, labels: pull?.labels ?? [], hasMoreFiles: false };
}

/** A change with the details that the ledger stores. */
export function detailsOfKnown(change: MergedChange): ChangeDetails {
  return { change, body: "", labels: [], files: null, hasMoreFiles: true };
}

/**
 * Reads everything that filters and prompts use, with the files.
 *
 * @param known the details that were read before
 * @returns undefined if GitHub does not return them
 */
export async function readDetails(
  change: MergedChange,
  known: ChangeDetails | undefined,
  history: History,
): Promise<ChangeDetails | undefined> {
  const { number, sha, repository } = change;
  try {
    if (number === null) {
      const read = await history.commitWithFiles(sha);
      if (read === undefined) return undefined;
      const { body } = known ?? detailsOf({ id: 0, repository }, read.commit, null);
      return { change, body, labels: [], files: read.files, hasMoreFiles: !read.isComplete };
    }
    const { body, labels } = known ?? (await history.pull(number));
    const { files, isComplete } = await history.pullFiles(number);
    return { change, body, labels, files, hasMoreFiles: !isComplete };
  } catch {
    return undefined;
  }
}

/** `owner/name#12`, or a commit with a short SHA. */
export function placeOf({
  repository,
  number,
  sha,
}: Pick<MergedChange, "repository" | "number" | "sha">): string {
  return number === null ? `${repository}@${sha.slice(0, 7)}` : `${repository}#${number}`;
}

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
