import * as z from "zod/mini";
import { type Fact, known, mapFact, type Unread } from "../../runtime/fact.ts";
import { cut } from "../../text/markdown.ts";
import type { PathFilter } from "../../text/path-filter.ts";
import type { HistoryReader } from "./history-reader.ts";
import {
  type ChangedFile,
  type Commit,
  type FileList,
  type Pull,
  sameLogin,
} from "./history-records.ts";
import { revertedKey } from "./reverts.ts";

/** Maximum length of a title, in characters. */
const MAX_TITLE = 120;

/** A merged pull request, or a commit that was pushed without one. */
export const mergedChange = z.object({
  kind: z.literal("change"),
  /** Identifies it permanently: `ID#12` or `ID@SHA`, with the repository's ID. */
  key: z.string(),
  title: z.string(),
  url: z.string(),
  /** `owner/name` at the time when the change was found. */
  repository: z.string(),
  /** Number of the pull request; null for a commit without one. */
  number: z.nullable(z.number()),
  /** The commit of the branch that it came with; the last one of several. */
  sha: z.string(),
  /** Login; empty if GitHub names no account. Whoever commits chooses the name in a commit. */
  author: z.string(),
  /** ISO 8601; empty for a pull request that is not merged yet. */
  landedAt: z.string(),
  /** What it reverts, by its own words: `ID#12` or `ID@SHA`; null for nothing. */
  reverts: z.nullable(z.string()),
  /** Whether a person wants it handed over, whatever the filters say. */
  isWanted: z.boolean(),
});

export type MergedChange = Readonly<z.infer<typeof mergedChange>>;

