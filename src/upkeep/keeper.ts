/**
 * Only one workflow file may use a ledger: changes that one with other filters passes over would be lost to the other.
 * Another file can take its place after the file is deleted.
 */

import type { Keeper } from "../batches/model/ledger.ts";
import type { BatchRevision } from "../batches/model/revision.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import { withFields } from "../ledger/file.ts";
import { type ActionError, invalidInput } from "../runtime/errors.ts";
import type { Fact } from "../runtime/fact.ts";
import { shortHash } from "../text/short-hash.ts";
import type { UpkeepInputs } from "./inputs.ts";

/** What this run's workflow would be as keeper. */
export function ownKeeper(inputs: UpkeepInputs, { workflow, runId }: RunContext): Keeper {
  const { repositories, after, pathsText, ignoreLabels, ignoreAuthors } = inputs;
  // Ledgers have hashes of earlier versions, which had an empty text for null.
  const releaseTag = inputs.releaseTag ?? "";
  const filters = { repositories, after, releaseTag, pathsText, ignoreLabels, ignoreAuthors };
  return { workflow, run: runId, filters: shortHash(JSON.stringify(filters)) };
}

/**
 * @param readFile reads the keeper's file
 * @throws ActionError `invalid-input` if another workflow keeps the ledger
 */
export async function checkKeeper(
  keeper: Keeper | null,
  own: Keeper,
  readFile: (path: string) => Promise<Fact<string>>,
): Promise<void> {
  if (keeper === null || keeper.filters === own.filters) return;
  if (keeper.workflow === own.workflow) {
    // Two steps of one run, such as two legs of a matrix; in another run, the file was edited.
    const isSameRun = own.run !== null && keeper.run === own.run;
    if (isSameRun) throw conflict(`another step of ${own.workflow ?? "this workflow"}`);
  } else if (keeper.workflow !== null) {
    // A file that cannot be read may exist.
    const file = await readFile(keeper.workflow);
    if (file.type !== "absent") throw conflict(keeper.workflow);
  }
}

export function takeKeeper(revision: BatchRevision, own: Keeper): BatchRevision {
  const { keeper } = revision.ledger;
  const isSame = keeper?.filters === own.filters && keeper.workflow === own.workflow;
  return isSame ? revision : withFields(revision, { keeper: own });
}

function conflict(keeper: string): ActionError {
  return invalidInput(
    `name: this ledger is kept by ${keeper}, with other repositories, paths, labels, authors or releases. ` +
      "Each would miss the changes that the other filters out. Set `name` to give this workflow its own ledger.",
  );
}
