/** What happens to a batch, or to the draft of a pull request, until the service accepts it. */

import type { MergedChange } from "../../github/change-details.ts";
import type { Sent } from "../../job/send.ts";
import { counted } from "../../text/sentence.ts";
import { finish } from "./batch-ends.ts";
import type { Batch, Ledger } from "./ledger.ts";
import type { LedgerEdit } from "./ledger-edit.ts";
import { namesOf, without } from "./names.ts";

/** Maximum number of drafts. Those of pull requests that were closed without a merge stay. */
const MOST_DRAFTS = 500;

/** The result of a batch's request. `rejected`: the service refused its content, so a person decides. */
export type BatchSent = Sent | { type: "rejected"; why: string };

type Intended = Pick<Batch, "id" | "changes" | "attempt" | "followUp">;

/** Records what is about to be handed over. @returns the batches */
export function intend(edit: LedgerEdit, planned: readonly Intended[]): Batch[] {
  const changes = planned.flatMap((plan) => plan.changes);
  if (changes.length === 0) return [];
  const fresh = planned.map((plan) => intended(edit, plan));
  edit.ledger.waiting = without(edit.ledger.waiting, new Set(changes.map(({ key }) => key)));
  edit.ledger.batches.push(...fresh);
  const what = counted(changes.length, changes[0]?.kind ?? "change");
  edit.events.push(`Hand over ${what}: ${namesOf(changes)}`);
  return fresh;
}

/** Records that a request goes out. */
function intended(edit: LedgerEdit, plan: Intended): Batch {
  const at = edit.time;
  edit.ledger.starts.push({ batch: plan.id, at });
  return {
    ...{ ...plan, state: "intended", at, acceptedAt: null, jobId: null },
    ...{ isFollowUp: false, prLink: null, why: "", unknown: 0 },
  };
}

/** Records the result of a batch's request. A known job replaces an uncertain result. */
export function recordSent(edit: LedgerEdit, id: string, sent: BatchSent): void {
  const batch = edit.batch(id);
  if (batch?.state !== "intended" && batch?.state !== "uncertain") return;
  const names = namesOf(batch.changes);
  if (sent.type === "accepted") {
    const { jobId, isFollowUp } = sent;
    edit.events.push(`Job ${jobId} took ${names}`);
    const acceptedAt = edit.time;
    Object.assign(batch, { state: "running", why: "", acceptedAt, jobId, isFollowUp });
  } else if (sent.type === "withdrawn") {
    edit.events.push(`Withdraw ${names}`);
    edit.ledger.starts = edit.ledger.starts.filter((start) => start.batch !== id);
    const { changes, attempt, followUp } = batch;
    const group = { changes, attempts: attempt - 1, ...(followUp && { followUp }) };
    if (!edit.isDraft(batch)) edit.putBack([group]);
    edit.remove(id);
  } else {
    const isRefused = sent.type === "rejected";
    edit.events.push(`The service ${isRefused ? "refused" : "may have received"} ${names}`);
    Object.assign(batch, { state: isRefused ? "failed" : "uncertain", why: sent.why });
  }
}

/** The draft of a pull request, by the key that it has once it is merged. */
export function draftOf({ ledger }: { ledger: Ledger }, key: string): Batch | undefined {
  return ledger.drafts.find(({ changes }) => changes[0]?.key === key);
}

/** Records the intent to request the documentation of an open pull request. */
export function intendDraft(edit: LedgerEdit, id: string, change: MergedChange): Batch {
  const draft = intended(edit, { id, changes: [change], attempt: 1 });
  const drafts = [...edit.ledger.drafts, draft].slice(-MOST_DRAFTS);
  edit.change({ drafts }, `Draft the documentation of ${namesOf([change])}`);
  return draft;
}

/**
 * Turns the draft of a merged pull request into a batch with the draft's job.
 *
 * @param change the pull request as it was merged
 * @param head the tip of its branch, as it was merged
 * @returns whether there is such a batch; false also for a draft that failed
 */
export function takeMerged(edit: LedgerEdit, change: MergedChange, head: string): boolean {
  const draft = draftOf(edit, change.key);
  if (draft === undefined) return false;
  edit.remove(draft.id);
  const { state } = draft;
  if (state === "failed") return false;
  const isOutdated = draft.changes.some((it) => it.kind === "change" && it.sha !== head);
  Object.assign(draft, { changes: [change], ...(isOutdated && { isOutdated }) });
  edit.ledger.batches.push(draft);
  edit.events.push(`${namesOf([change])} was merged, which has a draft`);
  if (state === "done") finish(edit, draft, draft.prLink);
  return true;
}
