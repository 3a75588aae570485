import { expect, test } from "vitest";
import {
  CHANGE,
  checkOf,
  endedState,
  entryOf,
  factsOf,
  factsWith,
  judgedPull,
  landInputs,
  landLedger,
  lastRead,
  NO_LEDGERS,
  NOW,
  type PullFacts,
  pullOf,
  readsOf,
  reviewOf,
  timeBefore,
} from "../../test/support/land-facts.ts";
import { unchanged } from "../ledger/file.ts";
import { ABSENT, known, type Unread } from "../runtime/fact.ts";
import { shortHash } from "../text/short-hash.ts";
import type { LandAct } from "./acts.ts";
import { commentText } from "./comment.ts";
import type { Entry, LandLedger } from "./ledger.ts";
import { planLand } from "./plan.ts";
import type { Reason, ReasonCode } from "./reasons.ts";

const DAY = 24 * 60 * 60_000;
const HOUR = 60 * 60_000;
const PULL = pullOf({});
const { url: URL } = PULL;
const NAME = "4242-1-random.1";
const ID = `${NAME} ${URL}`;
const PLACE = { url: URL, repository: "acme/docs", number: 7, isNamed: true };
const AT_HEAD = { head: "head", base: "main" };
const QUIET = { comment: "false" };

/** Nothing has to be done about it but what its facts and inputs say. */
const ENTRY = entryOf({ lastRead: lastRead(), agent: PULL.firstAuthor, isSetUp: true }, DAY);

/** @param sources where docs pull requests are found */
async function planOf(
  from: Entry | LandLedger,
  facts: PullFacts,
  inputs: Record<string, string> = QUIET,
  sources: Parameters<typeof readsOf>[1] = {},
) {
  const ledger = "open" in from ? from : landLedger([from]);
  const planned = await planLand(
    unchanged(ledger),
    readsOf(facts, sources),
    { now: NOW, name: NAME },
    { inputs: landInputs(inputs), repository: "acme/api" },
  );
  if (planned.type !== "plan") throw new Error(planned.type);
  return planned.plan;
}

