/** What happens to a batch, or to the draft of a pull request: requests, polls, docs pull requests, people's decisions. */

import type { MergedChange } from "../../github/changes/change-details.ts";
import type { Sent } from "../../job/send.ts";
import { MINUTE } from "../../runtime/clock.ts";
import { pullNumber, safeLink } from "../../text/link.ts";
import { counted } from "../../text/sentence.ts";
import type { Batch, Change, Ledger } from "./ledger.ts";
import type { LedgerEdit } from "./ledger-edit.ts";
import { chunks, namesOf, without } from "./names.ts";

/** Maximum number of drafts. Those of pull requests that were closed without a merge stay. */
const MOST_DRAFTS = 500;

/** The result of a batch's request. `rejected`: the service refused its content, so a person decides. */
export type BatchSent = Sent | { type: "rejected"; why: string };

type Intended = Pick<Batch, "id" | "changes" | "attempt" | "followUp">;

/** How long an accepted job that the service does not know counts as running, in milliseconds. */
export const UNKNOWN_GRACE = 10 * MINUTE;
/** After this many consecutive runs, a job that the service does not know has failed. */
const UNKNOWN_RUNS = 2;
/** How many consecutive runs try to read a docs pull request. */
const UNREAD_RUNS = 5;

/** The result of a poll. */
export interface Polled {
  type: "running" | "done" | "failed" | "unknown";
  /** The service's status; `unknown` for a job that it does not know. */
  status: string;
  prLink: string | null;
  /** Branch that the agent works on. */
  branch: string | null;
  /** If it is done: the docs pull request, if it is known. */
  pull?: PullRequest;
}

/** A docs pull request, as far as it could be read. */
export interface PullRequest {
  state: "open" | "merged" | "closed" | "unread";
  /** Time of the last commit, if it was merged or closed: later requests are not in it. Empty if unknown. */
  lastCommitAt: string;
}

