import { expect, test } from "vitest";
import { CHANGE, entryOf, NOW, pullOf, timeBefore } from "../../test/support/land-facts.ts";
import type { DocsPull } from "../github/changes/docs-pull.ts";
import { type Ended, type Entry, LandEdit, landFormat, newEntry, type Result } from "./ledger.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const { url: URL, ...PULL } = pullOf({});
const TOLD: [string, string[]] = ["1 failed check", ["check 9"]];
const NOTHING: [string, string[]] = ["", []];

/** A ledger with one docs pull request. */
function begin(over: Partial<Entry> = {}, ended: Ended[] = []): { edit: LandEdit; entry: Entry } {
  const open = [entryOf({ head: "head", ...over }, DAY)];
  const ledger = { ...landFormat("p").begin, open, ended };
  return of(new LandEdit(ledger, NOW));
}

function of(edit: LandEdit) {
  const [entry] = edit.ledger.open;
  if (entry === undefined) throw new Error("nothing is open");
  return { edit, entry };
}

const SENT = { at: timeBefore(0), about: "1 failed check", head: "head" };

test.each<[string, Result["sent"], Partial<Entry>]>([
  [
    "accepted",
    "accepted",
    { followUps: [{ ...SENT, isUncertain: false }], sent: ["check 1", "check 9"] },
  ],
  [
    "perhaps received",
    "uncertain",
    { followUps: [{ ...SENT, isUncertain: true }], sent: ["check 1", "check 9"] },
  ],
  ["not sent", "withdrawn", { followUps: [], sent: ["check 1"] }],
])("a follow-up that was %s", (_, sent, expected) => {
  const { edit, entry } = begin({ sent: ["check 1"] });
  edit.intend(entry, "run 1", ...TOLD);
  expect(entry.intent?.followUp).toEqual({
    about: "1 failed check",
    head: "head",
    news: ["check 9"],
  });
  const results: Result[] = [{ url: URL, sent, entry: { isSetUp: true } }];
  edit.takeResults("run 2", results);
  expect(entry).toMatchObject({ isSetUp: false, intent: { run: "run 1" } });
  edit.takeResults("run 1", results);
  expect(entry).toMatchObject({ ...expected, isSetUp: true, intent: null });
});

test.each<[string, number, typeof TOLD, object]>([
  ["younger than 10 minutes is another run's", 10 * MINUTE - 1, TOLD, { intent: {}, sent: [] }],
  [
    "of 10 minutes may have gone out",
    10 * MINUTE,
    TOLD,
    {
      intent: null,
      sent: ["check 9"],
      followUps: [{ about: "1 failed check", isUncertain: true }],
    },
  ],
  ["of 10 minutes without a follow-up is over", 10 * MINUTE, NOTHING, { intent: null, sent: [] }],
])("an intent %s", (_, age, step, expected) => {
  const { edit: before, entry } = begin();
  before.intend(entry, "run 1", ...step);
  const edit = new LandEdit(before.ledger, NOW + age);
  edit.ageIntents();
  expect(of(edit).entry).toMatchObject(expected);
});

test.each<[string, Partial<Entry>, Partial<DocsPull>, Partial<Entry>]>([
  ["is read first", { head: "" }, {}, { head: "head", headAt: timeBefore(DAY) }],
  ["has a new commit", { head: "older" }, {}, { head: "head", headAt: timeBefore(0) }],
  ["is as it was", {}, {}, { headAt: timeBefore(DAY), isEditedByOthers: false }],
  ["somebody committed to", {}, { isEditedByOthers: true }, { isEditedByOthers: true }],
  ["has another first author", {}, { firstAuthor: "ada@x.example" }, { isEditedByOthers: true }],
])("one that %s", (_, before, over, expected) => {
  const sent = ["check 9", "check 1", "review 4"];
  const known = { sent, unreadFrom: timeBefore(DAY), agent: "agent@example.com" };
  const { edit, entry } = begin({ ...known, ...before });
  edit.takeRead(entry, pullOf(over));
  // What is no longer there may come back.
  expect(entry).toMatchObject({ openedAt: PULL.createdAt, sent, unreadFrom: "", ...expected });
});

test.each([
  [29, 1],
  [30, 0],
])("of those that cannot be read for %i days, %i are kept", (days, left) => {
  const { edit, entry } = begin({ foundAt: timeBefore(90 * DAY) });
  edit.takeRead(entry, null);
  expect(entry.unreadFrom).toBe(timeBefore(0));
  entry.unreadFrom = timeBefore(days * DAY);
  edit.takeRead(entry, null);
  expect(edit.ledger.open).toHaveLength(left);
});

const endedOf = (number: number, daysAgo: number): Ended => ({
  url: `https://github.com/acme/docs/pull/${number}`,
  state: "merged",
  changes: 1,
  openedAt: timeBefore((daysAgo + 1) * DAY),
  endedAt: timeBefore(daysAgo * DAY),
  isEditedByOthers: false,
  followUps: [],
});

test.each([
  ["of the last 31 days are kept", 14, 30, 15],
  ["that are older are the last ten at most", 14, 31, 10],
])("ended ones %s", (_, count, daysAgo, kept) => {
  const before = Array.from({ length: count }, (_, at) => endedOf(100 + at, daysAgo));
  const { edit, entry } = begin({ followUps: [{ ...SENT, isUncertain: false }] }, before);
  edit.end(entry, "closed", timeBefore(MINUTE));
  expect(edit.ledger.ended).toHaveLength(kept);
  const line = { url: URL, state: "closed", endedAt: timeBefore(MINUTE), followUps: [SENT.at] };
  expect(edit.ledger.ended.at(-1)).toMatchObject(line);
  expect(edit.history).toEqual([edit.ledger.ended.at(-1)]);
  expect(edit.ledger.open).toEqual([]);
});

test("one that this run merged is over, once", () => {
  const { edit, entry } = begin({}, [{ ...endedOf(7, 1), url: URL }]);
  edit.intend(entry, "run 1", ...NOTHING);
  edit.takeResults("run 1", [{ url: URL, sent: "withdrawn", entry: {}, ended: "merged" }]);
  expect(edit.ledger.ended).toMatchObject([{ url: URL, state: "merged", endedAt: timeBefore(0) }]);
});

const KNOWN = { url: URL, jobId: "job_2", changes: [CHANGE], askedAt: "", codePull: "" };

test.each([
  ["with another batch has its job and changes", [CHANGE], "job_2", 1],
  ["by a comment stays as a ledger has it", [], "job_1", 2],
])("one that is known, found %s", (_, changes, jobId, count) => {
  const { edit, entry } = begin({ changes: [CHANGE, CHANGE] });
  edit.add({ ...KNOWN, changes });
  expect(edit.ledger.open).toEqual([entry]);
  expect(entry).toMatchObject({ jobId, head: "head", foundAt: timeBefore(DAY) });
  expect(entry.changes).toHaveLength(count);
});

test("one that is found is looked after from now on, unless it was merged or closed", () => {
  const { edit } = begin({}, [{ ...endedOf(8, 1) }]);
  edit.add({ ...KNOWN, url: "https://github.com/acme/docs/pull/8" });
  expect(edit.events).toEqual([]);
  const found = { ...KNOWN, url: "https://github.com/acme/docs/pull/9" };
  edit.add(found);
  expect(edit.ledger.open.slice(1)).toEqual([newEntry(found, NOW)]);
  expect(edit.events).toEqual([`Found ${found.url}`]);
});
