/** Ledgers with batches in them, for tests. */

import type { OwnNotes } from "../../src/batches/batch-plan.ts";
import {
  intend,
  type intended,
  recordRequest,
  type StartedJob,
} from "../../src/batches/model/batches.ts";
import { batchFormat } from "../../src/batches/model/format.ts";
import type {
  Batch,
  Change,
  Draft,
  Group,
  Halt,
  InReview,
  Ledger,
  PendingComment,
  RunningBatch,
  Source,
  Task,
} from "../../src/batches/model/ledger.ts";
import type { Polled } from "../../src/batches/model/polls.ts";
import { type BatchRevision, revisionOf } from "../../src/batches/model/revision.ts";
import type { DecidedRun } from "../../src/batches/outcome.ts";
import type { MergedChange } from "../../src/github/changes/change-details.ts";
import type { PullState } from "../../src/github/changes/pull-state.ts";
import type { Delivery } from "../../src/runtime/delivery.ts";
import type { Fact, Unread } from "../../src/runtime/fact.ts";
import { bareJob } from "../../src/service/agent.ts";

export const NOW = Date.parse("2026-11-22T12:00:00Z");
export const AT = "2026-11-22T12:00:00Z";
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const RULES = { maxAttempts: 3, maxFailures: 3, deadline: 24 * HOUR, comments: false };
export const LINK = "https://github.com/acme/docs/pull/7";
export const EMPTY = batchFormat({ action: "upkeep", project: "p" }).begin;

export function change(number: number): MergedChange {
  return {
    kind: "change",
    key: `1#${number}`,
    title: `Change ${number}`,
    url: "",
    repository: "acme/code",
    number,
    sha: "a",
    author: "writer",
    landedAt: "2026-11-20T10:00:00Z",
    reverts: null,
    isWanted: false,
  };
}

/** @param id such as `docs/a.md`, or the paths of several files, one per line */
export function task(id: string): Task {
  return { kind: "task", key: id, title: `Improve ${id}`, isPlain: false };
}

export function intendedBatch(
  id: string,
  changes: readonly Change[],
): Extract<Batch, { readonly state: "intended" }> {
  return { ...anyBatch(id, changes), state: "intended", sentTo: null };
}

function anyBatch(id: string, changes: readonly Change[]) {
  const origin = { id, hasSucceeded: false };
  return { id, changes, origin, followUp: null, isOutdated: false, attempt: 1, at: AT };
}

/** A batch whose job accepted it at {@link NOW}. */
export function runningBatch(
  id: string,
  changes: readonly Change[],
  job: Partial<RunningBatch["job"]> = {},
): RunningBatch {
  return { ...anyBatch(id, changes), state: "running", job: jobOf(`job-${id}`, job) };
}

export function uncertainBatch(
  id: string,
  changes: readonly Change[],
): Extract<Batch, { readonly state: "uncertain" }> {
  return {
    ...anyBatch(id, changes),
    state: "uncertain",
    reason: { code: "unanswered", words: "the connection was lost" },
  };
}

/** @param job null for a batch that the service refused */
export function failedBatch(
  id: string,
  changes: readonly Change[],
  job: RunningBatch["job"] | null = jobOf(`job-${id}`),
): Extract<Batch, { readonly state: "failed" }> {
  const reason: Extract<Batch, { readonly state: "failed" }>["reason"] =
    job === null ? { code: "refused", words: "Too long" } : { code: "job-failed", jobId: job.id };
  return { ...anyBatch(id, changes), state: "failed", job, reason };
}

export function doneDraft(
  id: string,
  changes: readonly Change[],
  job: Partial<RunningBatch["job"]> = {},
): Extract<Draft, { readonly state: "done" }> {
  return { ...anyBatch(id, changes), state: "done", job: jobOf(`job-${id}`, job) };
}

export function jobOf(id: string, over: Partial<RunningBatch["job"]> = {}): RunningBatch["job"] {
  return {
    id,
    acceptedAt: AT,
    isFollowUp: false,
    prLink: null,
    missingSince: null,
    withoutPullSince: null,
    isTooLate: false,
    ...over,
  };
}

export function source(over: Partial<Source> = {}): Source {
  return {
    id: 1,
    repository: "acme/code",
    branch: "main",
    sha: "a",
    date: "2026-11-01T00:00:00Z",
    target: null,
    readAt: null,
    wasRewritten: false,
    release: null,
    ...over,
  };
}

