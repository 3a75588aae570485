import { cut } from "../text/markdown.ts";
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

/** @param landing the commit of the branch that brought the pull request in, or the tip of one that is open */
export function detailsOfPull(
  { id, repository }: Place,
  pull: Pull,
  landing: Pick<Commit, "sha" | "committedAt">,
): ChangeDetails {
  const { number, title, url, author, body, labels } = pull;
  const change: MergedChange = {
    ...{
      kind: "change",
      key: `${id}#${number}`,
      title: cut(title, MAX_TITLE),
      url,
      repository,
      number,
    },
    ...{ sha: landing.sha, author: author.login, landedAt: pull.mergedAt ?? landing.committedAt },
  };
  return { change, body, labels, files: null, hasMoreFiles: false };
}

export function detailsOfCommit({ id, repository }: Place, commit: Commit): ChangeDetails {
  const { sha, url, author, committedAt, message } = commit;
  const [title = "", ...rest] = message.split("\n");
  const change: MergedChange = {
    ...{
      kind: "change",
      key: `${id}@${sha}`,
      title: cut(title.trim(), MAX_TITLE),
      url,
      repository,
    },
    ...{ number: null, sha, author: author.login || author.name, landedAt: committedAt },
  };
  const body = rest.join("\n").trim();
  return { change, body, labels: [], files: null, hasMoreFiles: false };
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
  const { number, sha } = change;
  try {
    if (number === null) {
      const read = await history.commitWithFiles(sha);
      if (read === undefined) return undefined;
      const { body } = known ?? detailsOfCommit({ id: 0, repository: "" }, read.commit);
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
