/** Reads the details of the changes that may be handed over. */

import type { BatchRevision } from "../batches/model/revision.ts";
import { isRateLimit } from "../github/api/refusal.ts";
import {
  type ChangeDetails,
  detailsOfKnown,
  type MergedChange,
  passedOver,
  readDetails,
} from "../github/changes/change-details.ts";
import type { History } from "../github/changes/history.ts";
import { candidatesOf, decideHandOver } from "./choose-batch.ts";
import type { UpkeepInputs } from "./inputs.ts";

interface CandidateReader {
  inputs: UpkeepInputs;
  historyOf(repository: string): Promise<History>;
  /** Whether the run may make more requests. */
  mayAsk(): boolean;
}

/**
 * Reads as many as the requests of the run allow.
 *
 * @param landed the details of the changes that this run found, without files
 * @returns the details by the keys of changes
 */
export async function readCandidates(
  revision: BatchRevision,
  landed: ReadonlyMap<string, ChangeDetails>,
  { inputs, historyOf, mayAsk }: CandidateReader,
): Promise<Map<string, ChangeDetails>> {
  const details = new Map<string, ChangeDetails>();
  if (decideHandOver(revision, inputs).type === "wait") return details;
  const { changes, isAgain } = candidatesOf(revision);
  let chosen = 0;
  let isLimited = false;
  for (const change of changes) {
    const mayRead: boolean = mayAsk() && !isLimited;
    if (!isAgain && (chosen === inputs.maxChanges || !mayRead)) break;
    const known = landed.get(change.key);
    const read: ChangeDetails | null = mayRead ? await readOne(change, known, historyOf) : null;
    isLimited ||= mayRead && read === null;
    if (read === null && !isAgain) break;
    details.set(change.key, read ?? known ?? detailsOfKnown(change));
    if (read !== null && passedOver(read, inputs) === null) chosen += 1;
  }
  return details;
}

/** Null after a rate limit. */
async function readOne(
  change: MergedChange,
  known: ChangeDetails | undefined,
  historyOf: CandidateReader["historyOf"],
): Promise<ChangeDetails | null> {
  try {
    return await readDetails(known, change, await historyOf(change.repository));
  } catch (error) {
    if (!isRateLimit(error)) throw error;
    return null;
  }
}