export function revision(ledger: Ledger, { now = NOW, rules = RULES } = {}): BatchRevision {
  return revisionOf(ledger, now, rules);
}

/** Three failed jobs in a row, the last one `job`. */
export const HALT: Halt = {
  id: "halt b",
  inRow: ["x", "y", "b"].map((cause) => ({ cause, how: "failed", jobId: "job" })),
};

export const HALTED: Ledger["failures"] = { inRow: HALT.inRow, halt: HALT };

/** A batch before its intent: of changes that are new. */
export function plannedBatch(
  id: string,
  changes: readonly Change[],
  attempt = 1,
): Parameters<typeof intended>[0] {
  return { id, changes, attempt, followUp: null, origin: null, sentTo: null };
}

/** A ledger with a batch `b` of changes 1 to `count` that a job accepted. */
export function running(
  count = 2,
  { isFollowUp = false, attempt = 1, jobId = "job" } = {},
): Ledger {
  const changes = Array.from({ length: count }, (_, nth) => change(nth + 1));
  const intended = intend(revision(EMPTY), [plannedBatch("b", changes, attempt)]);
  return recordRequest(intended, "b", accepted(jobId, isFollowUp)).ledger;
}

export function group(nth: number, over: Partial<Group> = {}): Group {
  return {
    changes: [change(nth)],
    origin: null,
    followUp: null,
    attempts: 0,
    source: "1@main",
    isReleased: true,
    ...over,
  };
}

/** The docs pull request {@link LINK} of the job `job`. */
export function review(over: Partial<InReview> = {}): InReview {
  return {
    prLink: LINK,
    jobId: "job",
    changes: [change(9)],
    others: [],
    endedAt: AT,
    unread: null,
    isClosedToBatches: false,
    ...over,
  };
}

/** A comment on a merged pull request that nobody has claimed. */
export function pendingComment(number: number, over: Partial<PendingComment> = {}): PendingComment {
  return {
    change: change(number),
    prLink: LINK,
    job: "job",
    claim: null,
    tries: 0,
    refusals: 0,
    ...over,
  };
}

/** What a poll says, with its type as its status. `unknown`: the service does not know the job. */
export function polled(
  type: Polled["type"] | "unknown",
  prLink: string | null = null,
  over: Partial<Polled> = {},
): Fact<Polled> {
  if (type === "unknown") return { type: "absent" };
  const value = { type, status: type, prLink, hasHiddenPull: false, branch: null, ...over };
  return { type: "known", value };
}

/** What a read says of a docs pull request. `unread`: GitHub refuses to show it. `unavailable`: it fails in passing. */
export function pullRead(state: PullState | "unread" | "unavailable"): Fact<PullState> {
  if (state === "unread") return unread("refused");
  return state === "unavailable" ? unread("unanswered") : { type: "known", value: state };
}

export function unread(cause: Unread["cause"], reason = "it failed"): Unread {
  return { type: "unread", cause, reason, isPassing: cause !== "refused", status: null };
}

/** A request that a job accepted. */
export function accepted(
  id = "job",
  isFollowUp = false,
): Delivery<StartedJob> & { type: "accepted" } {
  return { type: "accepted", value: { job: bareJob(id, "active"), isFollowUp } };
}

/** A request that was refused, with what it says. */
export function refusedBy(
  by: Extract<Delivery<never>, { readonly type: "refused" }>["by"],
  problem = "too long",
): Extract<Delivery<never>, { readonly type: "refused" }> {
  return { type: "refused", by, error: { kind: "bad-request", problem, advice: null } };
}

/** A request that may have been received. */
export const UNCERTAIN: Extract<Delivery<never>, { readonly type: "uncertain" }> = {
  type: "uncertain",
  reason: "lost",
  error: null,
};

/** The waiting groups: the keys of their changes, and how often they were handed over. */
export function waiting({ ledger }: BatchRevision): [string[], number][] {
  return ledger.waiting.map(({ changes, attempts }) => [changes.map(({ key }) => key), attempts]);
}

/** A run that found and handed over nothing. */
export const DECIDED: DecidedRun<OwnNotes> = {
  type: "decided",
  isDryRun: false,
  reason: { code: "nothing-new" },
  own: { reason: { code: "nothing-new" }, warnings: [] },
  revision: revision(EMPTY),
  handed: [],
  waited: null,
  polls: new Map(),
  finished: [],
  reviewed: [],
  halted: null,
};
