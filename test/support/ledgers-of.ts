import { filesIn } from "../../emulator/github/git/trees.ts";
import type { Repository } from "../../emulator/github/repository.ts";
import type { Ledger } from "../../src/batches/model/ledger.ts";
import { type LedgerFile, type LedgerFormat, ledgerText } from "../../src/ledger/file.ts";

/** A ledger in git. */
export interface LedgerAtRef<Content = Ledger> {
  ref: string;
  sha: string;
  ledger: Content;
  /** The first lines of its commits' messages, newest first. */
  log: string[];
  /** The text of each file, by path. */
  files: Record<string, string>;
}

/** The ledgers in a repository. The type of their content is up to the caller. */
export function ledgersOf<Content = Ledger>(repository: Repository): LedgerAtRef<Content>[] {
  const own = [...repository.refs].filter(([ref]) => ref.startsWith("refs/docs-agent/"));
  return own.map(([ref, sha]) => ledgerAt(repository, ref, sha));
}

/**
 * What is wrong with the text of a ledger that a run wrote: the next run would not understand it, or would write a line
 * that it has not changed in another way. Null for nothing.
 */
export function mistakeIn<L extends LedgerFile>(
  text: string,
  { schema }: LedgerFormat<L>,
): string | null {
  const { data, error } = schema.safeParse(JSON.parse(text));
  if (data === undefined) return `the ledger cannot be read: ${error?.issues[0]?.path.join(".")}`;
  const [written, again] = [text, ledgerText(data)].map((whole) => whole.split("\n"));
  const changed = again?.find((line, nth) => line !== written?.[nth]);
  return changed === undefined ? null : `the ledger would be written in another way: ${changed}`;
}

/** A ledger at one of its commits. */
export function ledgerAt<Content = Ledger>(
  repository: Repository,
  ref: string,
  sha: string,
): LedgerAtRef<Content> {
  const { objects } = repository;
  const tree = repository.find(sha)?.tree ?? "";
  const files = Object.fromEntries(
    filesIn(objects, tree).map((file) => [
      file.path,
      objects.blobs.get(file.sha)?.toString("utf8") ?? "",
    ]),
  );
  const log: string[] = [];
  for (let at = repository.find(sha); at !== undefined; at = repository.find(at.parents[0] ?? "")) {
    log.push(at.message.split("\n", 1)[0] ?? "");
  }
  return { ref, sha, ledger: JSON.parse(files["ledger.json"] ?? "null"), log, files };
}
