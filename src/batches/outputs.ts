/** The outputs that upkeep and the queue have in common. */

import { shortId } from "./model/answers.ts";
import { undecidedEntries } from "./model/decisions.ts";
import type { Change } from "./model/ledger.ts";
import type { BatchRevision } from "./model/revision.ts";
import { undecidedReason } from "./reasons.ts";

/** A change or a task in an output. */
export function changeOutput(change: Change) {
  if (change.kind === "task") return { id: change.key };
  const { repository, number, sha, title, url, author } = change;
  return { repository, number, sha, title, url, author };
}

/** What needs a decision, with the IDs by which the input `decisions` names it. */
export function needsDecisionOutput(revision: BatchRevision): string {
  const entries = undecidedEntries(revision).map(({ id, batch }) => ({
    id: shortId(id),
    reason: undecidedReason(batch),
    changes: batch.changes.map(changeOutput),
  }));
  return JSON.stringify(entries);
}
