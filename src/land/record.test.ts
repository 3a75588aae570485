import { expect, test } from "vitest";
import { checkOf, NOW, pullOf, timeBefore } from "../../test/support/land-facts.ts";
import type { Facts } from "./facts.ts";
import { type Ended, type Entry, LandEdit, landFormat, newEntry } from "./ledger.ts";
import {
  ageIntents,
  endPull,
  intend,
  type Result,
  takeRead,
  takeResults,
  takeUnread,
} from "./record.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const { url: URL, ...PULL } = pullOf({});
const RED = checkOf({ id: "9", state: "red" });
const NEWS = [{ type: "check" as const, id: "check 9", check: RED }];

function editOf(over: Partial<Entry> = {}, ended: Ended[] = [], now = NOW): LandEdit {
  const known = { url: URL, jobId: "job_1", changes: [], askedAt: "", codePull: "" };
  const entry = { ...newEntry(known, NOW - DAY), head: "head", ...over };
  const begun = landFormat({ action: "land", project: "p" }).begin;
  return new LandEdit({ ...begun, open: [entry], ended }, now);
}

const SENT = { at: timeBefore(0), about: "1 failed check", head: "head" };

test.each<[string, Omit<Result, "url" | "entry">, Partial<Entry>]>([
  [
    "accepted",
    { sent: { type: "accepted", jobId: "job_1", isFollowUp: true } },
    { followUps: [{ ...SENT, isUncertain: false }], sent: ["check 9"] },
  ],
  [
    "may have been received",
    { sent: { type: "uncertain", why: "" } },
    { followUps: [{ ...SENT, isUncertain: true }], sent: ["check 9"] },
  ],
  [
    "refused",
    { sent: { type: "refused" } },
    { followUps: [], sent: [], isClosedToFollowUps: true },
  ],
  ["not tried", {}, { followUps: [], sent: [], isClosedToFollowUps: false }],
])("a follow-up that was %s", (_, result, expected) => {
  const edit = editOf();
  intend(edit, URL, "run 1", NEWS);
  expect(edit.entry(URL)?.intent?.followUp).toEqual({
    ...{ about: "1 failed check", head: "head", news: ["check 9"] },
  });
  takeResults(edit, "run 2", [{ url: URL, entry: { isSetUp: true }, ...result }]);
  expect(edit.entry(URL)).toMatchObject({ isSetUp: false, intent: { run: "run 1" } });
  takeResults(edit, "run 1", [{ url: URL, entry: { isSetUp: true }, ...result }]);
  expect(edit.entry(URL)).toMatchObject({ ...expected, isSetUp: true, intent: null });
});

test.each([
  ["younger than 10 minutes is another run's", 10 * MINUTE - 1, NEWS, { followUps: [] }],
  [
    "of 10 minutes may have gone out",
    10 * MINUTE,
    NEWS,
    {
      intent: null,
      followUps: [{ about: "1 failed check", isUncertain: true }],
      sent: ["check 9"],
    },
  ],
  ["of 10 minutes without a follow-up is over", 10 * MINUTE, [], { intent: null, followUps: [] }],
])("an intent %s", (_, age, news, expected) => {
  const before = editOf();
  intend(before, URL, "run 1", news);
  const edit = new LandEdit(before.ledger, NOW + age);
  ageIntents(edit);
  expect(edit.entry(URL)).toMatchObject(expected);
  if (!("intent" in expected)) expect(edit.entry(URL)?.intent).not.toBeNull();
});

test.each([
  ["is read first", { head: "" }, { head: "head", headAt: timeBefore(DAY) }],
  ["has a new commit", { head: "older" }, { head: "head", headAt: timeBefore(0) }],
  ["is as it was", {}, { head: "head", headAt: timeBefore(DAY) }],
])("one that %s", (_, before, expected) => {
  const sent = ["check 9", "check 1", "review 4"];
  const edit = editOf({ ...before, sent, unreadFrom: timeBefore(DAY) });
  const pull = pullOf({ checks: [RED], isEditedByOthers: true });
  takeRead(edit, URL, { pull } as Facts, null);
  // What is no longer there may come back.
  const read = { openedAt: PULL.createdAt, isEditedByOthers: true, sent, unreadFrom: "" };
  expect(edit.entry(URL)).toMatchObject({ ...read, ...expected });
});

test("one that cannot be read for 30 days is given up", () => {
  for (const [days, left] of [
    [29, 1],
    [30, 0],
  ] as const) {
    const edit = editOf({ foundAt: timeBefore(90 * DAY) });
    takeUnread(edit, URL);
    expect(edit.entry(URL)?.unreadFrom).toBe(timeBefore(0));
    edit.changeEntry(URL, { unreadFrom: timeBefore(days * DAY) });
    takeUnread(edit, URL);
    expect(edit.ledger.open).toHaveLength(left);
  }
});

test.each([
  ["somebody committed to", { isEditedByOthers: true }, true],
  ["has another first author than before", { firstAuthor: "ada@example.com" }, true],
  ["has the same first author", {}, false],
])("one that %s", (_, over, expected) => {
  const edit = editOf({ agent: "agent@example.com" });
  takeRead(edit, URL, { pull: pullOf(over) } as Facts, null);
  expect(edit.entry(URL)).toMatchObject({ isEditedByOthers: expected });
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
  const edit = editOf({ followUps: [{ ...SENT, isUncertain: false }] }, before);
  endPull(edit, URL, "closed", pullOf({ endedAt: timeBefore(MINUTE) }));
  expect(edit.ledger.ended).toHaveLength(kept);
  const line = { url: URL, state: "closed", endedAt: timeBefore(MINUTE), followUps: [SENT.at] };
  expect(edit.ledger.ended.at(-1)).toMatchObject(line);
  expect(edit.history).toEqual([edit.ledger.ended.at(-1)]);
  expect(edit.ledger.open).toEqual([]);
});

test("one that this run merged is over, once", () => {
  const edit = editOf({}, [{ ...endedOf(7, 1), url: URL }]);
  intend(edit, URL, "run 1", []);
  takeResults(edit, "run 1", [{ url: URL, entry: {}, ended: "merged" }]);
  expect(edit.ledger.ended).toMatchObject([{ url: URL, state: "merged", endedAt: timeBefore(0) }]);
});
