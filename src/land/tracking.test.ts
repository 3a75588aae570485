import { expect, test } from "vitest";
import {
  CHANGE,
  entryOf,
  landLedger,
  lastRead,
  NOW,
  pullOf,
  timeBefore,
} from "../../test/support/land-facts.ts";
import type { DocsPull } from "../github/changes/docs-pull.ts";
import { unchanged } from "../ledger/file.ts";
import { ABSENT, type Fact, known, type Unread } from "../runtime/fact.ts";
import { type AskedJob, type Ended, newEntry, type Preview, type PullEntry } from "./ledger.ts";
import type { DocsJobPoll, PreviewBuild } from "./reads.ts";
import {
  addFound,
  addFromSources,
  afterReading,
  commentsSince,
  endPull,
  giveUp,
  isGivenUp,
  jobsToPoll,
  type Sources,
} from "./tracking.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const UNREAD: Unread = {
  type: "unread",
  cause: "unanswered",
  reason: "the service answered 500",
  isPassing: true,
  status: 500,
};
const { url: URL } = pullOf({});
const ENTRY = entryOf({ lastRead: lastRead() }, DAY);

test.each<[string, Partial<PullEntry>, Partial<DocsPull>, Partial<PullEntry>]>([
  ["is read first", { lastRead: null }, {}, { headAt: timeBefore(0) }],
  ["has a new commit", { lastRead: lastRead("older") }, {}, { headAt: timeBefore(0) }],
  ["is as it was", {}, {}, { headAt: timeBefore(DAY), isEditedByOthers: false }],
  ["somebody committed to", {}, { isEditedByOthers: true }, { isEditedByOthers: true }],
  ["has another first author", {}, { firstAuthor: "ada@x.example" }, { isEditedByOthers: true }],
  ["has no first author any more", {}, { firstAuthor: null }, { isEditedByOthers: true }],
  [
    "never had one",
    { agent: null },
    { firstAuthor: null },
    { agent: null, isEditedByOthers: false },
  ],
])("one that %s", (_, earlier, over, expected) => {
  const sent = ["check 9", "check 1", "review 4"];
  const before = { sent, agent: "agent@example.com" };
  const entry = { ...ENTRY, ...before, ...earlier };
  const after = afterReading(entry, pullOf(over), null, NOW);
  // What is no longer there may come back.
  expect(after).toMatchObject({ lastRead: lastRead(), sent, ...expected });
});

const BUILDING: Preview = {
  head: "older",
  state: "building",
  statusId: "s",
  url: "https://p.example",
};

test.each<[string, Fact<PreviewBuild> | null, Preview]>([
  ["goes on", known({ state: "building" }), BUILDING],
  ["cannot be read", UNREAD, BUILDING],
  ["was not read", null, BUILDING],
  ["succeeds", known({ state: "built" }), { ...BUILDING, state: "built" }],
  ["fails", known({ state: "failed", log: "broken" }), { ...BUILDING, state: "failed" }],
  ["is forgotten", ABSENT, { head: "older", state: "forgotten" }],
])("a build that %s", (_, build, expected) => {
  const entry = { ...ENTRY, preview: BUILDING };
  expect(afterReading(entry, pullOf({}), build, NOW).preview).toEqual(expected);
});

test.each([
  ["can be read is kept", null, false],
  ["cannot be read for 29 days is kept", { code: "unread", days: 29 }, false],
  ["cannot be read for 30 days is given up", { code: "unread", days: 30 }, true],
  ["GitHub fails to answer about is kept", { code: "unread-for-now", days: 90 }, false],
] as const)("one that %s", (_, wait, expected) => {
  const waiting = wait && { code: wait.code, from: timeBefore(wait.days * DAY) };
  expect(isGivenUp({ ...ENTRY, waiting }, NOW)).toBe(expected);
});

