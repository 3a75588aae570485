import type { MergedChange } from "../../github/change-details.ts";
import type { BatchSent } from "../model/batch-events.ts";
import { draftOf, intendDraft, isHandedOver } from "../model/drafts.ts";
import type { Draft } from "../model/ledger.ts";
import { type OpenSettings, openLedger } from "./open-ledger.ts";
import { type ClockRead, hasFailed, io, type LedgerPort, type Steps } from "./port.ts";
import { rememberBatches, sendBatches, UNSENT } from "./send-batches.ts";
import { type Head, writeLedger } from "./write-ledger.ts";

/** How the asking for a draft came out. */
export type DraftEnd =
  /** `unrecorded`: why that could not be written down; empty: it is. */
  | { type: "sent"; sent: BatchSent; unrecorded: string }
  /** Another run was first. */
  | { type: "known"; draft: Draft }
  /** Nothing was sent. `why`: the rest of a sentence. */
  | { type: "not-sent"; why: string };

/** How often a run decides anew because another one was faster. */
const DECISIONS = 5;

/**
 * Has a pull request documented before its merge, once, however many runs ask for that: intent, request, record,
 * as for a batch. It may be stopped between any two calls of the port.
 *
 * @param change the pull request, with its head as `sha`
 */
export function* sendDraft(settings: OpenSettings, change: MergedChange): Steps<DraftEnd> {
  const draft = { id: `${settings.runName}.1.0`, changes: [change] };
  const { id } = draft;
  for (let time = 1; time <= DECISIONS; time++) {
    const opened = yield* openLedger(settings);
    if ("failed" in opened) return { type: "not-sent", why: opened.failed };
    if ("problem" in opened) return { type: "not-sent", why: opened.problem };
    if ("setBackFrom" in opened) return { type: "not-sent", why: SET_BACK };
    if (opened.issue?.isClosed) return { type: "not-sent", why: "the dashboard is closed" };
    const begun = yield* io.readClock();
    const { head } = opened;
    const edit = settings.editOf(head);
    const known = draftOf(edit, change.key);
    // A write that seemed to be lost was not.
    if (known?.id === id) return yield* send(settings, head, draft, begun);
    if (known !== undefined) return { type: "known", draft: known };
    if (isHandedOver(edit, change.key)) return { type: "not-sent", why: "it was merged meanwhile" };
    intendDraft(edit, id, change);
    yield* rememberBatches([draft], new Map());
    const written = yield* writeLedger(settings, head, edit);
    if (hasFailed(written)) return { type: "not-sent", why: written.failed };
    if (written.type === "written") return yield* send(settings, written.head, draft, begun);
  }
  return { type: "not-sent", why: "other runs were faster" };
}

const SET_BACK = "upkeep's ledger was set back; its next run says how to restore it";

function* send(
  settings: OpenSettings,
  head: Head,
  draft: Parameters<LedgerPort["send"]>[0],
  begun: ClockRead,
): Steps<DraftEnd> {
  const { sent, unrecorded } = yield* sendBatches(settings, head, [draft], begun);
  return { type: "sent", sent: sent.get(draft.id) ?? UNSENT, unrecorded };
}
