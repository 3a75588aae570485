import { expect, test } from "vitest";
import {
  change,
  EMPTY,
  edit,
  group,
  HOUR,
  LINK,
  MINUTE,
  NOW,
  review,
  running,
} from "../../../test/support/ledger-examples.ts";
import { decide, intend, type Polled, recordSent, takePoll, takeReview } from "./batch-events.ts";
import type { Ledger } from "./ledger.ts";
import type { LedgerEdit } from "./ledger-edit.ts";

const polled = (type: Polled["type"], prLink: string | null = null): Polled => ({
  ...{ type, status: type, prLink, branch: null },
});

const waiting = ({ ledger }: LedgerEdit) =>
  ledger.waiting.map(({ changes, attempts }) => [changes.map(({ key }) => key), attempts]);

test("an intent takes its changes from what waits, and a withdrawal puts them back in front", () => {
  const it = edit({ ...EMPTY, waiting: [1, 2, 3].map((nth) => group(nth)) });
  intend(it, [{ id: "b", changes: [change(1), change(2)], attempt: 1 }]);
  expect(waiting(it)).toEqual([[["1#3"], 0]]);
  expect(it.ledger.starts).toHaveLength(1);
  recordSent(it, "b", { type: "withdrawn" });
  expect(waiting(it)).toEqual([
    [["1#1", "1#2"], 0],
    [["1#3"], 0],
  ]);
  expect(it.ledger.starts).toEqual([]);
  expect(it.ledger.batches).toEqual([]);
});

test("a job that is known replaces a doubt, and no doubt a job that is known", () => {
  const it = edit(EMPTY);
  intend(it, [{ id: "b", changes: [change(1)], attempt: 1 }]);
  recordSent(it, "b", { type: "uncertain", why: "lost" });
  expect(it.ledger.batches).toMatchObject([{ state: "uncertain", why: "lost" }]);
  recordSent(it, "b", { type: "accepted", jobId: "job", isFollowUp: false });
  expect(it.ledger.batches).toMatchObject([{ state: "running", jobId: "job", why: "" }]);
  recordSent(it, "b", { type: "uncertain", why: "lost" });
  recordSent(it, "b", { type: "withdrawn" });
  expect(it.ledger.batches).toMatchObject([{ state: "running", jobId: "job" }]);
});

test("a job that took a batch which was decided on meanwhile is told of, and changes nothing", () => {
  const it = edit(EMPTY);
  recordSent(it, "gone", { type: "accepted", jobId: "late", isFollowUp: false });
  expect(it.ledger).toEqual(EMPTY);
  expect(it.events.join()).toContain("late");
});

test("an intent that nobody followed up is uncertain after ten minutes, not before", () => {
  const it = edit(EMPTY);
  intend(it, [{ id: "b", changes: [change(1)], attempt: 1 }]);
  expect(edit(it.ledger, { now: NOW + 10 * MINUTE - 1000 }).ledger.batches).toMatchObject([
    { state: "intended" },
  ]);
  const later = edit(it.ledger, { now: NOW + 10 * MINUTE });
  expect(later.ledger.batches).toMatchObject([{ state: "uncertain" }]);
  expect(later.isChanged).toBe(true);
});

test("a batch that is done without a pull request is at its end", () => {
  const it = edit(running());
  takePoll(it, "b", polled("done"), null);
  expect(it.ledger).toMatchObject({ batches: [], reviews: [], done: [{ result: "none" }] });
  expect(it.ledger.days).toEqual({ "2026-11-20": { documented: 2, not: 0 } });
  expect(it.history).toMatchObject([{ batch: "b", state: "done", jobId: "job" }]);
});

test("with a pull request it is in review until that is merged or closed", () => {
  const it = edit(running());
  takePoll(it, "b", polled("done", LINK), null);
  expect(it.ledger).toMatchObject({ done: [], reviews: [{ prLink: LINK, jobId: "job" }] });
  expect(it.ledger.agent.links).toEqual([LINK]);
  takeReview(it, LINK, { state: "open", lastCommitAt: "" });
  expect(it.ledger.reviews).toHaveLength(1);
  const closed = edit(it.ledger);
  takeReview(closed, LINK, { state: "closed", lastCommitAt: "" });
  expect(closed.ledger.days).toEqual({ "2026-11-20": { documented: 0, not: 2 } });
  takeReview(it, LINK, { state: "merged", lastCommitAt: "" });
  expect(it.ledger).toMatchObject({ reviews: [], done: [{ result: "merged", prLink: LINK }] });
  expect(it.ledger.days).toEqual({ "2026-11-20": { documented: 2, not: 0 } });
});

test("a docs pull request that cannot be read is given up after five runs", () => {
  const it = edit(running());
  takePoll(it, "b", polled("done", LINK), null);
  for (let run = 1; run < 5; run++) takeReview(it, LINK, { state: "unread", lastCommitAt: "" });
  expect(it.ledger.reviews).toMatchObject([{ unread: 4 }]);
  takeReview(it, LINK, { state: "unread", lastCommitAt: "" });
  expect(it.ledger).toMatchObject({ reviews: [], done: [{ result: "unread" }] });
});

