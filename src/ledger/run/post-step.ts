import { connector } from "../../github/connect.ts";
import { GitRef } from "../../github/git-ref.ts";
import type { Failed } from "../../github/refusal.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import type { LedgerFile } from "../model/file.ts";
import { hasFailed, type Steps } from "../protocol/port.ts";
import { recordKilled, startedText } from "../protocol/send-batches.ts";
import { type Head, ofBatches, type Unusable } from "../protocol/write-ledger.ts";
import { performOnGit } from "./ledger-port.ts";
import type { SavedLedgerRun } from "./ledger-run.ts";

/**
 * The post step of a run that was killed, or that could not write down what became of its requests: writes
 * down what is still known.
 *
 * @param saved what the main step has left
 */
export async function recordKilledRun(
  saved: unknown,
  read: (input: string) => string,
  _context: unknown,
  dependencies: Dependencies,
): Promise<void> {
  const { settings, repository, githubApiUrl, memory } = saved as SavedLedgerRun;
  const place = { repository, ref: settings.ref, githubApiUrl };
  const steps = recordKilled(ofBatches(settings), memory);
  await recordLate(place, steps, read, dependencies, startedText(memory.batches));
}

/** Writes to a ledger in a post step. @param known what else the log says of the run */
export async function recordLate(
  place: { repository: string; ref: string; githubApiUrl: string },
  steps: Steps<Head<LedgerFile> | Failed | Unusable>,
  read: (input: string) => string,
  dependencies: Dependencies,
  known = "",
): Promise<void> {
  const { log } = dependencies;
  const githubToken = read("github-token").trim();
  const githubApiUrl = new URL(place.githubApiUrl);
  const connect = connector({ githubToken, githubApiUrl }, dependencies);
  const ref = new GitRef(place.repository, place.ref, connect);
  const recorded = await performOnGit(steps, ref, dependencies);
  if ("sha" in recorded) log.info(`What the run has done is recorded.${known}`);
  else {
    const why = hasFailed(recorded) ? `${recorded.failed}.` : recorded.problem;
    log.warning(`What the run has done could not be recorded: ${why}${known}`);
  }
}
