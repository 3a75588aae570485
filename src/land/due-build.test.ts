import { expect, test } from "vitest";
import {
  APPROVED,
  endedState,
  factsOf,
  factsWith,
  landInputs,
  landLedger,
  NOW,
  type PullFacts,
  pullOf,
  RED,
  SETTLED,
  timeBefore,
} from "../../test/support/land-facts.ts";
import { DECISION, planOf } from "../../test/support/land-plan.ts";
import { type Revision, unchanged } from "../ledger/file.ts";
import { type Delivery, notSent } from "../runtime/delivery.ts";
import { accepted, type LandValue } from "./acts.ts";
import type { LandLedger, PullEntry } from "./ledger.ts";
import { expireLandIntents, hasIntent, recordLandAct } from "./record.ts";

const { url: URL } = pullOf({});
const OTHER = "https://github.com/acme/docs/pull/6";
const OWN = { decision: DECISION, at: timeBefore(0) };
const OTHERS = { decision: "other", at: timeBefore(0) };
const MERGED = factsWith({ state: endedState("merged") });
const CLOSED = factsWith({ state: endedState("closed") });
const DEPLOY = { comment: "false", merge: "approved", deploy: "true" };

function record(
  from: Revision<LandLedger>,
  act: { type: string; id: string },
  delivery: Delivery<LandValue>,
  inputs = DEPLOY,
) {
  return recordLandAct(from, act, delivery, NOW, landInputs(inputs));
}

/** @param facts about the only docs pull request; null if there is none */
function planWith(
  unbuilt: LandLedger["unbuilt"],
  facts: PullFacts | null,
  inputs: Record<string, string> = DEPLOY,
  isByHand = false,
) {
  const ledger = landLedger(facts === null ? [] : [SETTLED], { unbuilt });
  return planOf(ledger, facts ?? factsOf(), inputs, {}, isByHand);
}

test.each<[string, LandLedger["unbuilt"], PullFacts | null, LandLedger["unbuilt"], boolean | null]>(
  [
    ["nothing is merged", [], factsOf(), [], null],
    ["one was found closed", [], CLOSED, [], null],
    ["one was found merged", [], MERGED, [{ url: URL, tries: 0, intent: OWN }], true],
    ["one is about to be merged", [], APPROVED, [], false],
    ["one is about to get a follow-up", [], RED, [], null],
    [
      "an earlier run did not start it",
      [{ url: OTHER, tries: 0, intent: null }],
      null,
      [{ url: OTHER, tries: 0, intent: OWN }],
      true,
    ],
    [
      "another run starts it",
      [{ url: OTHER, tries: 0, intent: OTHERS }],
      null,
      [{ url: OTHER, tries: 0, intent: OTHERS }],
      null,
    ],
    [
      "another run starts one for an earlier merge",
      [{ url: OTHER, tries: 0, intent: OTHERS }],
      MERGED,
      [
        { url: OTHER, tries: 0, intent: OTHERS },
        { url: URL, tries: 0, intent: OWN },
      ],
      true,
    ],
  ],
)("when %s, the plan has a build or none", async (_, unbuilt, facts, expected, isDue) => {
  const { acts, ledger } = await planWith(unbuilt, facts);
  expect(ledger.unbuilt).toEqual(expected);
  const builds = acts.filter(({ type }) => type === "build");
  expect(builds).toEqual(isDue === null ? [] : [{ type: "build", id: DECISION, isDue }]);
  if (isDue !== null) expect(acts.at(-1)?.type).toBe("build");
});

