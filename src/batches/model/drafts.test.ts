import { expect, test } from "vitest";
import {
  change,
  doneDraft,
  EMPTY,
  failedBatch,
  intendedBatch,
  LINK,
  revision,
  runningBatch,
  uncertainBatch,
  waiting,
} from "../../../test/support/ledger-examples.ts";
import { draftOf, takeMerged } from "./drafts.ts";

const DRAFTED = [change(1)];

test.each([
  ["an intended draft", intendedBatch("d", DRAFTED)],
  ["a running one", runningBatch("d", DRAFTED)],
  ["an uncertain one", uncertainBatch("d", DRAFTED)],
])("%s becomes a batch at the merge, once", (_, draft) => {
  const taken = takeMerged(revision({ ...EMPTY, drafts: [draft] }), change(1), "a");
  expect(taken.isTaken).toBe(true);
  expect(taken.revision.ledger).toMatchObject({ drafts: [], batches: [draft] });
  const again = takeMerged(taken.revision, change(1), "a");
  expect(again).toEqual({ revision: taken.revision, isTaken: false });
});

test("a failed draft is removed at the merge, and its change is not taken", () => {
  const before = revision({ ...EMPTY, drafts: [failedBatch("d", DRAFTED)] });
  expect(draftOf(before.ledger, "1#1")).toBeDefined();
  const { revision: after, isTaken } = takeMerged(before, change(1), "a");
  expect(isTaken).toBe(false);
  expect(after.ledger).toMatchObject({ drafts: [], batches: [] });
});

test("a draft that is done is in review at the merge, and another head is a follow-up", () => {
  const drafts = [doneDraft("d", DRAFTED, { id: "job", prLink: LINK })];
  const same = takeMerged(revision({ ...EMPTY, drafts }), change(1), "a").revision;
  expect(same.ledger).toMatchObject({ reviews: [{ prLink: LINK, changes: DRAFTED }], waiting: [] });
  const other = takeMerged(revision({ ...EMPTY, drafts }), change(1), "newer").revision;
  expect(other.ledger.reviews).toMatchObject([{ prLink: LINK, changes: [] }]);
  expect(waiting(other)).toEqual([[["1#1"], 0]]);
  expect(other.ledger.waiting).toMatchObject([{ followUp: { jobId: "job", prLink: LINK } }]);
});
