/** What happens to a batch after the service accepts it: polls, docs pull requests, and people's decisions. */

import { pullNumber, safeLink } from "../../text/link.ts";
import type { Batch, Change } from "./ledger.ts";
import type { LedgerEdit } from "./ledger-edit.ts";
import { chunks, namesOf } from "./names.ts";

/** How long an accepted job that the service does not know counts as running, in milliseconds. */
const UNKNOWN_GRACE = 10 * 60_000;
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
    const why = "the docs pull request was merged or closed before the agent was done";
    fail(edit, batch, `Job ${jobId}: ${why}`);
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
export function finish(edit: LedgerEdit, batch: Batch, prLink: string | null): void {
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
    const at = edit.time;
    reviews.push({ prLink, jobId, at, unread: 0, changes: added, isClosedToBatches: false });
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
