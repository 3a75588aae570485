import { expect, test } from "vitest";
import { explore } from "../../support/ledger-model/explore.ts";
import { EMPTY_WORLD, type World } from "../../support/ledger-model/world.ts";
import { isExhaustive } from "../../support/sample.ts";

/** The longest take minutes on a machine that is busy, in milliseconds. */
const LIMIT = { timeout: 30 * 60_000 };

const world: World = { ...EMPTY_WORLD, landed: 2, hasIssues: false };

/**
 * How many runs, how many kills, lost answers and stale reads, and how many states there are at least:
 * fewer would mean that something is no longer explored.
 */
const EXPLORATIONS: [runs: number, faults: number, states: number, isLong: boolean][] = [
  [1, 2, 250, false],
  [2, 0, 100, false],
  [2, 1, 1_800, false],
  [2, 2, 13_000, true],
  [3, 0, 2_900, true],
  [3, 1, 70_000, true],
];

test.for(EXPLORATIONS.filter(([, , , isLong]) => isExhaustive || !isLong))(
  "every way of %i runs beside each other with %i faults: nothing is accepted twice, nothing lost",
  LIMIT,
  async ([runs, faults, states]) => {
    const explored = await explore({ runs, faults, world });
    expect(explored.wrong).toEqual([]);
    expect(explored.states).toBeGreaterThanOrEqual(states);
  },
);

test.runIf(isExhaustive)("with a dashboard, too, and there is one in the end", LIMIT, async () => {
  const explored = await explore({ runs: 2, faults: 0, world: { ...world, hasIssues: true } });
  expect(explored.wrong).toEqual([]);
  expect(explored.states).toBeGreaterThan(2_000);
});

test.runIf(isExhaustive)("with a dashboard and one fault", LIMIT, async () => {
  const explored = await explore({ runs: 2, faults: 1, world: { ...world, hasIssues: true } });
  expect(explored.wrong).toEqual([]);
  expect(explored.states).toBeGreaterThan(40_000);
});

test("two runs that write the same commit would both be told that they have won", async () => {
  const alike = () => "the same";
  const explored = await explore({ runs: 2, faults: 0, world, nameOf: alike });
  expect(explored.wrong.join()).toContain("is in 2 accepted requests");
});
