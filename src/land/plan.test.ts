import { expect, test } from "vitest";
import {
  CHANGE,
  checkOf,
  endedState,
  entryOf,
  factsOf,
  landInputs,
  landLedger,
  lastRead,
  NOW,
  pullOf,
  reviewOf,
  timeBefore,
} from "../../test/support/land-facts.ts";
import { unchanged } from "../ledger/file.ts";
import { shortHash } from "../text/short-hash.ts";
import type { LandAct } from "./acts.ts";
import { commentText } from "./comment.ts";
import type { LandFacts, PullFacts, PullReading, Sources } from "./facts.ts";
import type { Entry, LandLedger } from "./ledger.ts";
import { decide } from "./plan.ts";
import { wait } from "./step.ts";

const DAY = 24 * 60 * 60_000;
const MINUTE = 60_000;
const PULL = pullOf({});
const { url: URL } = PULL;
const NAME = "4242-1-random.1";
const ID = `${NAME} ${URL}`;
const PLACE = { url: URL, repository: "acme/docs", number: 7, isNamed: true };
/** What was read, a minute before the run decides. */
const READ_AT = NOW - MINUTE;
const NOTHING: Sources = { readAt: READ_AT, ledgers: [], jobs: [] };
const HASH = expect.any(String);
const QUIET = { comment: "false" };

/** Nothing has to be done about it but what its facts and inputs say. */
const ENTRY = entryOf({ lastRead: lastRead(), agent: PULL.firstAuthor, isSetUp: true }, DAY);

function readingOf(facts: PullFacts): PullReading {
  return { type: "read", facts, build: null };
}

function factsWith(reading: PullReading | null, sources: Sources = NOTHING): LandFacts {
  return { sources, pulls: new Map(reading === null ? [] : [[URL, reading]]), warnings: [] };
}

function planOf(
  entry: Entry | LandLedger,
  facts: LandFacts,
  inputs: Record<string, string> = QUIET,
) {
  const ledger = "open" in entry ? entry : landLedger([entry]);
  return decide(unchanged(ledger), facts, { now: NOW, name: NAME }, landInputs(inputs));
}

const RED = factsOf({ pull: pullOf({ checks: [checkOf({ state: "red" })] }) });
const APPROVED = factsOf({ pull: pullOf({ reviews: [reviewOf("ada", "approved")] }) });
const IDLE = factsOf({ pull: pullOf({ createdAt: timeBefore(20 * DAY) }) });
const OLD: Partial<Entry> = { foundAt: timeBefore(20 * DAY), headAt: timeBefore(20 * DAY) };
const BY_ADA = { ...CHANGE, author: "ada" };
const SET_UP = { labels: ["docs"], assignees: ["maintainer"], reviewers: ["team:docs", "ada"] };