test("a failed batch is handed over again as two halves, and the last time each change by itself", () => {
  const it = edit(running(4));
  takePoll(it, "b", polled("failed"), null);
  expect(waiting(it)).toEqual([
    [["1#1", "1#2"], 1],
    [["1#3", "1#4"], 1],
  ]);
  const last = edit(running(2, { attempt: 2 }));
  takePoll(last, "b", polled("failed"), null);
  expect(waiting(last)).toEqual([
    [["1#1"], 2],
    [["1#2"], 2],
  ]);
  const over = edit(running(1, { attempt: 3 }));
  takePoll(over, "b", polled("failed"), null);
  expect(waiting(over)).toEqual([]);
  expect(over.ledger.batches).toMatchObject([{ state: "failed", why: "Job job failed" }]);
});

test("a job that the service does not know counts as running for ten minutes, then in one run more", () => {
  const ledger = running();
  const young = edit(ledger, { now: NOW + 9 * MINUTE });
  takePoll(young, "b", polled("unknown"), null);
  expect(young.isChanged).toBe(false);
  const first = edit(ledger, { now: NOW + 11 * MINUTE });
  takePoll(first, "b", polled("unknown"), null);
  expect(first.ledger.batches).toMatchObject([{ state: "running", unknown: 1 }]);
  const seen = edit(first.ledger, { now: NOW + 12 * MINUTE });
  takePoll(seen, "b", { ...polled("running"), status: "active" }, null);
  expect(seen.ledger.batches).toMatchObject([{ unknown: 0 }]);
  const second = edit(first.ledger, { now: NOW + 12 * MINUTE });
  takePoll(second, "b", polled("unknown"), null);
  expect(second.ledger.batches).toEqual([]);
  expect(waiting(second)).toEqual([
    [["1#1"], 1],
    [["1#2"], 1],
  ]);
});

test("a job at work past the deadline needs a decision, holds nobody up, and its late end is taken", () => {
  const it = edit(running(), { now: NOW + 25 * HOUR });
  takePoll(it, "b", { ...polled("running"), status: "reindexing" }, null);
  const [batch] = it.ledger.batches;
  if (batch === undefined) throw new Error("no batch");
  expect([it.needsDecision(batch), it.holdsUp(batch), batch.why]).toEqual([
    true,
    false,
    "reindexing",
  ]);
  takePoll(it, "b", polled("done"), null);
  expect(it.ledger).toMatchObject({ batches: [], done: [{ result: "none" }] });
});

test("a follow-up whose pull request was merged or closed before its last commit gives its changes back", () => {
  const ledger: Ledger = { ...running(2, { isFollowUp: true }), reviews: [review()] };
  const late = edit(ledger);
  const merged = { state: "merged", lastCommitAt: "2026-11-22T11:00:00Z" } as const;
  takePoll(late, "b", polled("done", LINK), merged);
  expect(waiting(late)).toEqual([
    [["1#1"], 1],
    [["1#2"], 1],
  ]);
  const inTime = edit(ledger);
  const after = { state: "merged", lastCommitAt: "2026-11-22T12:30:00Z" } as const;
  takePoll(inTime, "b", polled("done", LINK), after);
  expect(inTime.ledger.reviews).toMatchObject([
    { changes: [{ key: "1#9" }, { key: "1#1" }, { key: "1#2" }] },
  ]);
});

test("one that was seen merged while the job was at work gives them back whatever comes", () => {
  const it = edit({ ...running(1, { isFollowUp: true }), reviews: [review()] });
  takeReview(it, LINK, { state: "merged", lastCommitAt: "" });
  expect(it.ledger.batches).toMatchObject([{ isTooLate: true }]);
  takePoll(it, "b", polled("done", LINK), null);
  expect(waiting(it)).toEqual([[["1#1"], 1]]);
});

test("a job that failed on a follow-up gets no further one", () => {
  const it = edit({ ...running(1, { isFollowUp: true }), reviews: [review()] });
  takePoll(it, "b", polled("failed"), null);
  expect(it.ledger.reviews).toMatchObject([{ isClosedToBatches: true }]);
});

test("a decision counts once, and only where one is needed", () => {
  const it = edit(running(2, { attempt: 3 }));
  decide(it, { id: "b", what: "again" });
  expect(it.isChanged).toBe(false);
  takePoll(it, "b", polled("failed"), null);
  const left = edit(it.ledger);
  decide(left, { id: "b", what: "leave" });
  expect(left.ledger).toMatchObject({ batches: [], waiting: [], done: [{ result: "left" }] });
  expect(left.history).toMatchObject([{ state: "left" }]);
  decide(it, { id: "b", what: "again" });
  decide(it, { id: "b", what: "again" });
  expect(waiting(it)).toEqual([[["1#1", "1#2"], 3]]);
});

test("commits that are too many to read can be left", () => {
  const tooMany = { sha: "f".repeat(40), commits: 30_000 };
  const source = {
    id: 1,
    repository: "acme/code",
    branch: "main",
    sha: "a",
    date: "2026-11-01T00:00:00Z",
  };
  const sources = [{ ...source, readAt: "", release: "", tooMany }];
  const it = edit({ ...EMPTY, sources });
  decide(it, { id: `range 1@main ${tooMany.sha}`, what: "leave" });
  expect(it.ledger.sources).toMatchObject([{ sha: tooMany.sha, tooMany: null }]);
});

test("what only grows old is no reason for a write", () => {
  const days = { "2026-09-01": { documented: 1, not: 0 } };
  const starts = [{ batch: "b", at: "2026-11-20T00:00:00Z" }];
  const it = edit({ ...EMPTY, days, starts });
  expect(it.ledger).toMatchObject({ days: {}, starts: [] });
  expect(it.isChanged).toBe(false);
});
