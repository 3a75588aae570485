import { expect, test } from "vitest";
import { NOW, pullOf, timeBefore } from "../../test/support/land-facts.ts";
import {
  ageIntents,
  type Ended,
  type Entry,
  editOf,
  endPull,
  intend,
  type LandEdit,
  landFormat,
  newEntry,
  type Result,
  takeRead,
  takeResults,
  takeUnread,
  withFollowUp,
} from "./ledger.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const { url: URL, ...PULL } = pullOf({});
const TOLD = { why: "1 failed check", problems: [{ id: "check 9" }] };
const NOTHING = { why: "", problems: [] };

/** A ledger with one docs pull request. */
function begin(over: Partial<Entry> = {}, ended: Ended[] = []): { edit: LandEdit; entry: Entry } {
  const known = { url: URL, jobId: "job_1", changes: [], askedAt: "", codePull: "" };
  const open = [{ ...newEntry(known, NOW - DAY), head: "head", ...over }];
  const ledger = { ...landFormat({ action: "land", project: "p" }).begin, open, ended };
  return of(editOf({ ledger, now: NOW }));
}

function of(edit: LandEdit) {
  const [entry] = edit.ledger.open;
  if (entry === undefined) throw new Error("nothing is open");
  return { edit, entry };
}

const SENT = { at: timeBefore(0), about: "1 failed check", head: "head" };

test.each<[string, (entry: Entry) => Partial<Entry>, Partial<Entry>]>([
  [
    "accepted",
    (entry) => withFollowUp(entry, false),
    { followUps: [{ ...SENT, isUncertain: false }], sent: ["check 9"] },
  ],
  [
    "perhaps received",
    (entry) => withFollowUp(entry, true),
    { followUps: [{ ...SENT, isUncertain: true }], sent: ["check 9"] },
  ],
  ["not sent", () => ({}), { followUps: [], sent: [] }],
])("a follow-up that was %s", (_, resultOf, expected) => {
  const { edit, entry } = begin();
  intend(edit, entry, "run 1", TOLD);
  expect(entry.intent?.followUp).toEqual({
    ...{ about: "1 failed check", head: "head", news: ["check 9"] },
  });
  const results: Result[] = [{ url: URL, entry: { isSetUp: true, ...resultOf(entry) } }];
  takeResults(edit, "run 2", results);
  expect(entry).toMatchObject({ isSetUp: false, intent: { run: "run 1" } });
  takeResults(edit, "run 1", results);
  expect(entry).toMatchObject({ ...expected, isSetUp: true, intent: null });
});

test.each([
  ["younger than 10 minutes is another run's", 10 * MINUTE - 1, TOLD, { intent: {}, sent: [] }],
  [
    "of 10 minutes may have gone out",
    10 * MINUTE,
    TOLD,
    {
      ...{ intent: null, sent: ["check 9"] },
      followUps: [{ about: "1 failed check", isUncertain: true }],
    },
  ],
  ["of 10 minutes without a follow-up is over", 10 * MINUTE, NOTHING, { intent: null, sent: [] }],
])("an intent %s", (_, age, step, expected) => {
  const { edit: before, entry } = begin();
  intend(before, entry, "run 1", step);
  const edit = editOf({ ledger: before.ledger, now: NOW + age });
  ageIntents(edit);
  expect(of(edit).entry).toMatchObject(expected);
});

test.each([
  ["is read first", { head: "" }, { head: "head", headAt: timeBefore(DAY) }],
  ["has a new commit", { head: "older" }, { head: "head", headAt: timeBefore(0) }],
  ["is as it was", {}, { head: "head", headAt: timeBefore(DAY) }],
])("one that %s", (_, before, expected) => {
  const sent = ["check 9", "check 1", "review 4"];
  const { edit, entry } = begin({ ...before, sent, unreadFrom: timeBefore(DAY) });
  takeRead(edit, entry, { pull: pullOf({ isEditedByOthers: true }), preview: null });
  // What is no longer there may come back.
  const read = { openedAt: PULL.createdAt, isEditedByOthers: true, sent, unreadFrom: "" };
  expect(entry).toMatchObject({ ...read, ...expected });
});

test.each([
  [29, 1],
  [30, 0],
])("of those that cannot be read for %i days, %i are kept", (days, left) => {
  const { edit, entry } = begin({ foundAt: timeBefore(90 * DAY) });
  takeUnread(edit, entry);
  expect(entry.unreadFrom).toBe(timeBefore(0));
  entry.unreadFrom = timeBefore(days * DAY);
  takeUnread(edit, entry);
  expect(edit.ledger.open).toHaveLength(left);
});

test.each([
  ["somebody committed to", { isEditedByOthers: true }, true],
  ["has another first author than before", { firstAuthor: "ada@example.com" }, true],
  ["has the same first author", {}, false],
])("one that %s", (_, over, expected) => {
  const { edit, entry } = begin({ agent: "agent@example.com" });
  takeRead(edit, entry, { pull: pullOf(over), preview: null });
  expect(entry).toMatchObject({ isEditedByOthers: expected });
});

const endedOf = (number: number, daysAgo: number): Ended => ({
  ...{ url: `https://github.com/acme/docs/pull/${number}`, state: "merged", changes: 1 },
  ...{ openedAt: timeBefore((daysAgo + 1) * DAY), endedAt: timeBefore(daysAgo * DAY) },
  ...{ isEditedByOthers: false, followUps: [] },
});

test.each([
  ["of the last 31 days are kept", 14, 30, 15],
  ["that are older are the last ten at most", 14, 31, 10],
])("ended ones %s", (_, count, daysAgo, kept) => {
  const before = Array.from({ length: count }, (_, at) => endedOf(100 + at, daysAgo));
  const { edit, entry } = begin({ followUps: [{ ...SENT, isUncertain: false }] }, before);
  endPull(edit, entry, "closed", timeBefore(MINUTE));
  expect(edit.ledger.ended).toHaveLength(kept);
  const line = { url: URL, state: "closed", endedAt: timeBefore(MINUTE), followUps: [SENT.at] };
  expect(edit.ledger.ended.at(-1)).toMatchObject(line);
  expect(edit.history).toEqual([edit.ledger.ended.at(-1)]);
  expect(edit.ledger.open).toEqual([]);
});

test("one that this run merged is over, once", () => {
  const { edit, entry } = begin({}, [{ ...endedOf(7, 1), url: URL }]);
  intend(edit, entry, "run 1", NOTHING);
  takeResults(edit, "run 1", [{ url: URL, entry: {}, ended: "merged" }]);
  expect(edit.ledger.ended).toMatchObject([{ url: URL, state: "merged", endedAt: timeBefore(0) }]);
});
