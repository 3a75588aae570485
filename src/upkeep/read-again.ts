import type { Connect } from "../github/connect.ts";
import { type GitHubRequest, History } from "../github/history.ts";
import type { ChangedFile } from "../github/history-records.ts";
import { changeOfCommit, type SourceChange } from "./changes.ts";
import type { UpkeepChange } from "./ledger-change.ts";

/** Requests that one change takes: one for what it says, one for its files. */
const REQUESTS = 2;

/**
 * Reads once more what a prompt tells of changes that are handed over again: of them the ledger keeps
 * little more than the titles.
 *
 * @param left how many requests may be made
 * @returns by key; what GitHub does not tell, or there are no requests left for, is missing
 */
export async function readAgain(
  changes: readonly UpkeepChange[],
  connect: Connect,
  left: number,
): Promise<Map<string, SourceChange>> {
  const details = new Map<string, SourceChange>();
  for (const change of changes.slice(0, Math.max(0, Math.floor(left / REQUESTS)))) {
    const history = new History((await connect()) as GitHubRequest, change.repository);
    const read = await readOne(change, history).catch(() => undefined);
    if (read !== undefined) details.set(change.key, read);
  }
  return details;
}

/** A change as far as the ledger knows it. */
export function asChange(change: UpkeepChange): SourceChange {
  const { landedAt, key: _, ...known } = change;
  return { ...known, body: "", labels: [], at: new Date(landedAt).toISOString() };
}

async function readOne(change: UpkeepChange, history: History): Promise<SourceChange | undefined> {
  const known = asChange(change);
  const files = await filesOf(change, history);
  if (change.number !== null) {
    const { title, body, labels } = await history.pull(change.number);
    return { ...known, title, body, labels, ...files };
  }
  const commit = await history.commit(change.sha);
  return commit && { ...changeOfCommit(change.repository, commit), ...files };
}

async function filesOf(
  { number, sha }: UpkeepChange,
  history: History,
): Promise<{ files?: ChangedFile[]; hasMoreFiles?: boolean }> {
  const read =
    number === null ? await history.commitFiles(sha, 1) : await history.pullFiles(number, 1);
  return read === undefined ? {} : { files: read.files, hasMoreFiles: !read.isComplete };
}
