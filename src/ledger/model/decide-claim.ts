import { haveSameOrigin } from "./cursor.ts";
import type { KnownKeys } from "./known-keys.ts";
import { changesHeldForGood, type LedgerState, type OpenChange } from "./read-ledger.ts";
import type { Change, Claim, Handed, LedgerComment } from "./record.ts";

/**
 * How old a claim's last write may be when its requests go out, in milliseconds of GitHub's clock. Half
 * of what others allow it (`CLAIM_LIFETIME`), so that nobody is asked about a batch whose request is on its way.
 */
const FRESH = 5 * 60_000;

/** The claim of this run, as it was last written. */
export interface OwnClaim<C extends Change> {
  claim: Claim<C>;
  commentId: number;
}

/**
 * - `valid`: go on
 * - `unseen`: the answer does not show the claim as it was last written. It is deleted, overwritten, or
 *   the answer is older than the write
 * - `stale`: too much time has passed
 * - `taken`: another run was faster
 */
export type ClaimDecision = "valid" | "unseen" | "stale" | "taken";

/**
 * Whether a run may go on with its claim: to name its comment, or, once it does, to send.
 *
 * Why no two runs send the same: a run sends after it has seen its own claim with the number of its
 * comment, and no other such claim that it did not know when it chose. Of two runs one named its comment
 * first; an answer that shows the other what it wrote itself shows that, too, even if GitHub answers
 * from a copy of its database that is behind. No clock is needed for this.
 *
 * @param basis the ledger as it was when the run chose what to hand over
 * @param comments the thread, read after the claim was last written
 * @param view the ledger from the same reading, without this claim
 */
export function decideClaim<C extends Change>(
  own: OwnClaim<C>,
  basis: LedgerState<C>,
  comments: LedgerComment<C>[],
  view: LedgerState<C>,
): ClaimDecision {
  const comment = comments.find(({ id }) => id === own.commentId);
  const record = comment?.record;
  const isSeen =
    record?.kind === "claim" &&
    record.id === own.claim.id &&
    record.comment === own.claim.comment &&
    record.batches.every(({ state }) => state === "intended");
  if (comment === undefined || !isSeen) return "unseen";
  if (!isFresh(comment, view.now)) return "stale";
  const held = changesHeldForGood(view);
  const isTaken =
    hasRival(own, basis, view) ||
    own.claim.batches.some(
      ({ handed, cursors }) =>
        handed.some((one) => isElsewhere(one, view.known, held)) ||
        Object.keys(cursors).some(
          (source) => !haveSameOrigin(basis.cursors.get(source), view.cursors.get(source)),
        ),
    );
  return isTaken ? "taken" : "valid";
}

/** Whether nobody can have taken a claim as uncertain yet, by GitHub's clock. */
export function isFresh({ updatedAt }: { updatedAt: number }, now: number): boolean {
  return now - updatedAt <= FRESH;
}

/** Whether another run has claimed something since this one chose. */
function hasRival<C extends Change>(
  own: OwnClaim<C>,
  basis: LedgerState<C>,
  view: LedgerState<C>,
): boolean {
  const known = new Set(
    basis.claims.flatMap(({ claim }) => (claim.comment === null ? [] : [claim.id])),
  );
  return view.claims.some(({ claim, commentId, batches }) => {
    if (known.has(claim.id) || batches.every(({ stateNow }) => stateNow === "withdrawn")) {
      return false;
    }
    // Before it names its comment a claim cannot be sent; of two such claims the older one goes first.
    return claim.comment !== null || (own.claim.comment === null && commentId < own.commentId);
  });
}

/** Whether a change is done, or another batch holds it than the one it is handed over again after. */
function isElsewhere<C extends Change>(
  { change, after }: Handed<C>,
  known: KnownKeys,
  held: Map<string, OpenChange<C>>,
): boolean {
  return known.has(change.key) || (held.get(change.key)?.batch.id ?? null) !== after;
}
