import type { Cursor } from "./record.ts";

/**
 * The cursor that counts, of two for the same source. A later claim's goes before an earlier one's; of
 * two first runs, the one whose comment came first says where the ledger begins.
 */
export function newerCursor(a: Cursor, b: Cursor): Cursor {
  if (a.number !== b.number) return a.number > b.number ? a : b;
  const [commentA, commentB] = [a.comment ?? 0, b.comment ?? 0];
  if (commentA !== commentB) return commentA < commentB ? a : b;
  return a.moved >= b.moved ? a : b;
}

/** Whether two cursors were set by the same claim, moved on or not. */
export function haveSameOrigin(a: Cursor | undefined, b: Cursor | undefined): boolean {
  return a?.number === b?.number && a?.comment === b?.comment;
}