const RED = factsWith({ checks: [checkOf({ state: "red" })] });
const APPROVED = factsWith({ reviews: [reviewOf("ada", "approved")] });
const IDLE = factsWith({ createdAt: timeBefore(20 * DAY) });
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
    { preview: { head: "older", state: "refused", words: "No plan." } },
    factsOf(),
    { preview: "true" },
    [{ type: "preview", branch: "docs/retries", head: "head" }],
  ],
  [
    "whose head has a preview",
    { preview: { head: "head", state: "refused", words: "No plan." } },
    factsOf(),
    { preview: "true" },
    [],
  ],
  [
    "whose agent is at work",
    {},
    factsOf({ job: known({ isActive: true, prLink: null }) }),
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
        ...AT_HEAD,
        jobId: "job_1",
        prompt: expect.stringContaining("there is 1 failed check."),
        problems: ["check 1"],
      },
    ],
  ],
  [
    "that is approved",
    {},
    APPROVED,
    { merge: "approved", "merge-method": "rebase" },
    [{ type: "merge", ...AT_HEAD, method: "rebase" }],
  ],
  [
    "whose code was closed",
    { codePull: "https://github.com/acme/api/pull/3" },
    factsOf({ code: known({ state: "closed", head: "abc" }) }),
    {},
    [
      {
        type: "close",
        ...AT_HEAD,
        reason: "code-closed",
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
])("acts on one %s", async (_, over, facts, inputs, expected) => {
  const entry = { ...ENTRY, ...over };
  const plan = await planOf(entry, facts, { ...QUIET, ...inputs });
  const release = { type: "release" };
  const all = expected.length === 0 ? [] : [...expected, release];
  expect(plan.acts).toEqual(all.map((act) => ({ ...act, id: ID, place: PLACE })));
  expect(plan.ledger.open[0]?.intent?.decision ?? null).toBe(expected.length === 0 ? null : NAME);
});

const typesOf = (acts: readonly LandAct[]) => acts.map(({ type }) => type);

test("acts on one docs pull request come in their order, the comment after what it reports", async () => {
  const { acts } = await planOf({ ...ENTRY, isSetUp: false }, RED, { preview: "true" });
  expect(typesOf(acts)).toEqual(["set-up", "follow-up", "preview", "comment", "release"]);
  const old = await planOf({ ...ENTRY, ...OLD }, IDLE, { "remind-after-days": "7" });
  expect(typesOf(old.acts)).toEqual(["remind", "comment", "release"]);
});

test("a comment that says what it said before is no reason to act", async () => {
  const digest = shortHash(commentText(judgedPull({ entry: ENTRY }), landInputs()));
  const silent = await planOf({ ...ENTRY, comment: { digest } }, factsOf(), {});
  expect(silent.acts).toEqual([]);
  const { acts } = await planOf({ ...ENTRY, comment: { digest: "other" } }, factsOf(), {});
  expect(typesOf(acts)).toEqual(["comment", "release"]);
  const decision = { type: "wait", reason: { code: "merge-never" } };
  expect(acts[0]).toMatchObject({ subject: { entry: { url: URL }, decision } });
});

test("the intent names the follow-up, and the messages say what it is about", async () => {
  const { ledger, events } = await planOf(ENTRY, RED);
  expect(ledger.open).toMatchObject([
    {
      intent: {
        decision: NAME,
        at: timeBefore(0),
        followUp: { about: { check: 1 }, head: "head", problems: ["check 1"] },
        circumstances: null,
      },
      followUps: [],
      sent: [],
    },
  ]);
  expect(events).toEqual([`Send a follow-up about 1 failed check: ${URL}`]);
  const merged = await planOf(ENTRY, APPROVED, { ...QUIET, merge: "approved" });
  expect(merged.events).toEqual([`Work on ${URL}`]);
  expect(merged.ledger.open[0]?.intent).toMatchObject({
    followUp: null,
    circumstances: expect.any(String),
  });
});

const REFUSED: Unread = {
  type: "unread",
  cause: "refused",
  reason: "GitHub returned 404",
  isPassing: false,
  status: 404,
};
const FAILED: Unread = { ...REFUSED, cause: "unanswered", isPassing: true };
const HELD: Entry = {
  ...ENTRY,
  intent: { decision: "other", at: timeBefore(0), followUp: null, circumstances: null },
};

test.each<[string, Entry, PullFacts, ReasonCode]>([
  ["another run is at work on", HELD, RED, "other-run"],
  [
    "another run is at work on, and was merged",
    HELD,
    factsWith({ state: endedState("merged") }),
    "other-run",
  ],
  [
    "another run is at work on, and has a new commit",
    HELD,
    factsWith({ head: "new" }),
    "other-run",
  ],
  ["cannot be read", ENTRY, factsOf({ pull: REFUSED }), "unread"],
  ["is on another host", ENTRY, factsOf({ pull: ABSENT }), "elsewhere"],
  ["was opened by a person", ENTRY, factsWith({ isByPerson: true }), "by-person"],
])("one that %s is left alone", async (_, entry, facts, code) => {
  const plan = await planOf(entry, facts, {});
  expect(plan.acts).toEqual([]);
  expect(plan.ledger.open[0]?.intent).toEqual(entry.intent);
  if (entry.intent !== null) expect(plan.ledger.open).toEqual([entry]);
  expect(plan.ledger.ended).toEqual([]);
  expect(plan.notes.pulls).toMatchObject([{ decision: { reason: { code } } }]);
});

const LOOK: Reason = { code: "behind" };

test.each<[string, Entry, PullFacts, Reason | null]>([
  ["needs a person now", ENTRY, factsOf({ job: ABSENT }), { code: "job-forgotten" }],
  ["needs none any more", { ...ENTRY, needs: LOOK }, factsOf(), null],
  [
    "is to be merged: only an attempt shows whether it needs one",
    { ...ENTRY, needs: LOOK },
    APPROVED,
    LOOK,
  ],
  ["is another run's", { ...HELD, needs: LOOK }, factsOf(), LOOK],
  [
    "cannot be read in passing, which does not say again later what a person has to do",
    { ...ENTRY, needs: LOOK },
    factsOf({ pull: FAILED }),
    LOOK,
  ],
  [
    "cannot be read for a day",
    { ...ENTRY, unreadFrom: timeBefore(DAY) },
    factsOf({ pull: FAILED }),
    { code: "unread", words: FAILED.reason },
  ],
])("one that %s", async (_, entry, facts, needs) => {
  const inputs = { ...QUIET, merge: "approved" };
  const { ledger, notes } = await planOf(entry, facts, inputs);
  expect(ledger.open[0]?.needs).toEqual(needs);
  expect(notes.pulls).toMatchObject([{ needed: entry.needs, entry: { needs } }]);
});

test("one that cannot be read for a month is given up, and reported a last time", async () => {
  const entry = { ...ENTRY, unreadFrom: timeBefore(30 * DAY) };
  const { ledger, notes } = await planOf(entry, factsOf({ pull: REFUSED }));
  expect(ledger.open).toEqual([]);
  expect(notes.pulls).toMatchObject([
    { visibility: null, decision: { reason: { code: "unread" } } },
  ]);
});

test.each<[string, Partial<Entry>, Record<string, string>, string[]]>([
  ["has a comment, which is brought up to date", { comment: { digest: "old" } }, {}, ["comment"]],
  ["has no comment", {}, {}, []],
  ["keeps its comment with `comment: false`", { comment: { digest: "old" } }, QUIET, []],
])("one that was merged is over, and %s", async (_, over, inputs, acts) => {
  const endedAt = timeBefore(1000);
  const facts = factsWith({ state: { type: "merged", at: endedAt } });
  const plan = await planOf({ ...ENTRY, ...over }, facts, inputs);
  expect(plan.ledger).toMatchObject({ open: [], ended: [{ url: URL, state: "merged", endedAt }] });
  expect(plan.history).toEqual(plan.ledger.ended);
  expect(plan.events).toEqual([`Merged: ${URL}`]);
  expect(typesOf(plan.acts)).toEqual(acts);
});

test("one that was found in a ledger is looked after at once", async () => {
  const pull = { url: URL, jobId: "job_2", changes: [CHANGE], askedAt: null, codePull: null };
  const ref = "refs/docs-agent/upkeep/a";
  const requests = { "2026-11-21": 3 };
  const changed = [{ ref, sha: "abc", pulls: [pull], requests }];
  const ledgers = { ...NO_LEDGERS, changed };
  const plan = await planOf(landLedger(), factsOf(), QUIET, { ledgers });
  expect(plan.ledger).toMatchObject({
    ledgers: { [ref]: "abc" },
    requests: { [ref]: requests },
    open: [{ url: URL, jobId: "job_2", lastRead: lastRead(), foundAt: timeBefore(0) }],
  });
  expect(plan.events).toEqual([`Found ${URL}`, `Work on ${URL}`]);
  expect(typesOf(plan.acts)).toEqual(["set-up", "release"]);
});

test("the job of a status comment is polled, and its docs pull request looked after", async () => {
  const job = { id: "job_9", askedAt: "https://github.com/comment", at: timeBefore(HOUR) };
  const asked = { jobs: [job], readAt: NOW };
  const plan = await planOf(landLedger(), factsOf(), QUIET, { asked });
  expect(plan.ledger).toMatchObject({ jobs: [], open: [{ jobId: "job_9", askedAt: job.askedAt }] });
  const active = factsOf({ job: known({ isActive: true, prLink: null }) });
  const later = await planOf(landLedger(), active, QUIET, { asked });
  expect(later.ledger).toMatchObject({ jobs: [job], open: [] });
});

test("of nothing new, a plan has nothing to write", async () => {
  const ledger = landLedger([ENTRY]);
  const plan = await planOf(ledger, factsOf());
  expect(plan.ledger).toEqual(ledger);
  expect([plan.acts, plan.events, plan.history]).toEqual([[], [], []]);
});

/** @param names of the reads, in the order of their first question */
async function askedAbout(entry: Partial<Entry>, facts: PullFacts, inputs = {}): Promise<string[]> {
  const reads = readsOf(facts);
  const rules = { inputs: landInputs({ ...QUIET, ...inputs }), repository: "acme/api" };
  const from = unchanged(landLedger([{ ...ENTRY, ...entry }]));
  await planLand(from, reads, { now: NOW, name: NAME }, rules);
  const common = ["otherLedgers", "askedJobs", "pull", "visibility"];
  return [...new Set(reads.asked)].filter((name) => !common.includes(name)).sort();
}

const LIMITED = { merge: "approved", "allowed-paths": "docs/**" };

test.each<[string, Partial<Entry>, PullFacts, Record<string, string>, string[]]>([
  ["was merged: nothing", {}, factsWith({ state: endedState("merged") }), {}, []],
  ["another run is at work on: nothing", HELD, APPROVED, LIMITED, []],
  ["waits: its job", {}, factsOf(), LIMITED, ["job"]],
  ["is to be merged within limits: its files", {}, APPROVED, LIMITED, ["files", "job"]],
  ["is to be merged without limits: no files", {}, APPROVED, { merge: "approved" }, ["job"]],
  [
    "has more files than GitHub lists: its files",
    {},
    factsWith({ listedPaths: null }),
    LIMITED,
    ["files", "job"],
  ],
  ["conflicts: its files", {}, factsWith({ isConflicting: true }), {}, ["files", "job"]],
  ["has a failed job: its log", {}, RED, {}, ["job", "log"]],
  ["has a failed job that was sent: no log", { sent: ["check 1"] }, RED, {}, ["job"]],
  ["has a failed job that is ignored: no log", {}, RED, { "ignore-checks": "build" }, ["job"]],
  ["has a failed job, and no follow-up left: no log", {}, RED, { "max-follow-ups": "0" }, ["job"]],
  ["has a failed job, and another run's: no log", HELD, RED, {}, []],
  [
    "has a preview that is being built: its build",
    { preview: { head: "head", state: "building", statusId: "s", url: "" } },
    factsOf(),
    {},
    ["build", "job"],
  ],
  [
    "is a draft: the code pull request",
    { codePull: "https://github.com/acme/api/pull/3" },
    factsOf(),
    {},
    ["codePull", "job"],
  ],
])("what is read about one that %s", async (_, entry, facts, inputs, expected) => {
  expect(await askedAbout(entry, facts, inputs)).toEqual(expected);
});
