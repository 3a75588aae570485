/** What happens to a batch, from its intent to its end. */

import type { Sent } from "../../job/start.ts";
import { safeLink } from "../../text/link.ts";
import { finish } from "./batch-end.ts";
import { recordDraft, takeDraftPoll, UNKNOWN_GRACE, UNKNOWN_RUNS } from "./drafts.ts";
import type { Batch, Change } from "./ledger.ts";
import type { LedgerEdit } from "./ledger-edit.ts";
import { countOf, namesOf, rangeId, without } from "./names.ts";

/** How many consecutive runs try to read a docs pull request. */
const UNREAD_RUNS = 5;

/** The result of a poll. */
export interface Polled {
  type: "running" | "done" | "failed" | "unknown";
  /** The service's own word; `unknown` for a job that it does not know. */
  status: string;
  prLink: string | null;
  /** Branch that the agent works on. */
  branch: string | null;
}

/** The result of a batch's request. `rejected`: the service refused its content, so a person decides. */
export type BatchSent = Sent | { type: "rejected"; why: string };

/** A docs pull request, as far as it could be read. */
export interface PullRequest {
  state: "open" | "merged" | "closed" | "unread";
  /** Time of the last commit, if it was merged or closed: later requests are not in it. Empty: not known. */
  lastCommitAt: string;
}

/** What a person decided by ticking a box. `id` is that of a batch, or of a source's commits. */
export interface Decision {
  id: string;
  what: "again" | "leave";
}

/** Records what is about to be handed over. */
export function intend(
  edit: LedgerEdit,
  planned: readonly Pick<Batch, "id" | "changes" | "attempt" | "followUp">[],
): void {
  const changes = planned.flatMap((it) => it.changes);
  if (changes.length === 0) return;
  const { waiting, starts, batches } = edit.ledger;
  const fresh = { state: "intended", at: edit.time, acceptedAt: null, jobId: null } as const;
  const nothing = { isFollowUp: false, prLink: null, why: "", unknown: 0, isTooLate: false };
  edit.change(
    {
      waiting: without(waiting, new Set(changes.map(({ key }) => key))),
      starts: [...starts, ...planned.map(({ id }) => ({ batch: id, at: edit.time }))],
      batches: [...batches, ...planned.map((it) => ({ ...it, ...fresh, ...nothing }))],
    },
    `Hand over ${countOf(changes)}: ${namesOf(changes)}`,
  );
}

/** Records the result of a batch's request. A known job replaces an uncertain result. */
export function recordSent(edit: LedgerEdit, id: string, sent: BatchSent): void {
  const batch = edit.batch(id);
  if (edit.draft(id) !== undefined) recordDraft(edit, id, sent);
  else if (batch === undefined && sent.type === "accepted") {
    edit.events.push(`Job ${sent.jobId} took batch ${id}, which was decided on before`);
  }
  if (batch === undefined || (batch.state !== "intended" && batch.state !== "uncertain")) return;
  const names = namesOf(batch.changes);
  if (sent.type === "accepted") {
    const { jobId, isFollowUp } = sent;
    edit.events.push(`Job ${jobId} took ${names}`);
    const taken = { state: "running", acceptedAt: edit.time, why: "" } as const;
    edit.changeBatch(id, { ...taken, jobId, isFollowUp });
  } else if (sent.type === "rejected") {
    edit.events.push(`The service refused ${names}`);
    edit.changeBatch(id, { state: "failed", why: sent.why });
  } else if (sent.type === "uncertain") {
    edit.events.push(`The service may have received ${names}`);
    edit.changeBatch(id, { state: "uncertain", why: sent.why });
  } else {
    const { batches, starts } = edit.ledger;
    edit.change({
      batches: batches.filter((it) => it.id !== id),
      starts: starts.filter((it) => it.batch !== id),
    });
    edit.events.push(`Withdraw ${names}`);
    const { changes, attempt, followUp } = batch;
    edit.putBack([{ changes, attempts: attempt - 1, ...(followUp && { followUp }) }]);
  }
}

/**
 * Records the result of a poll.
 *
 * @param pull for a follow-up at its end: the docs pull request that it was for; null if it is not known
 */
