import { filesIn } from "../../emulator/github/git/trees.ts";
import type { Repository } from "../../emulator/github/repository.ts";
import type { Ledger } from "../../src/batches/model/ledger.ts";

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
