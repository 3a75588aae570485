/** Recognizes a branch that was renamed, or that another default branch replaces. */

import type { Source } from "../batches/model/ledger.ts";
import type { History } from "../github/changes/history.ts";

/** For so long, GitHub may still show the former name of a branch that was renamed, in milliseconds. */
const SETTLING = 10_000;

/**
 * Which of some branches a new one goes on from: one whose name is gone and whose cursor it holds. For the default
 * branch, either is enough, because a branch that stays may have been the default one before. Null if it is another
 * branch.
 *
 * @param left the ledger's entries for them
 * @param sleep waits for so many milliseconds
 */
export async function formerSource(
  left: readonly Source[],
  {
    head,
    isDefault,
  }: {
    /** SHA of its tip. */
    head: string;
    isDefault: boolean;
  },
  history: History,
  sleep: (time: number) => Promise<void>,
): Promise<Source | null> {
  const found = [];
  for (const source of left) {
    const isGone = await isMissing(source, history);
    // If GitHub fails to compare them, it may hold it.
    const missing = source.sha === null ? 0 : await history.distance(head, source.sha);
    found.push({ source, isGone, isHeld: missing === 0 || missing === "unanswered" });
  }
  const held = found.filter(({ isHeld }) => isHeld);
  const same = held.find(({ isGone }) => isGone);
  if (same !== undefined) return same.source;
  if (isDefault) return (held[0] ?? found.find(({ isGone }) => isGone))?.source ?? null;
  // Right after a branch was renamed, GitHub may answer from an old copy of its database. What is taken for another
  // branch now remains one.
  if (held.length > 0) await sleep(SETTLING);
  for (const { source } of held) {
    if (await isMissing(source, history)) return source;
  }
  return null;
}

async function isMissing({ branch }: Source, history: History): Promise<boolean> {
  return !(await history.hasBranch(branch));
}