/** What a person decided by ticking a box. `id` is that of a batch. */
export interface Decision {
  id: string;
  what: "again" | "leave";
}

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
    ...plan,
    state: "intended",
    at,
    acceptedAt: null,
    jobId: null,
    isFollowUp: false,
    prLink: null,
    why: "",
    unknown: 0,
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
    Object.assign(batch, { state: "running", why: "", acceptedAt: edit.time, jobId, isFollowUp });
  } else if (sent.type === "withdrawn") {
    edit.events.push(`Withdraw ${names}`);
    edit.ledger.starts = edit.ledger.starts.filter((start) => start.batch !== id);
    const { changes, attempt, followUp } = batch;
    if (!edit.isDraft(batch)) edit.putBack([{ changes, attempts: attempt - 1, followUp }]);
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

/** Records the result of a poll. */
export function takePoll(edit: LedgerEdit, id: string, polled: Polled): void {
  const batch = edit.batch(id);
  if (batch?.state !== "running") return;
  const { jobId } = batch;
  const isDraft = edit.isDraft(batch);
  edit.noteAgent(polled.prLink, polled.branch);
  const prLink = safeLink(polled.prLink ?? "");
  if (polled.type === "running") {
    Object.assign(batch, { unknown: 0, prLink: isDraft ? prLink : null });
  } else if (polled.type === "unknown") {
    if (edit.age(batch.acceptedAt ?? "") < UNKNOWN_GRACE) return;
    batch.unknown += 1;
    if (batch.unknown < UNKNOWN_RUNS) return;
    fail(edit, batch, `Job ${jobId} is unknown to the service`);
  } else if (polled.type === "failed") {
    fail(edit, batch, `Job ${jobId} failed`);
  } else if (batch.isTooLate || isTooLate(batch, polled.pull)) {
    fail(
      edit,
      batch,
      `Job ${jobId}: the docs pull request was merged or closed before the agent was done`,
    );
  } else if (isDraft) {
    edit.events.push(`Job ${jobId}, a draft, completed`);
    Object.assign(batch, { state: "done", prLink });
  } else {
    finish(edit, batch, prLink);
  }
}

/** Nobody committed to the pull request between the request and its end. */
function isTooLate({ isFollowUp, acceptedAt }: Batch, pull: PullRequest | undefined): boolean {
  if (!isFollowUp || (pull?.state !== "merged" && pull?.state !== "closed")) return false;
  // With an unknown time, this is false.
  return Date.parse(pull.lastCommitAt) < Date.parse(acceptedAt ?? "");
}

/** Records that a batch's job is done. @param prLink null if nothing had to change */
function finish(edit: LedgerEdit, batch: Batch, prLink: string | null): void {
  const { changes, isOutdated = false } = batch;
  const jobId = batch.jobId ?? "";
  edit.endBatch({ ...batch, prLink }, isOutdated ? "again" : "done");
  if (prLink !== null) addReview(edit, prLink, jobId, isOutdated ? [] : changes);
  if (isOutdated) {
    // The merged head has commits that the draft's job does not know. A follow-up sends them.
    edit.events.push(`Job ${jobId} drafted ${namesOf(changes)}, which got commits since`);
    edit.putBack([{ changes, attempts: 0, followUp: { jobId, prLink } }]);
    return;
  }
  const number = prLink === null ? "" : pullNumber(prLink);
  const pull = `docs pull request ${number === "" ? prLink : `#${number}`}`;
  edit.events.push(`Job ${jobId} completed: ${prLink === null ? "nothing to change" : pull}`);
  if (edit.rules.comments) {
    const pulls = changes.filter((one) => one.kind === "change" && one.number !== null);
    edit.ledger.untold.push(...pulls.map((change) => ({ change, prLink, job: jobId })));
  }
  if (prLink === null) edit.addDone("none", null, changes);
}

function addReview(edit: LedgerEdit, prLink: string, jobId: string, added: Change[]): void {
  const { reviews } = edit.ledger;
  const review = reviews.find((one) => one.prLink === prLink);
  if (review === undefined) {
    reviews.push({ prLink, jobId, unread: 0, changes: added, isClosedToBatches: false });
  } else {
    const changes = [...review.changes, ...added];
    Object.assign(review, { jobId, changes, isClosedToBatches: false });
  }
}

/** Puts the changes of a failed batch back, as long as `max-attempts` allows it. */
function fail(edit: LedgerEdit, batch: Batch, why: string): void {
  const { changes, attempt } = batch;
  const { maxAttempts } = edit.rules;
  edit.events.push(why);
  closeToBatches(edit, batch);
  if (attempt >= maxAttempts || edit.isDraft(batch)) {
    Object.assign(batch, { state: "failed", why });
    return;
  }
  edit.endBatch(batch, "failed");
  // One bad change does not block the others: they go out in halves, and on the last attempt, each alone.
  const size = attempt + 1 === maxAttempts ? 1 : Math.ceil(changes.length / 2);
  edit.putBack(chunks(changes, size).map((part) => ({ changes: part, attempts: attempt })));
}

/** The next batch starts another job. */
function closeToBatches(edit: LedgerEdit, { jobId }: Batch): void {
  const review = edit.ledger.reviews.find((one) => one.jobId === jobId);
  if (review !== undefined) review.isClosedToBatches = true;
}

/** Records the state of a docs pull request. */
export function takeReview(edit: LedgerEdit, prLink: string, state: PullRequest["state"]): void {
  const review = edit.ledger.reviews.find((one) => one.prLink === prLink);
  if (review === undefined) return;
  review.unread = state === "unread" ? review.unread + 1 : 0;
  if (state === "open" || (state === "unread" && review.unread < UNREAD_RUNS)) return;
  for (const batch of edit.ledger.batches) {
    const isRunning = batch.state === "running" && batch.jobId === review.jobId;
    if (batch.isFollowUp && isRunning) batch.isTooLate = true;
  }
  const words = { merged: "was merged", closed: "was closed", unread: "cannot be read" };
  edit.change(
    { reviews: edit.ledger.reviews.filter((one) => one !== review) },
    `Docs pull request ${prLink} ${words[state]}`,
  );
  edit.addDone(state, prLink, review.changes);
}

/** Applies a person's decision. An entry that needs none any more is ignored. */
export function decide(edit: LedgerEdit, { id, what }: Decision): void {
  const batch = edit.undecided.find((one) => one.id === id);
  if (batch === undefined) return;
  const { changes, attempt } = batch;
  const isAgain = what === "again";
  // A job that takes too long may never end.
  if (batch.state === "running") closeToBatches(edit, batch);
  edit.endBatch(batch, isAgain ? "again" : "left");
  edit.events.push(`${isAgain ? "Hand over again:" : "Leave"} ${namesOf(changes)}`);
  if (isAgain) edit.putBack([{ changes, attempts: attempt }]);
  else edit.addDone("left", null, changes);
}
