import { connector } from "../../github/connect.ts";
import { GitRef } from "../../github/git-ref.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import { ActionError } from "../../runtime/errors.ts";
import type { FileEdit, LedgerFile } from "../model/file.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import { storeOptions } from "../protocol/port.ts";
import { recordAll, startedText } from "../protocol/send-batches.ts";
import { LedgerStore, patientGit } from "../protocol/store.ts";
import type { SavedLedgerRun } from "./ledger-run.ts";

/**
 * The post step of a run that was killed, or could not record the results of its requests: records what is known.
 *
 * @param saved the main step's state
 */
export async function recordKilledRun(
  saved: unknown,
  read: (input: string) => string,
  _context: unknown,
  dependencies: Dependencies,
): Promise<void> {
  const run = saved as SavedLedgerRun;
  const githubToken = read("github-token").trim();
  const githubApiUrl = new URL(run.githubApiUrl);
  const connect = connector({ githubToken, githubApiUrl }, dependencies);
  const git = patientGit(new GitRef(run.repository, run.ref, connect), dependencies);
  const store = new LedgerStore(git, storeOptions(run));
  const change = (edit: LedgerEdit) => recordAll(edit, run.handed);
  await recordLate(store, change, dependencies, startedText(run.handed));
}

/** Writes to a ledger in a post step. @param details added to the log */
export async function recordLate<L extends LedgerFile, E extends FileEdit<L>>(
  store: LedgerStore<L, E>,
  change: (edit: E) => void,
  { log }: Dependencies,
  details = "",
): Promise<void> {
  try {
    await store.record(change);
    log.info(`What the run has done is recorded.${details}`);
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    log.warning(`What the run has done could not be recorded. ${error.what}${details}`);
  }
}
