import { expect, test } from "vitest";
import { NOW, timeBefore } from "../../test/support/land-facts.ts";
import { type Ended, editOf, type LandLedger, landFormat, newEntry } from "./ledger.ts";
import { type Found, takeFound } from "./read.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const URL = "https://github.com/acme/docs/pull/7";
const PLACE = { repository: "acme/api", number: 12, sha: "abc", author: "ada", landedAt: "" };
const CHANGE = { ...PLACE, kind: "change" as const, key: "12", title: "Add retries", url: "" };
const KNOWN = { url: URL, jobId: "job_1", changes: [CHANGE], askedAt: "", codePull: "" };
const ENDED: Ended = {
  ...{ url: URL, state: "closed", openedAt: "", endedAt: timeBefore(DAY), changes: 1 },
  ...{ isEditedByOthers: false, followUps: [] },
};

function taken(before: Partial<LandLedger>, found: Partial<Found>) {
  const begun = landFormat({ action: "land", project: "p" }).begin;
  const ledger = { ...begun, commentsFrom: timeBefore(HOUR), ...before };
  const edit = editOf({ ledger, now: NOW });
  const nothing = { known: [], jobs: [], ledgers: {}, commentsFrom: timeBefore(0) };
  takeFound(edit, { ...nothing, ...found });
  return edit;
}

test("one that a ledger names is looked after from now on", () => {
  const edit = taken({}, { known: [KNOWN], ledgers: { "refs/docs-agent/upkeep/a": "1" } });
  expect(edit.ledger.open).toEqual([newEntry(KNOWN, NOW)]);
  expect(edit.ledger).toMatchObject({
    ...{ ledgers: { "refs/docs-agent/upkeep/a": "1" }, commentsFrom: timeBefore(0) },
  });
  expect(edit.events).toEqual([`Found ${URL}`]);
});

test.each([
  ["with another batch has its job and changes", { ...KNOWN, jobId: "job_2" }, "job_2", 1],
  [
    "from a comment stays as a ledger has it",
    { ...KNOWN, jobId: "job_2", changes: [] },
    "job_1",
    2,
  ],
])("one that is known, found %s", (_, found, jobId, changes) => {
  const entry = { ...newEntry({ ...KNOWN, changes: [CHANGE, CHANGE] }, NOW - DAY), head: "head" };
  const edit = taken({ open: [entry] }, { known: [found] });
  expect(edit.ledger.open).toMatchObject([{ jobId, head: "head", foundAt: timeBefore(DAY) }]);
  expect(edit.ledger.open[0]?.changes).toHaveLength(changes);
});

test("one that was merged or closed is not taken up again", () => {
  expect(taken({ ended: [ENDED] }, { known: [KNOWN] }).ledger.open).toEqual([]);
});

test.each([
  ["nothing is found: nothing is written", {}, {}, false],
  ["nothing is found for a day", { commentsFrom: timeBefore(DAY + 1) }, {}, true],
  ["a ledger has changed", { ledgers: { a: "1" } }, { ledgers: { a: "2" } }, true],
  ["a ledger is as it was", { ledgers: { a: "1" } }, { ledgers: { a: "1" } }, false],
  ["a job is asked for", {}, { jobs: [{ id: "job_1", askedAt: "", at: "" }] }, true],
])("%s", (_, before, found, isChanged) => {
  expect(taken(before, found).isChanged).toBe(isChanged);
});
