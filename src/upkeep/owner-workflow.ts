/**
 * Only one workflow file may use a ledger: changes that one with other filters passes over would be lost to the other.
 * Another file can take its place after the file is deleted.
 */

import type { OwnerWorkflow } from "../batches/model/ledger.ts";
import type { BatchRevision } from "../batches/model/revision.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import { withFields } from "../ledger/file.ts";
import { type ActionError, invalidInput } from "../runtime/errors.ts";
import type { Fact } from "../runtime/fact.ts";
import { shortHash } from "../text/short-hash.ts";
import type { UpkeepInputs } from "./inputs.ts";

/** What this run's workflow would be as the owner. */
export function ownWorkflow(inputs: UpkeepInputs, { workflow, runId }: RunContext): OwnerWorkflow {
  const { repositories, after, releaseTag, pathsText } = inputs;
  const { ignoreLabels, onlyLabels, ignoreAuthors } = inputs;
  const places = { repositories, after, releaseTag, pathsText };
  const filters = { ...places, ignoreLabels, onlyLabels, ignoreAuthors };
  return { workflow, run: runId, filters: shortHash(JSON.stringify(filters)) };
}

/**
 * @param owner null for none @param readFile reads the owner's file
 * @throws ActionError `invalid-input` if the ledger is another workflow's
 */
export async function checkOwnerWorkflow(
  owner: OwnerWorkflow | null,
  own: OwnerWorkflow,
  readFile: (path: string) => Promise<Fact<string>>,
): Promise<void> {
  if (owner === null || owner.filters === own.filters) return;
  if (owner.workflow === own.workflow) {
    // Two steps of one run, such as two legs of a matrix; in another run, the file was edited.
    const isSameRun = own.run !== null && owner.run === own.run;
    if (isSameRun) throw conflict(`another step of ${own.workflow ?? "this workflow"}`);
  } else if (owner.workflow !== null) {
    // A file that cannot be read may exist.
    const file = await readFile(owner.workflow);
    if (file.type !== "absent") throw conflict(owner.workflow);
  }
}

export function takeOwnerWorkflow(revision: BatchRevision, own: OwnerWorkflow): BatchRevision {
  const { ownerWorkflow } = revision.ledger;
  const isSame = ownerWorkflow?.filters === own.filters && ownerWorkflow.workflow === own.workflow;
  return isSame ? revision : withFields(revision, { ownerWorkflow: own });
}

function conflict(owner: string): ActionError {
  return invalidInput(
    `name: this ledger is kept by ${owner}, with other repositories, paths, labels, authors or releases. ` +
      "Each would miss the changes that the other filters out. Set `name` to give this workflow its own ledger.",
  );
}
