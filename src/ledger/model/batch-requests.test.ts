import { expect, test } from "vitest";
import {
  change,
  EMPTY,
  edit,
  group,
  MINUTE,
  NOW,
  waiting,
} from "../../../test/support/ledger-examples.ts";
import { intend, intendDraft, recordSent } from "./batch-requests.ts";

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
