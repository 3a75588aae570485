/** Recognizes a branch that was renamed, or that another default branch replaces. */

import type { Source } from "../batches/model/ledger.ts";
import {
  type HistoryReader,
  isServerFault,
  isUnknownCommit,
} from "../github/changes/history-reader.ts";
import { ABSENT, type Fact, known, mapFact } from "../runtime/fact.ts";

/** For so long, GitHub may still show the former name of a branch that was renamed, in milliseconds. */
const SETTLING = 10_000;

/**
 * Which of some branches a new one goes on from: one whose name is gone and whose cursor it holds. For the default
 * branch, either is enough, because a branch that stays may have been the default one before. Absent if it is another
 * branch.
 *
 * @param left the ledger's entries for them
 * @param sleep waits for so many milliseconds
 */
export async function formerSource(
  left: readonly Source[],
  { head, isDefault }: { head: string; isDefault: boolean },
  history: HistoryReader,
  sleep: (time: number) => Promise<void>,
): Promise<Fact<Source>> {
  const found = [];
  for (const source of left) {
    const isGone = await isMissing(source, history);
    if (isGone.type !== "known") return isGone;
    const isHeld = await isIn(head, source, history);
    if (isHeld.type !== "known") return isHeld;
    found.push({ source, isGone: isGone.value, isHeld: isHeld.value });
  }
  const held = found.filter(({ isHeld }) => isHeld);
  const same = held.find(({ isGone }) => isGone);
  if (same !== undefined) return known(same.source);
  if (isDefault) {
    const other = held[0] ?? found.find(({ isGone }) => isGone);
    return other === undefined ? ABSENT : known(other.source);
  }
  // Right after a branch was renamed, GitHub may answer from an old copy of its database. What is taken for another
  // branch now remains one.
  if (held.length > 0) await sleep(SETTLING);
  for (const { source } of held) {
    const isGone = await isMissing(source, history);
    if (isGone.type !== "known") return isGone;
    if (isGone.value) return known(source);
  }
  return ABSENT;
}

async function isMissing({ branch }: Source, history: HistoryReader): Promise<Fact<boolean>> {
  return mapFact(await history.hasBranch(branch), (isThere) => !isThere);
}

/** Whether a branch holds the cursor of a source. If GitHub fails to compare them, it may hold it. */
async function isIn(head: string, { sha }: Source, history: HistoryReader): Promise<Fact<boolean>> {
  const distance = sha === null ? known(0) : await history.distance(head, sha);
  if (isServerFault(distance)) return known(true);
  if (distance.type === "absent" || isUnknownCommit(distance)) return known(false);
  return mapFact(distance, (count) => count === 0);
}
