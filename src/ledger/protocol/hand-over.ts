import { type ClaimDecision, decideClaim, type OwnClaim } from "../model/decide-claim.ts";
import { hasFailed } from "../model/issue-answers.ts";
import { type LedgerState, unreportedClaims } from "../model/read-ledger.ts";
import type { Batch, Change, Claim } from "../model/record.ts";
import { ask, type Proposal, type Steps } from "./effects.ts";
import type { OpenLedger } from "./open-ledger.ts";
import { readUnsent } from "./read-unsent.ts";
import { editClaim, forget, remember, sendBatches } from "./send-batches.ts";
import { writeDashboard } from "./write-dashboard.ts";

/** How it came out: what became of each batch, or why none was sent. */
export type HandOverEnd<C extends Change> =
  | { type: "handed-over"; batches: Batch<C>[] }
  | { type: "busy" }
  | { type: "paused" }
  | { type: "github-unavailable"; why: string };

type NotHandedOver = Exclude<HandOverEnd<Change>, { type: "handed-over" }>;

/** Why a claim is given up, before anything is sent. */
interface GivenUp {
  end: NotHandedOver;
  reason: string;
}

const STALE = "more than five minutes have passed since the intent was written; nothing was sent";
const UNSEEN = "the thread does not show the comment that was just written";

/** How often the thread is read if the answer does not show what was just written. */
const READINGS = 3;

/** Claims batches, sends them, and writes down what became of each. */
export function* handOver<C extends Change>(
  ledger: OpenLedger<C>,
  claimId: string,
  proposals: Proposal<C>[],
): Steps<C, HandOverEnd<C>> {
  const basis = ledger.state();
  const intent = newClaim(basis, claimId, proposals);
  const posted = yield* ask<C, "post">({ type: "post", record: intent });
  // If only the answer is lost there is now a comment that nobody goes on from: it will be withdrawn.
  if (hasFailed(posted)) return unavailable(posted.why);
  const own: OwnClaim<C> = { claim: intent, commentId: posted.commentId };
  yield* remember(ledger, own, null);
  const givenUp = yield* makeReady(ledger, own, basis);
  if (givenUp !== null) {
    yield* giveUp(ledger, own, givenUp);
    return givenUp.end;
  }
  yield* sendBatches(ledger, own);
  return { type: "handed-over", batches: own.claim.batches };
}

function newClaim<C extends Change>(
  basis: LedgerState<C>,
  id: string,
  proposals: Proposal<C>[],
): Claim<C> {
  return {
    kind: "claim",
    id,
    number: basis.next,
    comment: null,
    takenAsUncertain: unreportedClaims(basis),
    batches: proposals.map((proposal) => ({
      ...proposal,
      state: "intended",
      jobId: null,
      prLink: null,
      reason: "",
      retry: true,
    })),
  };
}

/** Does everything that comes before the first request. Null: it may go out. */
function* makeReady<C extends Change>(
  ledger: OpenLedger<C>,
  own: OwnClaim<C>,
  basis: LedgerState<C>,
): Steps<C, GivenUp | null> {
  const asIntent = yield* checkClaim(ledger, own, basis);
  if (asIntent !== null) return asIntent;
  // From here on, the claim may have been sent, so other runs treat it as uncertain once it is old.
  own.claim = { ...own.claim, comment: own.commentId };
  ledger.noteOwn(own.claim);
  const named = yield* editClaim(own);
  if (named.type === "refused") return givenUp(unavailable(named.why), named.why);
  // A second memory, for the case that somebody deletes or overwrites the comment.
  const dashboard = yield* writeDashboard(ledger);
  if (dashboard.isClosed) return givenUp({ type: "paused" }, "the dashboard was closed");
  if (dashboard.why !== "") return givenUp(unavailable(dashboard.why), dashboard.why);
  return yield* checkClaim(ledger, own, basis);
}

/** Reads the thread and decides whether the claim is valid. Null: it does. */
function* checkClaim<C extends Change>(
  ledger: OpenLedger<C>,
  own: OwnClaim<C>,
  basis: LedgerState<C>,
): Steps<C, GivenUp | null> {
  let decision: ClaimDecision = "unseen";
  for (let reading = 1; reading <= READINGS && decision === "unseen"; reading++) {
    const thread = yield* ask<C, "read-thread">({ type: "read-thread", since: ledger.since });
    if (hasFailed(thread)) return givenUp(unavailable(thread.why), thread.why);
    ledger.takeThread(thread);
    decision = decideClaim(own, basis, ledger.comments, ledger.stateWithout(own.claim.id));
  }
  switch (decision) {
    case "valid":
      return null;
    case "taken":
      return givenUp({ type: "busy" }, "another run claimed changes first");
    case "stale":
      return givenUp(unavailable(STALE), STALE);
    case "unseen":
      return givenUp(unavailable(UNSEEN), UNSEEN);
  }
}

/** Nothing has been sent: says so in the comment. */
function* giveUp<C extends Change>(
  ledger: OpenLedger<C>,
  own: OwnClaim<C>,
  { reason }: GivenUp,
): Steps<C, void> {
  // Before it names its comment a claim cannot be taken as uncertain.
  const { state } =
    own.claim.comment === null
      ? { state: "withdrawn" as const }
      : yield* readUnsent<C>(own.commentId, ledger.since);
  own.claim = {
    ...own.claim,
    comment: own.commentId,
    batches: own.claim.batches.map((batch) => ({ ...batch, state, reason })),
  };
  ledger.noteOwn(own.claim);
  // Else the post step writes it: it knows that nothing was sent.
  if ((yield* editClaim(own)).type === "written") yield* forget<C>();
}

function unavailable(why: string): NotHandedOver {
  return { type: "github-unavailable", why };
}

function givenUp(end: NotHandedOver, reason: string): GivenUp {
  return { end, reason };
}