test("one that is given up is no longer looked after", () => {
  const { ledger, events } = giveUp(unchanged(landLedger([ENTRY])), ENTRY);
  expect(ledger.open).toEqual([]);
  expect(events).toEqual([`Stop tracking ${URL}, which cannot be read`]);
});

const endedOf = (number: number, daysAgo: number): Ended => ({
  url: `https://github.com/acme/docs/pull/${number}`,
  state: "merged",
  isByLand: true,
  changes: 1,
  openedAt: timeBefore((daysAgo + 1) * DAY),
  endedAt: timeBefore(daysAgo * DAY),
  isEditedByOthers: false,
  followUps: [],
});

const END = { state: "closed", isByLand: true, endedAt: timeBefore(MINUTE) } as const;

test.each([
  ["of the last 31 days are kept", 14, 30, 15],
  ["that are older are the last ten at most", 14, 31, 10],
])("ended ones %s", (_, count, daysAgo, kept) => {
  const before = Array.from({ length: count }, (_, nth) => endedOf(100 + nth, daysAgo));
  const followUp = { at: timeBefore(0), about: { check: 1 }, head: "head", isUncertain: false };
  const entry = { ...ENTRY, followUps: [followUp] };
  const from = unchanged(landLedger([entry], { ended: before }));
  const { ledger, events, history } = endPull(from, entry, END, NOW);
  expect(ledger.ended).toHaveLength(kept);
  const line = { url: URL, ...END, followUps: [followUp.at] };
  expect(ledger.ended.at(-1)).toMatchObject(line);
  expect(history).toEqual([ledger.ended.at(-1)]);
  expect(events).toEqual([`Closed: ${URL}`]);
  expect(ledger.open).toEqual([]);
});

const FOUND = { url: URL, jobId: "job_2", changes: [CHANGE], askedAt: null, codePull: null };

test.each([
  ["with another batch has its job and changes", [CHANGE], "job_2", 1],
  ["by a comment stays as a ledger has it", [], "job_1", 2],
])("one that is known, found %s", (_, changes, jobId, count) => {
  const entry = { ...ENTRY, changes: [CHANGE, CHANGE] };
  const { ledger } = addFound(unchanged(landLedger([entry])), { ...FOUND, changes }, NOW);
  expect(ledger.open).toMatchObject([{ jobId, lastRead: lastRead(), foundAt: timeBefore(DAY) }]);
  expect(ledger.open[0]?.changes).toHaveLength(count);
});

test("one that is found is looked after from now on, unless it was merged or closed", () => {
  const from = unchanged(landLedger([ENTRY], { ended: [endedOf(8, 1)] }));
  expect(addFound(from, { ...FOUND, url: endedOf(8, 1).url }, NOW)).toBe(from);
  const found = { ...FOUND, url: "https://github.com/acme/docs/pull/9" };
  const { ledger, events } = addFound(from, found, NOW);
  expect(ledger.open).toEqual([ENTRY, newEntry(found, NOW)]);
  expect(events).toEqual([`Found ${found.url}`]);
});

const NOTHING: Sources = { readAt: NOW, ledgers: [], jobs: [] };
const JOB: AskedJob = {
  id: "job_9",
  askedAt: "https://github.com/comment",
  at: timeBefore(DAY),
  missingSince: null,
  withoutPullSince: null,
};
const polled = (poll: Fact<DocsJobPoll>, over: Partial<AskedJob>): Sources => {
  const found = { job: { ...JOB, id: "job_8" }, poll: AT_WORK };
  return { ...NOTHING, jobs: [{ job: { ...JOB, ...over }, poll }, found] };
};

const AT_WORK = known({ isActive: true, prLink: null });

const ENDED = known({ isActive: false, prLink: null });
const at = (minutes: number) => timeBefore(minutes * MINUTE);

