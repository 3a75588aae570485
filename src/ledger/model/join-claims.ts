import type { Batch, BatchState, Change, Claim, DatedClaim } from "./record.ts";

/**
 * How much a state tells. A batch only ever goes to the right, so that of two records of it, one older
 * than the other, the one further to the right counts: an edit that arrives late, a former version that
 * somebody restores, and a checkpoint beside a comment need no order in time.
 */
const ORDER: BatchState[] = [
  "intended",
  "withdrawn",
  "unreported",
  "uncertain",
  "running",
  "failed",
  "done",
];

/** Two records of one claim, both naming the comment they stand in. */
export function joinClaims<C extends Change>(a: DatedClaim<C>, b: DatedClaim<C>): DatedClaim<C> {
  return {
    claim: furtherClaim(a.claim, b.claim),
    createdAt: Math.min(a.createdAt, b.createdAt),
    updatedAt: Math.max(a.updatedAt, b.updatedAt),
  };
}

/** Of two records of one claim, for each batch the one that tells more. */
export function furtherClaim<C extends Change>(a: Claim<C>, b: Claim<C>): Claim<C> {
  return { ...a, batches: a.batches.map((batch, index) => further(batch, b, index)) };
}

function further<C extends Change>(batch: Batch<C>, other: Claim<C>, index: number): Batch<C> {
  const counterpart = other.batches[index];
  if (counterpart === undefined) return batch;
  return ORDER.indexOf(counterpart.state) > ORDER.indexOf(batch.state) ? counterpart : batch;
}