export function takePoll(
  edit: LedgerEdit,
  id: string,
  polled: Polled,
  pull: PullRequest | null,
): void {
  const batch = edit.batch(id);
  if (batch === undefined) takeDraftPoll(edit, id, polled);
  if (batch === undefined) return;
  edit.noteAgent(polled.prLink, polled.branch);
  const job = `Job ${batch.jobId}`;
  if (polled.type === "running") {
    // An unknown status is shown once the job takes too long.
    const why = polled.status === "active" ? "" : polled.status;
    if (batch.unknown > 0 || batch.why !== why) edit.changeBatch(id, { unknown: 0, why });
  } else if (polled.type === "unknown") {
    if (edit.age(batch.acceptedAt ?? "") < UNKNOWN_GRACE) return;
    const unknown = batch.unknown + 1;
    if (unknown < UNKNOWN_RUNS) edit.changeBatch(id, { unknown });
    else fail(edit, batch, `${job} is unknown to the service`);
  } else if (polled.type === "failed") {
    fail(edit, batch, `${job} failed`);
  } else if (batch.isTooLate || isTooLate(batch, pull)) {
    fail(
      edit,
      batch,
      `${job}: the docs pull request was merged or closed before the agent was done`,
    );
  } else {
    finish(edit, batch, safeLink(polled.prLink ?? ""));
  }
}

/** Records the state of a docs pull request. */
export function takeReview(edit: LedgerEdit, prLink: string, { state }: PullRequest): void {
  const review = edit.ledger.reviews.find((it) => it.prLink === prLink);
  if (review === undefined) return;
  const unread = state === "unread" ? review.unread + 1 : 0;
  if (state === "open" || (state === "unread" && unread < UNREAD_RUNS)) {
    if (unread !== review.unread) edit.setReview({ ...review, unread });
    return;
  }
  for (const { id, isFollowUp, jobId, state: at } of edit.ledger.batches) {
    if (isFollowUp && at === "running" && jobId === review.jobId) {
      edit.changeBatch(id, { isTooLate: true });
    }
  }
  const words = { merged: "was merged", closed: "was closed", unread: "cannot be read" };
  edit.change(
    { reviews: edit.ledger.reviews.filter((it) => it.prLink !== prLink) },
    `Docs pull request ${prLink} ${words[state]}`,
  );
  edit.addDone(state, prLink, review.changes);
}

/** Applies a person's decision. An entry that needs none any more is ignored. */
export function decide(edit: LedgerEdit, { id, what }: Decision): void {
  const { sources } = edit.ledger;
  const source = sources.find((it) => rangeId(it) === id && id !== "");
  if (source?.tooMany && what === "leave") {
    const { sha, commits } = source.tooMany;
    const after = { ...source, sha, date: edit.time, tooMany: null };
    edit.change(
      { sources: sources.map((it) => (it === source ? after : it)) },
      `Leave ${commits} commits of ${source.repository}`,
    );
  }
  const batch = edit.batch(id);
  if (batch === undefined || !edit.needsDecision(batch)) return;
  const { changes, attempt } = batch;
  const names = namesOf(changes);
  // A job that takes too long may never come to its end.
  if (batch.state === "running") closeToBatches(edit, batch);
  edit.endBatch(batch, what === "again" ? "again" : "left");
  edit.events.push(what === "again" ? `Hand over again: ${names}` : `Leave ${names}`);
  if (what === "again") edit.putBack([{ changes, attempts: attempt }]);
  else edit.addDone("left", null, changes);
}

/** Nobody committed to the pull request between the request and its end. */
function isTooLate({ isFollowUp, acceptedAt }: Batch, pull: PullRequest | null): boolean {
  if (!isFollowUp || pull === null || pull.state === "open" || pull.state === "unread")
    return false;
  // A time that is not known decides nothing.
  return Date.parse(pull.lastCommitAt) < Date.parse(acceptedAt ?? "");
}

/** Puts the changes of a failed batch back, as long as `max-attempts` allows it. */
function fail(edit: LedgerEdit, batch: Batch, why: string): void {
  const { changes, attempt } = batch;
  const { maxAttempts } = edit.rules;
  edit.events.push(why);
  closeToBatches(edit, batch);
  if (attempt >= maxAttempts) {
    edit.changeBatch(batch.id, { state: "failed", why });
    return;
  }
  edit.endBatch(batch, "failed");
  // One bad change does not block the others: on the last attempt, each change is alone in its batch.
  const parts = attempt + 1 === maxAttempts ? changes.map((it) => [it]) : halves(changes);
  edit.putBack(parts.map((part) => ({ changes: part, attempts: attempt })));
}

/** The next batch starts another job. */
function closeToBatches(edit: LedgerEdit, { jobId }: Batch): void {
  const review = edit.ledger.reviews.find((it) => it.jobId === jobId);
  if (review !== undefined) edit.setReview({ ...review, isClosedToBatches: true });
}

function halves(changes: readonly Change[]): Change[][] {
  const middle = Math.ceil(changes.length / 2);
  return [changes.slice(0, middle), changes.slice(middle)].filter((part) => part.length > 0);
}
