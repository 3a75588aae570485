import type { OwnClaim } from "../model/decide-claim.ts";
import { hasFailed } from "../model/issue-answers.ts";
import type { Batch, Change } from "../model/record.ts";
import { ask, type SendResult, type Steps } from "./effects.ts";
import type { OpenLedger } from "./open-ledger.ts";
import { readUnsent } from "./read-unsent.ts";

/** How often an edit that may be lost is made. */
const EDITS = 3;

/**
 * After how many accepted requests the claim's comment is edited. A request takes a minute at most, so
 * that the comment never gets as old as a claim whose run is given up for dead (`CLAIM_LIFETIME`).
 */
const GROUP = 3;

const UNWRITTEN = "GitHub did not take down what became of the requests before; this was not sent";

/** What became of an edit: `lost` if nobody knows. */
type Edited = { type: "written" | "lost" } | { type: "refused"; why: string };

/**
 * Sends one batch after the other, and writes down what became of them: a few accepted ones together,
 * anything else before the next request.
 */
export function* sendBatches<C extends Change>(
  ledger: OpenLedger<C>,
  own: OwnClaim<C>,
): Steps<C, void> {
  let unwritten = 0;
  let edited: Edited = { type: "written" };
  for (const [index, batch] of own.claim.batches.entries()) {
    yield* remember(ledger, own, index);
    const sent = yield* ask<C, "send">({ type: "send", claim: own.claim, batch });
    if (sent.type === "refused") {
      edited = yield* withdrawFrom(ledger, own, index, sent.why);
      break;
    }
    noteBatches(ledger, own, own.claim.batches.with(index, afterSending(batch, sent)));
    yield* remember(ledger, own, null);
    unwritten += 1;
    const isLast = index === own.claim.batches.length - 1;
    if (sent.type === "accepted" && unwritten < GROUP && !isLast) continue;
    unwritten = 0;
    edited = yield* editClaim(own);
    if (edited.type === "written" || isLast) continue;
    edited = yield* withdrawFrom(ledger, own, index + 1, UNWRITTEN);
    break;
  }
  if (edited.type === "written") yield* forget<C>();
}

function afterSending<C extends Change>(
  batch: Batch<C>,
  sent: Exclude<SendResult, { type: "refused" }>,
): Batch<C> {
  switch (sent.type) {
    case "accepted":
      return { ...batch, state: "running", jobId: sent.jobId };
    case "rejected":
      return { ...batch, state: "failed", reason: sent.why, retry: false };
    case "uncertain":
      return { ...batch, state: "uncertain", reason: sent.why };
  }
}

/** Withdraws a batch and those after it, which were not sent. */
function* withdrawFrom<C extends Change>(
  ledger: OpenLedger<C>,
  own: OwnClaim<C>,
  index: number,
  reason: string,
): Steps<C, Edited> {
  const { state } = yield* readUnsent<C>(own.commentId, ledger.since);
  const withdrawn = own.claim.batches.map((batch, at) =>
    at < index ? batch : { ...batch, state, reason },
  );
  noteBatches(ledger, own, withdrawn);
  yield* remember(ledger, own, null);
  return yield* editClaim(own);
}

function noteBatches<C extends Change>(
  ledger: OpenLedger<C>,
  own: OwnClaim<C>,
  batches: Batch<C>[],
): void {
  own.claim = { ...own.claim, batches };
  ledger.noteOwn(own.claim);
}

/** Edits the claim's comment. */
export function* editClaim<C extends Change>(own: OwnClaim<C>): Steps<C, Edited> {
  const { claim, commentId } = own;
  for (let time = 1; time <= EDITS; time++) {
    const edited = yield* ask<C, "edit">({ type: "edit", commentId, claim });
    if (!hasFailed(edited)) return { type: "written" };
    if (edited.failed === "refused") return { type: "refused", why: edited.why };
  }
  return { type: "lost" };
}

/** Tells the post step that nothing is left to do for it. */
export function* forget<C extends Change>(): Steps<C, void> {
  yield* ask<C, "remember">({ type: "remember", memory: null });
}

/** Leaves to the post step what it needs should this run be killed. */
export function* remember<C extends Change>(
  { since }: OpenLedger<C>,
  { claim, commentId }: OwnClaim<C>,
  sending: number | null,
): Steps<C, void> {
  yield* ask<C, "remember">({ type: "remember", memory: { claim, commentId, since, sending } });
}
