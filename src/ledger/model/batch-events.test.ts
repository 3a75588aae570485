import { expect, test } from "vitest";
import {
  batch,
  change,
  EMPTY,
  edit,
  group,
  LINK,
  polled,
  RULES,
  running,
  task,
  waiting,
} from "../../../test/support/ledger-examples.ts";
import { intend, recordSent, takePoll, takeReview } from "./batch-events.ts";

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

test("merged pull requests are told what became of them, commits and tasks are not", () => {
  const changes = [change(1), { ...change(2), number: null }, task("a.md")];
  const ledger = { ...EMPTY, batches: [batch("b", changes, { jobId: "job" })] };
  const it = edit(ledger, { rules: { ...RULES, tells: true } });
  takePoll(it, "b", polled("done", LINK), null);
  expect(it.ledger.untold).toEqual([{ change: change(1), prLink: LINK, job: "job" }]);
  const quiet = edit(ledger);
  takePoll(quiet, "b", polled("done", LINK), null);
  expect(quiet.ledger.untold).toEqual([]);
});

test("the agent's pull requests and branches are remembered, also of a job that failed", () => {
  const it = edit(running());
  takePoll(it, "b", { ...polled("failed", LINK), branch: "docs-agent/1" }, null);
  expect(it.ledger.agent).toEqual({ links: [LINK], branches: ["docs-agent/1"] });
});

test("an address that may not be shown is no docs pull request", () => {
  const it = edit(running());
  takePoll(it, "b", polled("done", "javascript:alert(1)"), null);
  expect(it.ledger).toMatchObject({ reviews: [], done: [{ result: "none", prLink: null }] });
});

test("what only grows old is no reason for a write", () => {
  const days = { "2026-09-01": { documented: 1, not: 0 } };
  const starts = [{ batch: "b", at: "2026-11-20T00:00:00Z" }];
  const it = edit({ ...EMPTY, days, starts });
  expect(it.ledger).toMatchObject({ days: {}, starts: [] });
  expect(it.isChanged).toBe(false);
});
