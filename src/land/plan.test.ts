import { expect, test } from "vitest";
import {
  APPROVED,
  CHANGE,
  endedState,
  factsOf,
  factsWith,
  landLedger,
  lastRead,
  NO_LEDGERS,
  NOW,
  type PullFacts,
  pullOf,
  RED,
  SETTLED,
  timeBefore,
} from "../../test/support/land-facts.ts";
import { planOf } from "../../test/support/land-plan.ts";
import { ABSENT, known, type Unread } from "../runtime/fact.ts";
import type { LandAct } from "./acts.ts";
import type { PullEntry } from "./ledger.ts";
import type { LandReason, LandReasonCode } from "./reasons.ts";

const DAY = 24 * 60 * 60_000;
const HOUR = 60 * 60_000;
const PULL = pullOf({});
const { url: URL } = PULL;
const SAID = { comment: "true" };

const typesOf = (acts: readonly LandAct[]) => acts.map(({ type }) => type);

const REFUSED: Unread = {
  type: "unread",
  cause: "refused",
  reason: "GitHub returned 404",
  isPassing: false,
  status: 404,
};
const FAILED: Unread = { ...REFUSED, cause: "unanswered", isPassing: true };
const HELD: PullEntry = {
  ...SETTLED,
  intent: { decision: "other", at: timeBefore(0), followUp: null, circumstances: null },
};

test.each<[string, PullEntry, PullFacts, LandReasonCode]>([
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
  ["cannot be read", SETTLED, factsOf({ pull: REFUSED }), "unread"],
  ["is on another host", SETTLED, factsOf({ pull: ABSENT }), "elsewhere"],
  ["was opened by a person", SETTLED, factsWith({ isByPerson: true }), "by-person"],
])("one that %s is left alone", async (_, entry, facts, code) => {
  const plan = await planOf(entry, facts, SAID);
  expect(plan.acts).toEqual([]);
  expect(plan.ledger.open[0]?.intent).toEqual(entry.intent);
  if (entry.intent !== null) expect(plan.ledger.open).toEqual([entry]);
  expect(plan.ledger.ended).toEqual([]);
  expect(plan.notes.pulls).toMatchObject([{ decision: { reason: { code } } }]);
});

const LOOK: LandReason = { code: "behind" };

test.each<[string, PullEntry, PullFacts, LandReason | null]>([
  [
    "needs a person now",
    { ...SETTLED, jobMissingSince: timeBefore(DAY) },
    factsOf({ job: ABSENT }),
    { code: "job-forgotten" },
  ],
  ["needs none any more", { ...SETTLED, needs: LOOK }, factsOf(), null],
  [
    "is to be merged: only an attempt shows whether it needs one",
    { ...SETTLED, needs: LOOK },
    APPROVED,
    LOOK,
  ],
  [
    "is to be merged, which GitHub has not done for a day",
    { ...SETTLED, waiting: { code: "not-done", from: timeBefore(DAY) } },
    APPROVED,
    { code: "not-done" },
  ],
  ["is another run's", { ...HELD, needs: LOOK }, factsOf(), LOOK],
  [
    "cannot be read in passing, which does not say again later what a person has to do",
    { ...SETTLED, needs: LOOK },
    factsOf({ pull: FAILED }),
    LOOK,
  ],
  [
    "cannot be read for a day",
    { ...SETTLED, waiting: { code: "unread-for-now", from: timeBefore(DAY) } },
    factsOf({ pull: FAILED }),
    { code: "unread-for-now", words: FAILED.reason },
  ],
])("one that %s", async (_, entry, facts, needs) => {
  const inputs = { merge: "approved" };
  const { ledger, notes } = await planOf(entry, facts, inputs);
  expect(ledger.open[0]?.needs).toEqual(needs);
  expect(notes.pulls).toMatchObject([{ needed: entry.needs, entry: { needs } }]);
});

test("one that cannot be read for a month is given up, and reported a last time", async () => {
  const waiting = { code: "unread", from: timeBefore(30 * DAY) } as const;
  const entry = { ...SETTLED, waiting };
  const { ledger, notes } = await planOf(entry, factsOf({ pull: REFUSED }));
  expect(ledger.open).toEqual([]);
  expect(notes.pulls).toMatchObject([
    { visibility: null, decision: { reason: { code: "unread" } } },
  ]);
});

test.each<[string, Partial<PullEntry>, Record<string, string>, string[]]>([
  ["has a comment, which is brought up to date", { comment: { digest: "old" } }, SAID, ["comment"]],
  ["has no comment", {}, SAID, []],
  ["keeps its comment with `comment: false`", { comment: { digest: "old" } }, {}, []],
])("one that was merged is over, and %s", async (_, over, inputs, acts) => {
  const endedAt = timeBefore(1000);
  const facts = factsWith({ state: { type: "merged", at: endedAt } });
  const plan = await planOf({ ...SETTLED, ...over }, facts, inputs);
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
  const plan = await planOf(landLedger(), factsOf(), {}, { ledgers });
  expect(plan.ledger).toMatchObject({
    ledgers: { [ref]: "abc" },
    requests: { [ref]: requests },
    open: [{ url: URL, jobId: "job_2", lastRead: lastRead(), foundAt: timeBefore(0) }],
  });
  expect(plan.events).toEqual([`Found ${URL}`, `Work on ${URL}`]);
  expect(typesOf(plan.acts)).toEqual(["set-up", "release"]);
});

test("the job of a status comment is polled, and its docs pull request looked after", async () => {
  const job = {
    id: "job_9",
    askedAt: "https://github.com/comment",
    at: timeBefore(HOUR),
    missingSince: null,
    withoutPullSince: null,
  };
  const asked = { jobs: [job], readAt: NOW };
  const plan = await planOf(landLedger(), factsOf(), {}, { asked });
  expect(plan.ledger).toMatchObject({ jobs: [], open: [{ jobId: "job_9", askedAt: job.askedAt }] });
  const active = factsOf({ job: known({ isActive: true, prLink: null }) });
  const later = await planOf(landLedger(), active, {}, { asked });
  expect(later.ledger).toMatchObject({ jobs: [job], open: [] });
});

test("of nothing new, a plan has nothing to write", async () => {
  const waiting = { code: "merge-never", from: timeBefore(DAY) } as const;
  const ledger = landLedger([{ ...SETTLED, waiting }]);
  const plan = await planOf(ledger, factsOf());
  expect(plan.ledger).toEqual(ledger);
  expect([plan.acts, plan.events, plan.history]).toEqual([[], [], []]);
});
