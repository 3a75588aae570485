import { expect, test } from "vitest";
import {
  change,
  EMPTY,
  edit,
  group,
  LINK,
  MINUTE,
  NOW,
  polled,
  waiting,
} from "../../../test/support/ledger-examples.ts";
import { takePoll } from "./batch-ends.ts";
import { intend, intendDraft, recordSent, takeMerged } from "./batch-requests.ts";
import type { LedgerEdit } from "./ledger-edit.ts";

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

const DRAFTED = { ...change(1), sha: "head", landedAt: "" };
const ACCEPTED = { type: "accepted", jobId: "job", isFollowUp: false } as const;

/** A draft, at work. */
function drafted(): LedgerEdit {
  const it = edit(EMPTY);
  intendDraft(it, "d", DRAFTED);
  recordSent(it, "d", ACCEPTED);
  return it;
}

test("a draft that was withdrawn leaves nothing, and one that is unclear stays", () => {
  const it = edit(EMPTY);
  intendDraft(it, "d", DRAFTED);
  expect(it.ledger.starts).toHaveLength(1);
  recordSent(it, "d", { type: "withdrawn" });
  expect(it.ledger).toMatchObject({ drafts: [], starts: [] });
  intendDraft(it, "e", DRAFTED);
  const later = edit(it.ledger, { now: NOW + 11 * MINUTE });
  expect(later.ledger.drafts).toMatchObject([{ state: "uncertain" }]);
  recordSent(later, "e", ACCEPTED);
  expect(later.ledger.drafts).toMatchObject([{ state: "running", jobId: "job", why: "" }]);
});

test("polls bring its docs pull request, and its end", () => {
  const it = drafted();
  takePoll(it, "d", polled("done", LINK));
  expect(it.ledger.drafts).toMatchObject([{ state: "done", prLink: LINK }]);
  expect(it.ledger.agent.links).toEqual([LINK]);
});

test("after the merge it is a batch; with other commits, its job goes on with them", () => {
  const same = drafted();
  expect(takeMerged(same, change(1), "head")).toBe(true);
  expect(same.ledger.drafts).toEqual([]);
  expect(same.ledger.batches).toMatchObject([{ id: "d", state: "running", jobId: "job" }]);
  takePoll(same, "d", polled("done", LINK));
  expect(same.ledger).toMatchObject({ batches: [], waiting: [], reviews: [{ prLink: LINK }] });
  const other = drafted();
  expect(takeMerged(other, change(1), "newer")).toBe(true);
  takePoll(other, "d", polled("done", LINK));
  expect(other.ledger).toMatchObject({
    ...{ batches: [], reviews: [{ prLink: LINK, jobId: "job", changes: [] }] },
    waiting: [{ attempts: 0, followUp: { jobId: "job", prLink: LINK } }],
  });
});

test("one that failed is as if there were none", () => {
  const it = drafted();
  takePoll(it, "d", polled("failed"));
  expect(takeMerged(it, change(1), "head")).toBe(false);
  expect(it.ledger).toMatchObject({ drafts: [], batches: [], waiting: [] });
  expect(takeMerged(it, change(2), "head")).toBe(false);
});
