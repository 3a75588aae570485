import type { ClaimNow } from "./claim-now.ts";
import type { Change, Checkpoint, LedgerComment } from "./record.ts";

/**
 * Numbers of claims that name their comment or are too old to do so, below those of claims that may
 * still do so: these are not to be taken for copies.
 */
export function pastNumbers<C extends Change>(claims: ClaimNow<C>[]): number[] {
  const unnamed = claims.filter(({ claim }) => claim.comment === null);
  const isLiving = ({ batches }: ClaimNow<C>): boolean =>
    batches.some(({ stateNow }) => stateNow === "claimed");
  const first = Math.min(...unnamed.filter(isLiving).map(({ claim }) => claim.number));
  return claims
    .filter(({ claim }) => claim.comment !== null || claim.number < first)
    .map(({ claim }) => claim.number);
}

/**
 * Numbers (0: the beginning) that a thread without a checkpoint should show and does not. They are given
 * without a gap, so a gap is a comment that somebody deleted or overwrote.
 */
export function missingNumbers<C extends Change>(
  comments: LedgerComment<C>[],
  written: Checkpoint<C>[],
): number[] {
  const seen = new Set(
    comments.flatMap(({ record }) => (record?.kind === "claim" ? [record.number] : [])),
  );
  const covered = Math.max(-1, ...written.map(({ highest }) => highest));
  const missing: number[] = [];
  for (let number = covered + 1; number <= Math.max(0, ...seen); number++) {
    if (!seen.has(number)) missing.push(number);
  }
  return missing;
}
