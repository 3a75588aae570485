import type { MergedChange } from "../../github/change-details.ts";
import { type BatchSent, draftOf, intendDraft, isHandedOver } from "../model/batch-requests.ts";
import type { Batch } from "../model/ledger.ts";
import { openLedger } from "./open-ledger.ts";
import type { LedgerPort } from "./port.ts";
import { freshness, memoryOf, sendBatches, UNSENT } from "./send-batches.ts";

/** How the asking for a draft came out. */
export type DraftEnd =
  /** `unrecorded`: why that could not be written down; empty: it is. */
  | { type: "sent"; sent: BatchSent; unrecorded: string }
  /** Another run was first. */
  | { type: "known"; draft: Batch }
  /** Nothing was sent. `why`: the rest of a sentence. */
  | { type: "not-sent"; why: string };

/** How often a run decides anew because another one was faster. */
const DECISIONS = 5;

/**
 * Has a pull request documented before its merge, once, however many runs ask for that: intent, request, record,
 * as for a batch. It may be stopped between any two calls of the port.
 *
 * @param change the pull request, with its head as `sha`
 * @throws ActionError: nothing was sent
 */
export async function sendDraft(port: LedgerPort, change: MergedChange): Promise<DraftEnd> {
  const { store, clock, remember } = port;
  const batch = { id: `${store.options.runName}.1.0`, changes: [change] };
  for (let time = 1; time <= DECISIONS; time++) {
    const { head, issue } = await openLedger(port, { dashboard: null, isDryRun: false });
    if (issue?.isClosed) return { type: "not-sent", why: "the dashboard is closed" };
    const isFresh = freshness(clock);
    const edit = store.options.editOf(head);
    const known = draftOf(edit, change.key);
    // A write that seemed to be lost was not.
    const isOwn = known?.id === batch.id;
    if (known !== undefined && !isOwn) return { type: "known", draft: known };
    if (isHandedOver(edit, change.key)) return { type: "not-sent", why: "it was merged meanwhile" };
    if (!isOwn) {
      intendDraft(edit, batch.id, change);
      remember(memoryOf([{ batch, sent: UNSENT }]));
    }
    const after = isOwn ? head : await store.write(head, edit);
    if (after === null) continue;
    const { handed, unrecorded } = await sendBatches(port, after, [batch], isFresh);
    return { type: "sent", sent: handed[0]?.sent ?? UNSENT, unrecorded };
  }
  return { type: "not-sent", why: "other runs were faster" };
}
