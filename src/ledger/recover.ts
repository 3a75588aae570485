import { connector } from "../github/connect.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { drive, type LedgerPort } from "./effects.ts";
import type { RecoverInputs } from "./ledger-inputs.ts";
import { LedgerIssue } from "./ledger-issue.ts";
import type { LedgerTexts } from "./ledger-kind.ts";
import { ledgerMarkers } from "./ledger-markers.ts";
import type { Change } from "./record.ts";
import { recordKilledRun } from "./record-killed-run.ts";
import type { SavedClaim } from "./saved-claim.ts";

/**
 * The post step: writes down what is still known of the claim of a run that was killed, or that could not
 * write it itself.
 */
export async function recoverRun<C extends Change>(
  { renderClaim, renderCheckpoint }: LedgerTexts<C>,
  { ledger, memory, place, projectId, githubApiUrl }: SavedClaim<C>,
  { keys, githubToken }: RecoverInputs,
  dependencies: Dependencies,
): Promise<void> {
  const github = { githubToken, githubApiUrl: new URL(githubApiUrl) };
  const issue = new LedgerIssue<C>({
    ...{ place, renderClaim, renderCheckpoint },
    connect: connector(github, dependencies),
    markers: ledgerMarkers<C>(ledger, keys, projectId),
  });
  const port = {
    "read-thread": ({ since }: { since: number | null }) => issue.readThread(since),
    edit: ({ commentId, claim }) => issue.edit(commentId, claim),
  } as Pick<LedgerPort<C>, "read-thread" | "edit">;
  const written = await drive(recordKilledRun(memory), port as LedgerPort<C>);
  const { log } = dependencies;
  if ("ok" in written) log.info("What is known of the last run is written on the dashboard.");
  else log.warning(`The last run could not be written on the dashboard: ${written.why}.`);
}
