import type { BatchNow, ClaimNow } from "../model/claim-now.ts";
import type { Batch, Change, Claim } from "../model/record.ts";
import { ask, type Polled, type Steps } from "./effects.ts";
import type { OpenLedger } from "./open-ledger.ts";

/** Polls each running batch once and writes down which have ended. Answers those. */
export function* finishBatches<C extends Change>(ledger: OpenLedger<C>): Steps<C, BatchNow<C>[]> {
  const finished: BatchNow<C>[] = [];
  for (const found of ledger.state().claims) {
    const ended: string[] = [];
    const batches: Batch<C>[] = [];
    for (const { id, stateNow, batch } of found.batches) {
      const polled: Polled =
        stateNow === "running"
          ? yield* ask<C, "poll">({ type: "poll", batch })
          : { state: "running" };
      batches.push(polled.state === "running" ? batch : endedBatch(batch, polled));
      if (polled.state !== "running") ended.push(id);
    }
    if (ended.length === 0) continue;
    const claim: Claim<C> = { ...found.claim, batches };
    ledger.note({ claim, createdAt: found.createdAt, updatedAt: found.updatedAt });
    if (mayBeEdited(found)) {
      // Whatever comes of it: the body knows, and if that fails too, the next run polls again.
      yield* ask<C, "edit">({ type: "edit", commentId: found.commentId, claim });
    }
    finished.push(...batchesOf(ledger, claim.id).filter(({ id }) => ended.includes(id)));
  }
  return finished;
}

function endedBatch<C extends Change>(
  batch: Batch<C>,
  polled: Exclude<Polled, { state: "running" }>,
): Batch<C> {
  return polled.state === "done"
    ? { ...batch, state: "done", prLink: polled.prLink }
    : { ...batch, state: "failed", reason: polled.reason };
}

/**
 * A comment belongs to the run that wrote it as long as one of its batches has no known end: an edit by
 * another run could undo what that run is about to write, such as the id of a job.
 */
function mayBeEdited<C extends Change>({ claim }: ClaimNow<C>): boolean {
  return claim.batches.every(({ state }) => state !== "intended");
}

function batchesOf<C extends Change>(ledger: OpenLedger<C>, claimId: string): BatchNow<C>[] {
  return ledger.state().claims.find(({ claim }) => claim.id === claimId)?.batches ?? [];
}
