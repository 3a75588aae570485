import { expect, test } from "vitest";
import {
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
import type { ActResult } from "./acts.ts";
import type { PullFacts } from "./facts.ts";
import type { Entry, UnbuiltMerge } from "./ledger.ts";
import { decide } from "./plan.ts";
import { expire, holds, recordBy } from "./record.ts";

const NAME = "4242-1-random.1";
const { url: URL } = pullOf({});
const OTHER = "https://github.com/acme/docs/pull/6";
const OWN = { decision: NAME, at: timeBefore(0) };
const OTHERS = { decision: "other", at: timeBefore(0) };
const ENTRY = entryOf({ lastRead: lastRead(), isSetUp: true }, 24 * 60 * 60_000);
const MERGED = factsOf({ pull: pullOf({ state: endedState("merged") }) });
const CLOSED = factsOf({ pull: pullOf({ state: endedState("closed") }) });
const APPROVED = factsOf({ pull: pullOf({ reviews: [reviewOf("ada", "approved")] }) });
const DEPLOY = { comment: "false", merge: "approved", deploy: "true" };
const RED = factsOf({ pull: pullOf({ checks: [checkOf({ state: "red" })] }) });
const record = recordBy({ deploy: true });

function planOf(
  unbuilt: readonly UnbuiltMerge[],
  facts: PullFacts | null,
  inputs: Record<string, string> = DEPLOY,
) {
  const from = unchanged(landLedger([ENTRY], { unbuilt }));
  const reading = facts && ({ type: "read", facts, build: null } as const);
  const pulls = new Map(reading === null ? [] : [[URL, reading]]);
  const sources = { readAt: NOW, ledgers: [], jobs: [] };
  return decide(
    from,
    { sources, pulls, warnings: [] },
    { now: NOW, name: NAME },
    landInputs(inputs),
  );
}

test.each<[string, UnbuiltMerge[], PullFacts | null, UnbuiltMerge[], boolean | null]>([
  ["nothing is merged", [], factsOf(), [], null],
  ["one was found closed", [], CLOSED, [], null],
  ["one was found merged", [], MERGED, [{ url: URL, intent: OWN }], true],
  ["one is about to be merged", [], APPROVED, [], false],
  ["one is about to get a follow-up", [], RED, [], null],
  [
    "an earlier run did not start it",
    [{ url: OTHER, intent: null }],
    null,
    [{ url: OTHER, intent: OWN }],
    true,
  ],
  [
    "another run starts it",
    [{ url: OTHER, intent: OTHERS }],
    null,
    [{ url: OTHER, intent: OTHERS }],
    null,
  ],
  [
    "another run starts one for an earlier merge",
    [{ url: OTHER, intent: OTHERS }],
    MERGED,
    [
      { url: OTHER, intent: OTHERS },
      { url: URL, intent: OWN },
    ],
    true,
  ],
])("when %s, the plan has a build or none", (_, unbuilt, facts, expected, isDue) => {
  const { acts, ledger } = planOf(unbuilt, facts);
  expect(ledger.unbuilt).toEqual(expected);
  const builds = acts.filter(({ type }) => type === "build");
  expect(builds).toEqual(isDue === null ? [] : [{ type: "build", id: NAME, isDue }]);
  if (isDue !== null) expect(acts.at(-1)?.type).toBe("build");
});

test("without `deploy`, no merge makes a build due, and none is started", () => {
  const due = [{ url: OTHER, intent: null }];
  for (const facts of [MERGED, APPROVED]) {
    const { acts, ledger } = planOf(due, facts, { ...DEPLOY, deploy: "false" });
    expect(ledger.unbuilt).toEqual(due);
    expect(acts.map(({ type }) => type)).not.toContain("build");
  }
});

const MERGING: Entry = { ...ENTRY, intent: { ...OWN, followUp: null } };
const MERGE = { type: "merge", id: `${NAME} ${URL}` } as const;
const BUILD = { type: "build", id: NAME } as const;

test("a merge waits for the build that the same run starts", () => {
  const merged = record(unchanged(landLedger([MERGING])), MERGE, { type: "merged" }, NOW);
  expect(merged.ledger.unbuilt).toEqual([{ url: URL, intent: OWN }]);
  expect(record(merged, MERGE, { type: "merged" }, NOW)).toBe(merged);
  const started = record(merged, BUILD, { type: "started" }, NOW);
  expect(started.ledger.unbuilt).toEqual([]);
  expect(started.events.at(-1)).toBe("Started a build of the documentation");
  expect(record(started, BUILD, { type: "started" }, NOW)).toBe(started);
});

test("no other end makes a build due", () => {
  const from = unchanged(landLedger([MERGING]));
  const closed = record(from, { ...MERGE, type: "close" }, { type: "closed" }, NOW);
  expect(closed.ledger.unbuilt).toEqual([]);
  const merged = recordBy({ deploy: false })(from, MERGE, { type: "merged" }, NOW);
  expect(merged.ledger.unbuilt).toEqual([]);
});

test.each<[string, ActResult]>([
  ["failed", { type: "not-done" }],
  ["was not begun", { type: "withdrawn" }],
  ["was interrupted", { type: "uncertain", reason: "The run ended." }],
])("a build that %s is left to the next run, and other runs' builds to them", (_, result) => {
  const own = { url: URL, intent: OWN };
  const from = unchanged(landLedger([], { unbuilt: [own, { url: OTHER, intent: OTHERS }] }));
  expect(holds(from.ledger, BUILD)).toBe(true);
  const once = record(from, BUILD, result, NOW);
  expect(once.ledger.unbuilt).toEqual([
    { url: URL, intent: null },
    { url: OTHER, intent: OTHERS },
  ]);
  expect(holds(once.ledger, BUILD)).toBe(false);
  expect(record(once, BUILD, result, NOW)).toBe(once);
});

test("what a dead run was about to build is left to the next run", () => {
  const dead = { url: URL, intent: { decision: "dead", at: timeBefore(60_000) } };
  const from = unchanged(landLedger([], { unbuilt: [dead, { url: OTHER, intent: OTHERS }] }));
  const { ledger } = expire(from, (at) => at === dead.intent.at);
  expect(ledger.unbuilt).toEqual([
    { url: URL, intent: null },
    { url: OTHER, intent: OTHERS },
  ]);
  expect(expire(from, () => false)).toBe(from);
});
