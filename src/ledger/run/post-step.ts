import { connector } from "../../github/connect.ts";
import { GitRef } from "../../github/git-ref.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import { type LedgerPort, perform } from "../protocol/port.ts";
import { recordKilled, startedText } from "../protocol/send-batches.ts";
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
  const { log } = dependencies;
  const connect = connector({ githubToken, githubApiUrl: new URL(githubApiUrl) }, dependencies);
  const ref = new GitRef(repository, settings.ref, connect);
  // Nothing but git is needed to write down what is known.
  const port = gitPort(ref, dependencies) as LedgerPort;
  const recorded = await perform(recordKilled(settings, memory), port);
  const known = startedText(memory.batches);
  if ("sha" in recorded) log.info(`What the run has sent is recorded.${known}`);
  else {
    const why = "problem" in recorded ? recorded.problem : `${recorded.failed}.`;
    log.warning(`What the run has sent could not be recorded: ${why}${known}`);
  }
}
