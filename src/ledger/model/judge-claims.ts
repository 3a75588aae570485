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

/** `claimed`: its run may be alive and about to send it. */
export type BatchStanding = "claimed" | "withdrawn" | "uncertain" | "running" | "failed" | "done";

/** A batch, and what is to be made of its state. */
export interface JudgedBatch<C extends Change> {
  id: string;
  standing: BatchStanding;
  batch: Batch<C>;
}

export interface JudgedClaim<C extends Change> extends FoundClaim<C> {
  batches: JudgedBatch<C>[];
}

/**
 * Says of each batch where it stands now. An old intent without an end is withdrawn if its request
 * cannot have gone out, else uncertain.
 */
export function judgeClaim<C extends Change>(found: FoundClaim<C>, now: number): JudgedClaim<C> {
  const isLiving = now - found.updatedAt < CLAIM_LIFETIME;
  const mayBeSent = found.claim.comment !== null;
  const judge = ({ state }: Batch<C>): BatchStanding => {
    if (state === "unreported") return "uncertain";
    if (state !== "intended") return state;
    if (isLiving) return "claimed";
    return mayBeSent ? "uncertain" : "withdrawn";
  };
  const batches = found.claim.batches.map((batch, index) => ({
    id: batchId(found.claim.id, index),
    batch,
    standing: judge(batch),
  }));
  return { ...found, batches };
}

/** Whether a batch is uncertain only because its run has not said how it ended. */
export function isUnreported({ standing, batch }: JudgedBatch<Change>): boolean {
  return standing === "uncertain" && batch.state !== "uncertain";
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
}: JudgedClaim<C>): DatedClaim<C> {
  const taken = batches.map((judged) =>
    isUnreported(judged) ? { ...judged.batch, state: "unreported" as const } : judged.batch,
  );
  return { claim: { ...claim, batches: taken }, createdAt, updatedAt };
}
