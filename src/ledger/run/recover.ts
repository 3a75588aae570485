import { connector } from "../../github/connect.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import type { RecoverInputs } from "../issue/ledger-inputs.ts";
import { LedgerIssue } from "../issue/ledger-issue.ts";
import type { LedgerContent } from "../issue/ledger-kind.ts";
import { ledgerMarkers } from "../issue/ledger-markers.ts";
import type { Change } from "../model/record.ts";
import { drive } from "../protocol/effects.ts";
import { recordKilledRun } from "../protocol/record-killed-run.ts";
import { isSavedClaim } from "./saved-claim.ts";

/**
 * The post step: writes down what is still known of the claim of a run that was killed, or that could not
 * write it itself.
 *
 * @param saved what the main step has left; anything else is a warning, and nothing is done
 */
export async function recoverRun<C extends Change>(
  { changeShape, renderClaim, renderCheckpoint }: LedgerContent<C>,
  saved: unknown,
  { keys, githubToken }: RecoverInputs,
  dependencies: Dependencies,
): Promise<void> {
  const { log } = dependencies;
  if (!isSavedClaim(saved, changeShape)) {
    log.warning("The state saved by the main step cannot be read, so nothing was recorded.");
    return;
  }
  const { ledger, memory, place, projectId, githubApiUrl } = saved;
  const github = { githubToken, githubApiUrl: new URL(githubApiUrl) };
  const issue = new LedgerIssue<C>({
    ...{ place, renderClaim, renderCheckpoint },
    connect: connector(github, dependencies),
    markers: ledgerMarkers<C>(ledger, keys, projectId),
  });
  const written = await drive(recordKilledRun(memory), {
    "read-thread": ({ since }) => issue.readThread(since),
    edit: ({ commentId, claim }) => issue.edit(commentId, claim),
  });
  if ("ok" in written) log.info("The known state of this run was recorded on the dashboard.");
  else log.warning(`The state of this run could not be recorded on the dashboard: ${written.why}.`);
}
