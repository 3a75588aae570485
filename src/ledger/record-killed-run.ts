import { ask, type ClaimMemory, type Steps } from "./effects.ts";
import { furtherClaim } from "./join-claims.ts";
import { readUnsent } from "./read-unsent.ts";
import type { Change, Claim } from "./record.ts";

/**
 * The post step of a run that was killed: writes down what is still known of its claim. The batch whose
 * request was on its way is uncertain; those after it were not sent.
 */
export function* recordKilledRun<C extends Change>({
  claim,
  commentId,
  since,
  sending,
}: ClaimMemory<C>): Steps<C, Claim<C>> {
  const { state: unsent, written } = yield* readUnsent<C>(commentId, since);
  const recorded: Claim<C> = {
    ...claim,
    comment: commentId,
    batches: claim.batches.map((batch, index) => {
      if (batch.state !== "intended") return batch;
      return index === sending
        ? { ...batch, state: "uncertain", reason: "the run ended while the request was being sent" }
        : { ...batch, state: unsent, reason: "the run ended before the request was sent" };
    }),
  };
  // The run may have written more than it could leave to this step.
  const further = written?.id === claim.id ? furtherClaim(recorded, written) : recorded;
  yield* ask<C, "edit">({ type: "edit", commentId, claim: further });
  return further;
}