test.each<[string, Partial<Entry>, PullFacts, Record<string, string>, object[]]>([
  ["that waits", {}, factsOf(), {}, []],
  [
    "that nothing was set for",
    { isSetUp: false, changes: [BY_ADA, { ...CHANGE, author: "renovate[bot]" }, BY_ADA] },
    factsOf(),
    { labels: "docs", assignees: "maintainer", reviewers: "team:docs\nauthors\nada" },
    [{ type: "set-up", ...SET_UP }],
  ],
  [
    "without a preview of its head",
    { preview: { head: "older", state: "refused", reason: "No plan." } },
    factsOf(),
    { preview: "true" },
    [{ type: "preview", branch: "docs/retries", head: "head" }],
  ],
  [
    "whose head has a preview",
    { preview: { head: "head", state: "refused", reason: "No plan." } },
    factsOf(),
    { preview: "true" },
    [],
  ],
  [
    "whose agent is at work",
    {},
    factsOf({ job: { state: "active", prLink: null } }),
    { preview: "true" },
    [],
  ],
  [
    "with a red check",
    {},
    RED,
    {},
    [
      {
        type: "follow-up",
        readAt: READ_AT,
        jobId: "job_1",
        prompt: expect.stringContaining("there is 1 failed check."),
      },
    ],
  ],
  [
    "that is approved",
    {},
    APPROVED,
    { merge: "approved", "merge-method": "rebase" },
    [{ type: "merge", readAt: READ_AT, sha: "head", circumstances: HASH, method: "rebase" }],
  ],
  [
    "whose code was closed",
    {},
    factsOf({ codePull: "closed" }),
    {},
    [
      {
        type: "close",
        readAt: READ_AT,
        circumstances: HASH,
        text: expect.stringContaining("closed without merging. It was therefore closed."),
      },
    ],
  ],
  [
    "that nobody reviews",
    { ...OLD, asked: ["ada", "team:docs"] },
    IDLE,
    { "remind-after-days": "7" },
    [{ type: "remind", text: expect.stringContaining("@ada, @acme/docs: this docs pull request") }],
  ],
])("acts on one %s", (_, over, facts, inputs, expected) => {
  const entry = { ...ENTRY, ...over };
  const plan = planOf(entry, factsWith(readingOf(facts)), { ...QUIET, ...inputs });
  const release = { type: "release" };
  const all = expected.length === 0 ? [] : [...expected, release];
  expect(plan.acts).toEqual(all.map((act) => ({ ...act, id: ID, place: PLACE })));
  expect(plan.ledger.open[0]?.intent?.decision ?? null).toBe(expected.length === 0 ? null : NAME);
});

const typesOf = (acts: readonly LandAct[]) => acts.map(({ type }) => type);

test("acts on one docs pull request come in their order, the comment after what it reports", () => {
  const facts = factsWith(readingOf(RED));
  const { acts } = planOf({ ...ENTRY, isSetUp: false }, facts, { preview: "true" });
  expect(typesOf(acts)).toEqual(["set-up", "preview", "follow-up", "comment", "release"]);
  const old = planOf({ ...ENTRY, ...OLD }, factsWith(readingOf(IDLE)), {
    "remind-after-days": "7",
  });
  expect(typesOf(old.acts)).toEqual(["remind", "comment", "release"]);
});

test("a comment that says what it said before is no reason to act", () => {
  const step = wait("A person reviews and merges it.");
  const digest = shortHash(commentText(ENTRY, factsOf(), step, landInputs()));
  const facts = factsWith(readingOf(factsOf()));
  expect(planOf({ ...ENTRY, comment: { digest } }, facts, {}).acts).toEqual([]);
  const { acts, ledger } = planOf({ ...ENTRY, comment: { digest: "other" } }, facts, {});
  expect(typesOf(acts)).toEqual(["comment", "release"]);
  expect(acts[0]).toMatchObject({ subject: { entry: ledger.open[0], facts: factsOf(), step } });
});

test("the intent names the follow-up, and the messages say what it is about", () => {
  const { ledger, events } = planOf(ENTRY, factsWith(readingOf(RED)));
  expect(ledger.open).toMatchObject([
    {
      intent: {
        decision: NAME,
        at: timeBefore(0),
        followUp: { about: "1 failed check", head: "head", problems: ["check 1"] },
      },
      followUps: [],
      sent: [],
    },
  ]);
  expect(events).toEqual([`Send a follow-up about 1 failed check: ${URL}`]);
  const merged = planOf(ENTRY, factsWith(readingOf(APPROVED)), { ...QUIET, merge: "approved" });
  expect(merged.events).toEqual([`Work on ${URL}`]);
  expect(merged.ledger.open[0]?.intent?.followUp).toBeNull();
});

const UNREAD: PullReading = { type: "unread", reason: "Gone.", plainReason: "", isPassing: false };
const HELD: Entry = { ...ENTRY, intent: { decision: "other", at: timeBefore(0), followUp: null } };

