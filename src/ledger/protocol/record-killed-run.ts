import { furtherClaim } from "../model/join-claims.ts";
import type { Change, Claim } from "../model/record.ts";
import { type AnswerTo, ask, type ClaimMemory, type Steps } from "./effects.ts";
import { readUnsent } from "./read-unsent.ts";

/**
 * The post step of a run that was killed: writes down what is still known of its claim. The batch whose
 * request was on its way is uncertain; those after it were not sent.
 *
 * @returns whether it is written down
 */
export function* recordKilledRun<C extends Change>({
  claim,
  commentId,
  since,
  sending,
}: ClaimMemory<C>): Steps<C, AnswerTo<C, "edit">, "read-thread" | "edit"> {
  const { state: unsent, written } = yield* readUnsent<C>(commentId, since);
  const recorded: Claim<C> = {
    ...claim,
    comment: commentId,
    batches: claim.batches.map((batch, index) => {
      if (batch.state !== "intended") return batch;
      return index === sending
        ? { ...batch, state: "uncertain", reason: "the run ended while the request was on its way" }
        : { ...batch, state: unsent, reason: "the run ended before the request was sent" };
    }),
  };
  // The run may have written more than it could leave to this step.
  const further = written?.id === claim.id ? furtherClaim(recorded, written) : recorded;
  return yield* ask<C, "edit">({ type: "edit", commentId, claim: further });
}
