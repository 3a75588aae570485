/** What happens to a draft, from its intent to the merge of its pull request. */

import type { MergedChange } from "../../github/change-details.ts";
import { safeLink } from "../../text/link.ts";
import { finish } from "./batch-end.ts";
import type { BatchSent, Polled } from "./batch-events.ts";
import type { Batch, Draft, Ledger } from "./ledger.ts";
import type { LedgerEdit } from "./ledger-edit.ts";
import { namesOf } from "./names.ts";

/** For how long after its acceptance a job that the service does not know counts as running, in milliseconds. */
export const UNKNOWN_GRACE = 10 * 60_000;
/** In how many runs, one after the other, the service has to deny a job. */
export const UNKNOWN_RUNS = 2;
/** Those of pull requests that were closed without merging stay: far fewer than are open at any time. */
const MOST_DRAFTS = 500;

/** The draft of a pull request, by the key that it has once it is merged. */
export function draftOf({ ledger }: { ledger: Ledger }, key: string): Draft | undefined {
  return ledger.drafts.find(({ change }) => change.key === key);
}

/** Whether upkeep has the pull request already: it was merged meanwhile. */
export function isHandedOver({ ledger }: LedgerEdit, key: string): boolean {
  const held = [...ledger.waiting, ...ledger.batches, ...ledger.reviews];
  return held.some(({ changes }) => changes.some((it) => it.key === key));
}

/** Writes down that the agent is about to be asked to document an open pull request. */
export function intendDraft(edit: LedgerEdit, id: string, change: MergedChange): void {
  const draft: Draft = {
    ...{ id, change, state: "intended", at: edit.time, acceptedAt: null, jobId: null },
    ...{ prLink: null, why: "", unknown: 0 },
  };
  const { drafts, starts } = edit.ledger;
  edit.change(
    {
      drafts: [...drafts, draft].slice(-MOST_DRAFTS),
      starts: [...starts, { batch: id, at: edit.time }],
    },
    `Draft the documentation of ${namesOf([change])}`,
  );
}

/** Records the result of a draft's request. */
export function recordDraft(edit: LedgerEdit, id: string, sent: BatchSent): void {
  const draft = edit.draft(id);
  if (draft === undefined || (draft.state !== "intended" && draft.state !== "uncertain")) return;
  const name = namesOf([draft.change]);
  if (sent.type === "accepted") {
    edit.events.push(`Job ${sent.jobId} drafts the documentation of ${name}`);
    edit.changeDraft(id, { state: "running", acceptedAt: edit.time, why: "", jobId: sent.jobId });
  } else if (sent.type === "withdrawn") {
    const { drafts, starts } = edit.ledger;
    edit.change(
      {
        drafts: drafts.filter((it) => it.id !== id),
        starts: starts.filter((it) => it.batch !== id),
      },
      `Withdraw the draft of ${name}`,
    );
  } else {
    const isRefused = sent.type === "rejected";
    const what = isRefused ? "refused" : "may have received";
    edit.events.push(`The service ${what} the draft of ${name}`);
    edit.changeDraft(id, { state: isRefused ? "failed" : "uncertain", why: sent.why });
  }
}

/** Takes up what the service says of a draft's job. */
export function takeDraftPoll(edit: LedgerEdit, id: string, polled: Polled): void {
  const draft = edit.draft(id);
  if (draft?.state !== "running") return;
  edit.noteAgent(polled.prLink, polled.branch);
  const prLink = safeLink(polled.prLink ?? "") ?? draft.prLink;
  const job = `Job ${draft.jobId}`;
  if (polled.type === "unknown") {
    if (edit.age(draft.acceptedAt ?? "") < UNKNOWN_GRACE) return;
    const unknown = draft.unknown + 1;
    const isLost = unknown >= UNKNOWN_RUNS;
    const why = isLost ? `${job} is unknown to the service` : "";
    edit.changeDraft(id, { unknown, ...(isLost && { state: "failed", why }) });
  } else if (polled.type === "running") {
    if (prLink !== draft.prLink || draft.unknown > 0) edit.changeDraft(id, { prLink, unknown: 0 });
  } else {
    edit.events.push(`${job}, a draft, ${polled.type === "done" ? "completed" : "failed"}`);
    const why = polled.type === "failed" ? `${job} failed` : "";
    edit.changeDraft(id, { state: polled.type, prLink, why });
  }
}

/**
 * Takes up the merge of a pull request that has a draft: from now on it is a batch, with the draft's job.
 *
 * @param change the pull request as it was merged
 * @param head the tip of its branch, as it was merged
 * @returns whether the change is handed over so; a draft that failed is as if there were none
 */
export function takeMerged(edit: LedgerEdit, change: MergedChange, head: string): boolean {
  const draft = draftOf(edit, change.key);
  if (draft === undefined) return false;
  edit.change({ drafts: edit.ledger.drafts.filter((it) => it !== draft) });
  const { change: drafted, state, ...known } = draft;
  if (state === "failed") return false;
  const batch: Batch = {
    ...{ ...known, changes: [change], attempt: 1, isFollowUp: false, isTooLate: false },
    state: state === "done" ? "running" : state,
    ...(drafted.sha !== head && { isOutdated: true }),
  };
  const event = `${namesOf([change])} was merged, which has a draft`;
  edit.change({ batches: [...edit.ledger.batches, batch] }, event);
  if (state === "done") finish(edit, batch, draft.prLink);
  return true;
}
