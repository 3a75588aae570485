import { isFresh } from "../model/decide-claim.ts";
import { hasFailed } from "../model/issue-answers.ts";
import type { Change, Claim } from "../model/record.ts";
import { ask, type Steps } from "./effects.ts";

/** What a run learns about its claim before it says that something was not sent. */
export interface Unsent<C extends Change> {
  /** The state of batches that were not sent. */
  state: "withdrawn" | "uncertain";
  /** The claim as its comment shows it; null if it does not. */
  written: Claim<C> | null;
}

/**
 * Batches that were not sent are withdrawn, unless it is so late that other runs may have taken the
 * claim as uncertain and gone on from it. Then they are uncertain, and a person is asked although
 * nothing was sent: nobody would look for the changes again.
 */
export function* readUnsent<C extends Change>(
  commentId: number,
  since: number | null,
): Steps<C, Unsent<C>, "read-thread"> {
  const thread = yield* ask<C, "read-thread">({ type: "read-thread", since });
  if (hasFailed(thread)) return { state: "uncertain", written: null };
  const own = thread.comments.find(({ id }) => id === commentId);
  const isInTime = own !== undefined && isFresh(own, thread.now);
  return {
    state: isInTime ? "withdrawn" : "uncertain",
    written: own?.record?.kind === "claim" ? own.record : null,
  };
}