test("a build that was asked for three times is a person's, whose run asks again", async () => {
  const lost = [{ url: OTHER, tries: 3, intent: null }];
  const plan = await planWith(lost, null);
  expect(plan.ledger.unbuilt).toEqual(lost);
  expect(plan.acts).toEqual([]);
  expect(plan.notes.warnings).toEqual([expect.stringContaining("Run this workflow by hand")]);
  const byHand = await planWith(lost, null, DEPLOY, true);
  expect(byHand.acts).toEqual([{ type: "build", id: DECISION, isDue: true }]);
  expect(byHand.notes.warnings).toEqual([]);
  // The build of a later merge has all of it.
  const { ledger } = await planWith(lost, MERGED);
  expect(ledger.unbuilt).toEqual([
    { url: OTHER, tries: 3, intent: OWN },
    { url: URL, tries: 0, intent: OWN },
  ]);
});

test("without `deploy`, no merge makes a build due, none is started, and none is owed", async () => {
  const due = [{ url: OTHER, tries: 0, intent: null }];
  for (const facts of [MERGED, APPROVED]) {
    const { acts, ledger } = await planWith(due, facts, { ...DEPLOY, deploy: "false" });
    expect(ledger.unbuilt).toEqual([]);
    expect(acts.map(({ type }) => type)).not.toContain("build");
  }
});

const MERGING: PullEntry = { ...SETTLED, intent: { ...OWN, followUp: null, circumstances: "c" } };
const MERGE = { type: "merge", id: `${DECISION} ${URL}` } as const;
const BUILD = { type: "build", id: DECISION } as const;

test("a merge waits for the build that the same run starts", () => {
  const merged = record(unchanged(landLedger([MERGING])), MERGE, accepted({ type: "merged" }));
  expect(merged.ledger.unbuilt).toEqual([{ url: URL, tries: 0, intent: OWN }]);
  expect(record(merged, MERGE, accepted({ type: "merged" }))).toBe(merged);
  const started = record(merged, BUILD, accepted({ type: "started" }));
  expect(started.ledger.unbuilt).toEqual([]);
  expect(started.events.at(-1)).toBe("Started a build of the documentation");
  expect(record(started, BUILD, accepted({ type: "started" }))).toBe(started);
});

test("no other end makes a build due", () => {
  const from = unchanged(landLedger([MERGING]));
  const closed = record(from, { ...MERGE, type: "close" }, accepted({ type: "closed" }));
  expect(closed.ledger.unbuilt).toEqual([]);
  const merged = record(from, MERGE, accepted({ type: "merged" }), { ...DEPLOY, deploy: "false" });
  expect(merged.ledger.unbuilt).toEqual([]);
});

test.each<[string, Delivery<LandValue>, number]>([
  ["failed", notSent("unreached"), 1],
  ["was not begun", notSent("cancelled"), 0],
  ["was interrupted", { type: "uncertain", reason: "The run ended", error: null }, 1],
])("a build that %s is left to the next run, and other runs' to them", (_, delivery, tries) => {
  const own = { url: URL, tries: 0, intent: OWN };
  const from = unchanged(
    landLedger([], { unbuilt: [own, { url: OTHER, tries: 0, intent: OTHERS }] }),
  );
  expect(hasIntent(from.ledger, BUILD)).toBe(true);
  const once = record(from, BUILD, delivery);
  expect(once.ledger.unbuilt).toEqual([
    { url: URL, tries, intent: null },
    { url: OTHER, tries: 0, intent: OTHERS },
  ]);
  expect(hasIntent(once.ledger, BUILD)).toBe(false);
  expect(record(once, BUILD, delivery)).toBe(once);
});

test("what a dead run was about to build is left to the next run", () => {
  const dead = { url: URL, tries: 0, intent: { decision: "dead", at: timeBefore(60_000) } };
  const from = unchanged(
    landLedger([], { unbuilt: [dead, { url: OTHER, tries: 0, intent: OTHERS }] }),
  );
  const { ledger } = expireLandIntents(from, (at) => at === dead.intent.at);
  expect(ledger.unbuilt).toEqual([
    { url: URL, tries: 1, intent: null },
    { url: OTHER, tries: 0, intent: OTHERS },
  ]);
  expect(expireLandIntents(from, () => false)).toBe(from);
});
