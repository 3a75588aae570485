import { expect, test } from "vitest";
import {
  change,
  EMPTY,
  edit,
  LINK,
  MINUTE,
  NOW,
  polled,
} from "../../../test/support/ledger-examples.ts";
import { recordSent, takePoll } from "./batch-events.ts";
import { intendDraft, takeMerged } from "./drafts.ts";
import { batchFormat } from "./ledger.ts";
import type { LedgerEdit } from "./ledger-edit.ts";

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
  takePoll(it, "d", polled("done", LINK), null);
  expect(it.ledger.drafts).toMatchObject([{ state: "done", prLink: LINK }]);
  expect(it.ledger.agent.links).toEqual([LINK]);
});

test("a job that the service does not know in two runs has failed", () => {
  const early = drafted();
  takePoll(early, "d", polled("unknown"), null);
  const it = edit(early.ledger, { now: NOW + 11 * MINUTE });
  expect(it.ledger.drafts).toMatchObject([{ unknown: 0 }]);
  takePoll(it, "d", polled("unknown"), null);
  expect(it.ledger.drafts).toMatchObject([{ state: "running", unknown: 1 }]);
  takePoll(it, "d", polled("unknown"), null);
  expect(it.ledger.drafts).toMatchObject([{ state: "failed" }]);
});

test("after the merge it is a batch; with other commits, its job goes on with them", () => {
  const same = drafted();
  expect(takeMerged(same, change(1), "head")).toBe(true);
  expect(same.ledger.drafts).toEqual([]);
  expect(same.ledger.batches).toMatchObject([{ id: "d", state: "running", jobId: "job" }]);
  takePoll(same, "d", polled("done", LINK), null);
  expect(same.ledger).toMatchObject({ batches: [], waiting: [], reviews: [{ prLink: LINK }] });
  const other = drafted();
  expect(takeMerged(other, change(1), "newer")).toBe(true);
  takePoll(other, "d", polled("done", LINK), null);
  expect(other.ledger).toMatchObject({
    ...{ batches: [], reviews: [{ prLink: LINK, jobId: "job", changes: [] }] },
    waiting: [{ attempts: 0, followUp: { jobId: "job", prLink: LINK } }],
  });
});

test("one that failed is as if there were none", () => {
  const it = drafted();
  takePoll(it, "d", polled("failed"), null);
  expect(takeMerged(it, change(1), "head")).toBe(false);
  expect(it.ledger).toMatchObject({ drafts: [], batches: [], waiting: [] });
  expect(takeMerged(it, change(2), "head")).toBe(false);
});

test("a ledger from before there were drafts can be read", () => {
  const { drafts: _, ...older } = EMPTY;
  const identity = { action: "upkeep", project: "p" };
  const read = batchFormat(identity).parse(JSON.stringify(older));
  expect(read).toMatchObject({ ledger: { drafts: [] } });
});