/** The ID of the repository in a change's key; null if there is none. */
export function repositoryIdIn(key: string): number | null {
  const [, id] = /^(\d+)[#@]/.exec(key) ?? [];
  return id === undefined ? null : Number(id);
}

/** Everything that filters and prompts use of a change. */
export interface ChangeDetails {
  change: MergedChange;
  body: string;
  /** Of its pull request; null if not read. */
  labels: string[] | null;
  /** Null if not read. */
  files: ChangedFile[] | null;
  /** Whether `files` has all of them. */
  isComplete: boolean;
  /** Null for no revert, or if that is not asked for. */
  reverted: Reverted | null;
}

/** What a change reverts. */
export interface Reverted {
  place: string;
  /** Null if it was not handed over; `prLink`: what documented it, null if nothing did. */
  docs: { prLink: string | null } | null;
}

/** @param pull undefined if the commit itself is the change */
export function detailsOf(
  { id, repository }: { id: number; repository: string },
  commit: Commit,
  pull: Pull | undefined,
): ChangeDetails {
  const { sha, committedAt } = commit;
  if (pull === undefined) {
    const landing = { key: `${id}@${sha}`, repository, number: null, sha, landedAt: committedAt };
    return detailsBy(landing, commit, []);
  }
  const { number, mergedAt } = pull;
  const landing = { key: `${id}#${number}`, repository, number, sha };
  return detailsBy({ ...landing, landedAt: mergedAt ?? committedAt }, pull, pull.labels);
}

/** The details of a pull request that is not merged yet, at the tip of its branch. */
export function detailsOfTip(repository: string, pull: Omit<Pull, "mergeSha">): ChangeDetails {
  const { repositoryId, number, head: sha, mergedAt } = pull;
  const landing = { key: `${repositoryId}#${number}`, repository, number, sha };
  return detailsBy({ ...landing, landedAt: mergedAt ?? NOT_LANDED }, pull, pull.labels);
}

const NOT_LANDED = "";

/** Where and when a change landed. */
function detailsBy(
  {
    key,
    repository,
    number,
    sha,
    landedAt,
  }: Omit<MergedChange, "kind" | "title" | "url" | "author" | "reverts" | "isWanted">,
  { title, body, url, author }: Pick<Pull | Commit, "title" | "body" | "url" | "author">,
  labels: string[],
): ChangeDetails {
  const id = repositoryIdIn(key);
  const change: MergedChange = {
    kind: "change",
    key,
    title: cut(title, MAX_TITLE),
    url,
    repository,
    number,
    sha,
    author: author.login,
    landedAt,
    reverts: id === null ? null : revertedKey(body, { id, repository }),
    isWanted: false,
  };
  return { ...detailsOfKnown(change), body, labels };
}

/** A change without further details. */
export function detailsOfKnown(change: MergedChange): ChangeDetails {
  const labels = change.number === null ? [] : null;
  return { change, body: "", labels, files: null, isComplete: true, reverted: null };
}

/**
 * What describes a change, as it is now: its title, labels and description.
 *
 * @param history of the repository that has it now: what another one has by its number is unread
 */
export async function readDetails(
  change: MergedChange,
  history: HistoryReader,
): Promise<Fact<ChangeDetails>> {
  const { number, sha } = change;
  if (number === null) {
    return mapFact(await history.commit(sha), ({ body }) => ({ ...detailsOfKnown(change), body }));
  }
  const pull = await history.pull(number);
  if (pull.type !== "known") return pull;
  const { repositoryId, title, url, body, labels } = pull.value;
  if (repositoryId !== repositoryIdIn(change.key)) return OTHERS;
  const shown = { ...change, title: cut(title, MAX_TITLE), url };
  return known({ ...detailsOfKnown(shown), body, labels });
}

/** What a repository that took another one's name says of its changes. */
const OTHERS: Unread = {
  type: "unread",
  cause: "pending",
  reason: "its repository was renamed",
  isPassing: true,
  status: null,
};

/** The files of a change. @param history of the repository that has it now */
export async function readFiles(
  { number, sha }: MergedChange,
  history: HistoryReader,
): Promise<Fact<FileList>> {
  return number === null ? await history.commitFiles(sha) : await history.pullFiles(number);
}

/** `owner/name#12`, or a commit with a short SHA. */
export function changePlace({ repository, number, sha }: MergedChange): string {
  return number === null ? `${repository}@${sha.slice(0, 7)}` : `${repository}#${number}`;
}

export interface ChangeFilters {
  ignoreLabels: readonly string[];
  /** If there are any, only a pull request with one of these labels counts. */
  onlyLabels: readonly string[];
  /** Logins, any case. */
  ignoreAuthors: readonly string[];
  paths: PathFilter;
}

/** How to recognize the agent's pull requests: their addresses, and their branches. */
export const agentTraces = z.object({
  links: z.readonly(z.array(z.string())),
  branches: z.readonly(z.array(z.string())),
});

export type AgentTraces = Readonly<z.infer<typeof agentTraces>>;

/** Which filter excludes a change. */
export type Exclusion =
  | { readonly code: "label"; readonly label: string }
  | { readonly code: "author"; readonly author: string }
  | { readonly code: "no-label" }
  | { readonly code: "no-files" }
  | { readonly code: "no-path" };

/** Why a change is ignored by its labels, author or files; null if it is not, as far as they are known. */
export function passedOver(
  { change, labels, files, isComplete }: ChangeDetails,
  { ignoreLabels, onlyLabels, ignoreAuthors, paths }: ChangeFilters,
): Exclusion | null {
  if (change.isWanted) return null;
  const label = labels?.find((name) => includes(ignoreLabels, name));
  if (label !== undefined) return { code: "label", label };
  const isIgnored = ignoreAuthors.some((name) => sameLogin(name) === sameLogin(change.author));
  if (isIgnored) return { code: "author", author: change.author };
  const isMeant = onlyLabels.length === 0 || labels === null;
  if (!isMeant && !labels.some((name) => includes(onlyLabels, name))) return { code: "no-label" };
  if (files === null || !isComplete) return null;
  if (files.length === 0) return { code: "no-files" };
  const isMatch = ({ path, previousPath }: ChangedFile) =>
    paths.matches(path) || (previousPath !== path && paths.matches(previousPath));
  return files.some(isMatch) ? null : { code: "no-path" };
}

function includes(names: readonly string[], name: string): boolean {
  return names.some((entry) => entry.toLowerCase() === name.toLowerCase());
}
