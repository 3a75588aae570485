import { connector } from "../../github/connect.ts";
import { GitRef } from "../../github/git-ref.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import type { LedgerFile } from "../model/file.ts";
import { hasFailed, type LedgerPort, perform } from "../protocol/port.ts";
import { recordKilled, startedText } from "../protocol/send-batches.ts";
import type { recordOnNewest } from "../protocol/write-ledger.ts";
import { gitPort } from "./ledger-port.ts";
import type { SavedLedgerRun } from "./ledger-run.ts";

/**
 * The post step of a run that was killed, or that could not write down what became of its requests: writes
 * down what is still known.
 *
 * @param saved what the main step has left
 */
export async function recordKilledRun(
  { settings, repository, githubApiUrl, memory }: SavedLedgerRun,
  githubToken: string,
  dependencies: Dependencies,
): Promise<void> {
  const place = { repository, ref: settings.ref, githubApiUrl };
  const steps = recordKilled(settings, memory);
  await recordLate(place, steps, githubToken, dependencies, startedText(memory.batches));
}

/** Writes to a ledger in a post step. @param known what else the log says of the run */
export async function recordLate<L extends LedgerFile>(
  place: { repository: string; ref: string; githubApiUrl: string },
  steps: ReturnType<typeof recordOnNewest<L>>,
  githubToken: string,
  dependencies: Dependencies,
  known = "",
): Promise<void> {
  const { log } = dependencies;
  const githubApiUrl = new URL(place.githubApiUrl);
  const connect = connector({ githubToken, githubApiUrl }, dependencies);
  // Nothing but git is needed to write down what is known.
  const port = gitPort(new GitRef(place.repository, place.ref, connect), dependencies);
  const recorded = await perform(steps, port as LedgerPort);
  if ("sha" in recorded) log.info(`What the run has done is recorded.${known}`);
  else {
    const why = hasFailed(recorded) ? `${recorded.failed}.` : recorded.problem;
    log.warning(`What the run has done could not be recorded: ${why}${known}`);
  }
}