test.each<[string, Fact<DocsJobPoll>, Partial<AskedJob>, Partial<AskedJob> | null]>([
  ["is at work is polled again", AT_WORK, { missingSince: at(9) }, { missingSince: null }],
  ["cannot be polled is polled again", UNREAD, {}, {}],
  ["has just ended without one is polled again", ENDED, {}, { withoutPullSince: at(0) }],
  ["has none in a second poll is forgotten", ENDED, { withoutPullSince: at(1) }, null],
  ["may be too young is polled again", ABSENT, { at: at(9) }, { missingSince: null }],
  ["was not found is polled again", ABSENT, { at: at(10) }, { missingSince: at(0) }],
  ["was not found twice is polled again", ABSENT, { missingSince: at(29) }, {}],
  ["was not found for half an hour is forgotten", ABSENT, { missingSince: at(30) }, null],
  ["has opened one is known by it", known({ isActive: true, prLink: URL }), {}, null],
])("a job of a status comment that %s", (_, poll, over, expected) => {
  const { ledger } = addFromSources(unchanged(landLedger([])), polled(poll, over), NOW);
  const [job] = ledger.jobs.filter(({ id }) => id === JOB.id);
  expect(job).toEqual(expected === null ? undefined : { ...JOB, ...over, ...expected });
  expect(ledger.open.map(({ askedAt }) => askedAt)).toEqual(
    poll.type === "known" && poll.value.prLink !== null ? [JOB.askedAt] : [],
  );
});

test("if the service knows no job that was polled, none is forgotten within a day", () => {
  const jobs = (over: Partial<AskedJob>) => {
    const asked = { job: { ...JOB, missingSince: at(60), ...over }, poll: ABSENT };
    return addFromSources(unchanged(landLedger([])), { ...NOTHING, jobs: [asked] }, NOW).ledger
      .jobs;
  };
  expect(jobs({ at: timeBefore(DAY) })).toHaveLength(1);
  expect(jobs({ at: timeBefore(DAY + MINUTE) })).toHaveLength(0);
});

test("jobs are polled once, and not if a docs pull request of theirs is known", () => {
  const ledger = landLedger([ENTRY], { jobs: [JOB] });
  const edited = { ...JOB, at: timeBefore(MINUTE) };
  const other = { ...JOB, id: "job_8" };
  const ofKnown = { ...JOB, id: ENTRY.jobId };
  expect(jobsToPoll(ledger, [edited, other, ofKnown])).toEqual([edited, other]);
  const doubted = landLedger([ENTRY], { jobs: [{ ...JOB, missingSince: at(9) }] });
  expect(jobsToPoll(doubted, [edited])).toEqual([{ ...edited, missingSince: at(9) }]);
});

const READ_AT = NOW - MINUTE;

test.each<[string, Partial<Sources>, number | null, boolean]>([
  ["something was found", { ledgers: [{ ref: "r", sha: "s", pulls: [], requests: {} }] }, 0, true],
  ["nothing was found", {}, 60 * MINUTE, false],
  ["nothing was found for a day", {}, DAY + 1000, true],
  ["there was no run before", {}, null, true],
])(
  "whether the next run reads comments from when this one began, if %s",
  (_, over, ago, isNoted) => {
    const commentsFrom = ago === null ? null : timeBefore(MINUTE + ago);
    const from = unchanged(landLedger([], { commentsFrom }));
    const { ledger } = addFromSources(from, { ...NOTHING, readAt: READ_AT, ...over }, NOW);
    expect(ledger.commentsFrom).toBe(isNoted ? timeBefore(MINUTE) : commentsFrom);
  },
);

test("comments are read from 10 minutes before the end of the last run, because lists show them late", () => {
  const ledger = landLedger([], { commentsFrom: timeBefore(60 * MINUTE) });
  expect(commentsSince(ledger, NOW)).toBe(NOW - 70 * MINUTE);
  expect(commentsSince(landLedger([], { commentsFrom: null }), NOW)).toBe(NOW - 30 * DAY);
});
