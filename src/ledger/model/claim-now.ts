import type { FoundClaim } from "./collect-claims.ts";
import { type Batch, batchId, type Change, type DatedClaim } from "./record.ts";

/**
 * For how long after its comment was last written a claim may belong to a living run, in milliseconds of
 * GitHub's clock. Nothing is handed over twice if this is wrong: it decides only how long other runs
 * keep waiting, and when a person is asked.
 */
export const CLAIM_LIFETIME = 10 * 60_000;

/** After this long a run says nothing any more, in milliseconds. */
const LONGEST_RUN = 24 * 60 * 60_000;

/** What follows from a batch's state and its age. `claimed`: its run may be alive and about to send it. */
export type BatchStateNow = "claimed" | "withdrawn" | "uncertain" | "running" | "failed" | "done";

/** A batch as it was written, and its state now. */
export interface BatchNow<C extends Change> {
  id: string;
  stateNow: BatchStateNow;
  batch: Batch<C>;
}

export interface ClaimNow<C extends Change> extends FoundClaim<C> {
  batches: BatchNow<C>[];
}

/**
 * Says of each batch what its state is now. An old intent without an end is withdrawn if its request
 * cannot have gone out, else uncertain.
 */
export function claimNow<C extends Change>(found: FoundClaim<C>, now: number): ClaimNow<C> {
  const isLiving = now - found.updatedAt < CLAIM_LIFETIME;
  const mayBeSent = found.claim.comment !== null;
  const stateNow = ({ state }: Batch<C>): BatchStateNow => {
    if (state === "unreported") return "uncertain";
    if (state !== "intended") return state;
    if (isLiving) return "claimed";
    return mayBeSent ? "uncertain" : "withdrawn";
  };
  const batches = found.claim.batches.map((batch, index) => ({
    id: batchId(found.claim.id, index),
    batch,
    stateNow: stateNow(batch),
  }));
  return { ...found, batches };
}

/** Whether a batch is uncertain only because its run has not said how it ended. */
export function isUnreportedBatch({ stateNow, batch }: BatchNow<Change>): boolean {
  return stateNow === "uncertain" && batch.state !== "uncertain";
}

/** Whether the run of a claim might still say how it ended. */
export function mayStillReport({ updatedAt }: DatedClaim<Change>, now: number): boolean {
  return now - updatedAt < LONGEST_RUN;
}

/** A claim whose run has not said how it ended, as one that is uncertain whatever it still says. */
export function takeAsUncertain<C extends Change>({
  claim,
  createdAt,
  updatedAt,
  batches,
}: ClaimNow<C>): DatedClaim<C> {
  const taken = batches.map((it) =>
    isUnreportedBatch(it) ? { ...it.batch, state: "unreported" as const } : it.batch,
  );
  return { claim: { ...claim, batches: taken }, createdAt, updatedAt };
}
