import { connector } from "../github/connect.ts";
import type { ApiKeys } from "../github/markers.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { drive, type LedgerPort } from "../ledger/effects.ts";
import { LedgerIssue } from "../ledger/ledger-issue.ts";
import { ledgerMarkers } from "../ledger/ledger-markers.ts";
import { settleKilledRun } from "../ledger/settle-killed-run.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { renderCheckpoint, renderClaim } from "./claim-text.ts";
import type { UpkeepChange } from "./ledger-change.ts";
import { NAME } from "./open-dashboard.ts";
import type { SavedUpkeep } from "./saved-upkeep.ts";

/**
 * The post step: writes down what is still known of the batch of a run that was killed, or that could not
 * write it itself.
 *
 * @returns false: the main step's failure is what counts
 */
export async function recoverUpkeep(
  { memory, place, projectId, githubApiUrl }: SavedUpkeep,
  read: ReadInput,
  dependencies: Dependencies,
): Promise<boolean> {
  const previous = read("previous-api-key").trim();
  const keys: ApiKeys = previous === "" ? [read("api-key")] : [read("api-key"), previous];
  const github = {
    githubToken: read("github-token").trim(),
    githubApiUrl: new URL(githubApiUrl),
  };
  const issue = new LedgerIssue<UpkeepChange>({
    ...{ place, renderClaim, renderCheckpoint },
    connect: connector(github, dependencies),
    markers: ledgerMarkers<UpkeepChange>(NAME, keys, projectId),
  });
  const { log } = dependencies;
  const port = {
    "read-thread": ({ since }: { since: number | null }) => issue.readThread(since),
    edit: async ({ commentId, claim }) => {
      const edited = await issue.edit(commentId, claim);
      if ("ok" in edited) log.info("What is known of the last batch is written on the dashboard.");
      else log.warning(`The last batch could not be written on the dashboard: ${edited.why}.`);
      return edited;
    },
  } as Pick<LedgerPort<UpkeepChange>, "read-thread" | "edit">;
  await drive(settleKilledRun(memory), port as LedgerPort<UpkeepChange>);
  return false;
}