test.each<[string, Entry, PullReading, string | null]>([
  ["another run is at work on", HELD, readingOf(RED), "Another run is working on it."],
  [
    "another run is at work on, and was merged",
    HELD,
    readingOf(factsOf({ pull: pullOf({ state: endedState("merged") }) })),
    "Another run is working on it.",
  ],
  ["cannot be read", ENTRY, UNREAD, "Gone."],
])("one that %s is left alone", (_, entry, reading, reason) => {
  const plan = planOf(entry, factsWith(reading), {});
  expect(plan.acts).toEqual([]);
  expect(plan.ledger.open[0]?.intent).toEqual(entry.intent);
  expect(plan.ledger.ended).toEqual([]);
  expect(plan.notes.pulls).toMatchObject([{ step: { reason } }]);
});

test.each<[string, Entry, PullFacts, string | null]>([
  [
    "needs a person now",
    ENTRY,
    factsOf({ job: { state: "unknown", prLink: null } }),
    "The service no longer knows its job, so it accepts no follow-ups and is not merged.",
  ],
  ["needs none any more", { ...ENTRY, needs: "Look." }, factsOf(), null],
  [
    "is to be merged: only an attempt shows whether it needs one",
    { ...ENTRY, needs: "Look." },
    APPROVED,
    "Look.",
  ],
  ["is another run's", { ...HELD, needs: "Look." }, factsOf(), "Look."],
])("one that %s", (_, entry, facts, needs) => {
  const inputs = { ...QUIET, merge: "approved" };
  const { ledger, notes } = planOf(entry, factsWith(readingOf(facts)), inputs);
  expect(ledger.open[0]?.needs).toBe(needs);
  expect(notes.pulls).toMatchObject([{ needed: entry.needs, entry: { needs } }]);
});

test.each<[string, Partial<Entry>, Record<string, string>, string[]]>([
  ["has a comment, which is brought up to date", { comment: { digest: "old" } }, {}, ["comment"]],
  ["has no comment", {}, {}, []],
  ["keeps its comment with `comment: false`", { comment: { digest: "old" } }, QUIET, []],
])("one that was merged is over, and %s", (_, over, inputs, acts) => {
  const endedAt = timeBefore(1000);
  const facts = factsOf({ pull: pullOf({ state: { type: "merged", at: endedAt } }) });
  const plan = planOf({ ...ENTRY, ...over }, factsWith(readingOf(facts)), inputs);
  expect(plan.ledger).toMatchObject({ open: [], ended: [{ url: URL, state: "merged", endedAt }] });
  expect(plan.history).toEqual(plan.ledger.ended);
  expect(plan.events).toEqual([`Merged: ${URL}`]);
  expect(typesOf(plan.acts)).toEqual(acts);
});

test("one that was found in a ledger is looked after at once", () => {
  const pull = { url: URL, jobId: "job_2", changes: [CHANGE], askedAt: null, codePull: null };
  const sources = {
    ...NOTHING,
    ledgers: [
      { ref: "refs/docs-agent/upkeep/a", sha: "abc", pulls: [pull], requests: { "2026-11-21": 3 } },
    ],
  };
  const plan = planOf(landLedger(), factsWith(readingOf(factsOf()), sources));
  expect(plan.ledger).toMatchObject({
    ledgers: { "refs/docs-agent/upkeep/a": "abc" },
    requests: { "refs/docs-agent/upkeep/a": { "2026-11-21": 3 } },
    open: [{ url: URL, jobId: "job_2", lastRead: lastRead(), foundAt: timeBefore(0) }],
  });
  expect(plan.events).toEqual([`Found ${URL}`, `Work on ${URL}`]);
  expect(typesOf(plan.acts)).toEqual(["set-up", "release"]);
});

test("of nothing new, a plan has nothing to write", () => {
  const from = unchanged(landLedger([ENTRY]));
  const moment = { now: NOW, name: NAME };
  const plan = decide(from, factsWith(readingOf(factsOf())), moment, landInputs(QUIET));
  expect(plan.ledger).toEqual(from.ledger);
  expect([plan.acts, plan.events, plan.history]).toEqual([[], [], []]);
});
