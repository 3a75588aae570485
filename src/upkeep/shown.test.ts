import { expect, test } from "vitest";
import { changeOf, incompressible, NOW, stateOf } from "../../test/support/ledger-state.ts";
import { sampleOf } from "../../test/support/sample.ts";
import { ledgerMarkers } from "../ledger/issue/ledger-markers.ts";
import { makeCheckpoint } from "../ledger/model/checkpoint.ts";
import { needsDecisionOf } from "../ledger/model/open-changes.ts";
import { renderUpkeepDashboard } from "./dashboard.ts";
import { keptShown, NOTHING_SHOWN, ownPullRequests, readShown } from "./shown.ts";

const DAY = 24 * 3_600_000;

/** What GitHub takes, in characters. */
const MAX_BODY = 65_536;

const passed = (number: number) => ({
  key: `acme/code#${number}`,
  title: incompressible(120, number),
  url: `https://github.com/acme/code/pull/${number}`,
  landedAt: NOW,
  why: `label ${incompressible(50, -number)}`,
});

test("what is too much to keep is counted, those that coverage counts apart", () => {
  const old = Array.from({ length: 40 }, (_, at) => changeOf(at + 1, { landedAt: NOW - 90 * DAY }));
  const recent = Array.from({ length: 1500 }, (_, at) => changeOf(at + 41));
  const kept = keptShown({ ...NOTHING_SHOWN, waiting: [...old, ...recent] }, NOW);
  expect(kept.waiting.length).toBeGreaterThan(40);
  expect(kept.waiting.length + kept.more.count).toBe(1540);
  expect(kept.more.recent).toBe(kept.more.count);
  expect(keptShown(kept, NOW)).toEqual(kept);
});

test("what a marker kept is read as it was written, and anything else as nothing", () => {
  const kept = keptShown({ ...NOTHING_SHOWN, waiting: [changeOf(1)], own: ["acme/docs#1"] }, NOW);
  const written = JSON.stringify(kept);
  expect(JSON.stringify(readShown(JSON.parse(written)))).toBe(written);
  for (const other of [undefined, null, "shown", { ...kept, waiting: [{ key: "acme/code#1" }] }]) {
    expect(readShown(other)).toEqual(NOTHING_SHOWN);
  }
});

test("the agent's own pull requests are remembered beyond the batches that the ledger keeps", () => {
  const prLink = (number: number) => `https://github.com/Acme/docs/pull/${number}`;
  const before = ownPullRequests([], stateOf({ prLink: prLink(1) }, { prLink: prLink(2) }));
  const now = ownPullRequests(before, stateOf({ prLink: prLink(2) }, { prLink: prLink(3) }));
  expect(now).toEqual(["acme/docs#1", "acme/docs#2", "acme/docs#3"]);
});

const UNCERTAIN = Array.from({ length: 60 }, () => ({ state: "uncertain" as const }));
const LEDGERS = [
  { name: "everything is done", others: [] },
  { name: "much is uncertain", others: UNCERTAIN },
];

test.each(sampleOf(LEDGERS, 1, "large ledgers"))(
  "the body fits, whatever titles outsiders write: $name",
  ({ others }) => {
    const titled = (number: number) => changeOf(number, { title: incompressible(120, number) });
    const batches = Array.from({ length: 300 }, (_, at) => ({
      changes: Array.from({ length: 20 }, (__, nth) => titled(at * 20 + nth)),
      prLink: `https://github.com/acme/docs/pull/${at}`,
      age: (400 - at) * DAY,
    }));
    const open = others.map((it, at) => ({ ...it, changes: [titled(9000 + at)], age: DAY }));
    const state = stateOf(...batches, ...open);
    for (let number = 0; number < 60_000; number += 1 + (number % 5)) {
      state.known.add(`acme/code#${number}`, NOW);
    }
    for (let at = 0; at < 3000; at += 1) state.known.add(`acme/code@${at * 7919}`, NOW);
    const shown = {
      waiting: Array.from({ length: 500 }, (__, at) => titled(10_000 + at)),
      more: { count: 0, recent: 0 },
      passedOver: Array.from({ length: 20 }, (__, at) => passed(20_000 + at)),
      own: Array.from({ length: 500 }, (__, at) => `acme/docs#${at * 7}`),
    };
    const needsDecision = needsDecisionOf(state, 3);
    const text = renderUpkeepDashboard({
      state,
      shown,
      needsDecision,
      ticked: [],
      docsUrl: "https://a.b",
    });
    const marker = ledgerMarkers("upkeep", ["key"], "project").write(
      { repository: "acme/code", issue: 1 },
      { record: makeCheckpoint(state), shown: keptShown(shown, NOW) },
      0,
    );
    expect(text.length + marker.length).toBeLessThan(MAX_BODY - 200);
  },
);
