import type { RunContext } from "../github/run-context.ts";
import type { UpkeepInputs } from "../inputs/upkeep.ts";
import type { LedgerEdit } from "../ledger/model/ledger-edit.ts";
import type { Git } from "../ledger/protocol/store.ts";
import { shortHash } from "../ledger/run/ledger-run.ts";
import { type ActionError, invalidInput } from "../runtime/errors.ts";

/**
 * A ledger is kept by one workflow file: what one with other filters passes over would be lost to the other.
 * The first one's place can be taken once its file is gone.
 *
 * @throws ActionError `invalid-input`
 */
export async function checkKeeper(
  edit: LedgerEdit,
  inputs: UpkeepInputs,
  { workflow, runId }: RunContext,
  git: Git,
): Promise<void> {
  const { keeper } = edit.ledger;
  const own = { workflow, run: runId, filters: filtersOf(inputs) };
  if (keeper.filters === own.filters || keeper.filters === "") {
    if (keeper.workflow === workflow && keeper.filters !== "") return;
  } else if (keeper.workflow === workflow) {
    // Two steps of one run, such as two legs of a matrix; in another run, the file was edited.
    if (keeper.run === runId && runId !== "") throw conflict(`another step of ${workflow}`);
  } else if (keeper.workflow !== "") {
    const file = await git.readFile(null, keeper.workflow);
    // What could not be read may be there.
    if ("failed" in file || file.text !== null) throw conflict(keeper.workflow);
  }
  edit.change({ keeper: own });
}

/** All that decides which changes count. */
function filtersOf(inputs: UpkeepInputs): string {
  const { repositories, after, releaseTag, pathsText, ignoreLabels, ignoreAuthors } = inputs;
  const filters = { repositories, after, releaseTag, pathsText, ignoreLabels, ignoreAuthors };
  return shortHash(JSON.stringify(filters));
}

function conflict(keeper: string): ActionError {
  return invalidInput(
    `name: this ledger is kept by ${keeper}, with other repositories, paths, labels, authors or releases. What one of them passes over would be lost to the other: set \`name\` here to keep a ledger of its own.`,
  );
}
