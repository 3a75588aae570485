import { connector } from "../github/connect.ts";
import type { ApiKeys, Place } from "../github/markers.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { type ClaimMemory, drive, type LedgerPort } from "./effects.ts";
import { LedgerIssue } from "./ledger-issue.ts";
import { ledgerMarkers } from "./ledger-markers.ts";
import type { LedgerKind } from "./open-ledger-issue.ts";
import type { Change } from "./record.ts";
import { recordKilledRun } from "./record-killed-run.ts";

/** What the main step leaves for its post step: plain data without a secret. */
export interface SavedRun<C extends Change> {
  memory: ClaimMemory<C>;
  place: Place;
  projectId: string;
  githubApiUrl: string;
}

/** What the inputs give the post step. */
export interface RecoverInputs {
  keys: ApiKeys;
  githubToken: string;
}

/**
 * The post step: writes down what is still known of the claim of a run that was killed, or that could not
 * write it itself.
 */
export async function recoverRun<C extends Change>(
  kind: Pick<LedgerKind<C>, "name" | "renderClaim" | "renderCheckpoint">,
  { memory, place, projectId, githubApiUrl }: SavedRun<C>,
  { keys, githubToken }: RecoverInputs,
  dependencies: Dependencies,
): Promise<void> {
  const { name, renderClaim, renderCheckpoint } = kind;
  const github = { githubToken, githubApiUrl: new URL(githubApiUrl) };
  const issue = new LedgerIssue<C>({
    ...{ place, renderClaim, renderCheckpoint },
    connect: connector(github, dependencies),
    markers: ledgerMarkers<C>(name, keys, projectId),
  });
  const { log } = dependencies;
  const port = {
    "read-thread": ({ since }: { since: number | null }) => issue.readThread(since),
    edit: async ({ commentId, claim }) => {
      const edited = await issue.edit(commentId, claim);
      if ("ok" in edited)
        log.info("The known state of the killed run was recorded on the dashboard.");
      else
        log.warning(
          `The state of the killed run could not be recorded on the dashboard: ${edited.why}.`,
        );
      return edited;
    },
  } as Pick<LedgerPort<C>, "read-thread" | "edit">;
  await drive(recordKilledRun(memory), port as LedgerPort<C>);
}
