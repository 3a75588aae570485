/** What the comments of upkeep and queue say alike. */

import type { BatchState } from "../model/record.ts";

const UNDECIDED = "may have been received by the service: somebody has to decide";

/** What each state is in words, and the verb before them in a sentence. */
const STATES: Record<BatchState, { verb: string; words: string }> = {
  intended: { verb: "is ", words: "about to be handed to the agent" },
  running: { verb: "is ", words: "with the agent" },
  done: { verb: "is ", words: "done" },
  failed: { verb: "", words: "failed" },
  withdrawn: { verb: "was ", words: "withdrawn: nothing was sent" },
  uncertain: { verb: "", words: UNDECIDED },
  unreported: { verb: "", words: UNDECIDED },
};

/** A batch's state, beside what it holds. */
export function stateWords(state: BatchState): string {
  return STATES[state].words;
}

/** A batch's state, as the rest of a sentence that begins with the batch. */
export function statePredicate(state: BatchState): string {
  const { verb, words } = STATES[state];
  return `${verb}${words}`;
}

/** Behind a change that was handed over before; empty for the first time. */
export function attemptText(attempt: number): string {
  return attempt > 1 ? ` (attempt ${attempt})` : "";
}

/** The comment that says where the first run began, and the one that signs anew after a key rotation. */
export function checkpointText(who: string): string {
  return `${who} goes on from here. This comment belongs to the dashboard above: leave it as it is.`;
}
