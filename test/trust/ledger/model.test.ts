import { expect, test } from "vitest";
import { BROKEN, RECORDING_EACH } from "../../support/ledger-model/broken.ts";
import { type Exploration, explore } from "../../support/ledger-model/explore.ts";
import { isExhaustive } from "../../support/sample.ts";

/** In milliseconds. The longest take a minute, and longer on a machine that is busy. */
const LIMIT = { timeout: 30 * 60_000 };

/** Also how many states there are at least: fewer would mean that something is no longer explored. */
type Measured = Exploration & { states: number };

const SHORT: Measured[] = [
  { runs: 1, faults: 2, landed: 1, toLand: 1, toRevoke: 0, states: 1_100 },
  { runs: 1, faults: 3, landed: 1, toLand: 1, toRevoke: 0, states: 5_900 },
  { runs: 1, faults: 3, landed: 1, toLand: 0, toRevoke: 0, isLater: true, states: 5_200 },
  { runs: 1, faults: 2, landed: 2, toLand: 0, toRevoke: 2, states: 6_000 },
  { runs: 2, faults: 0, landed: 1, toLand: 1, toRevoke: 0, states: 450 },
  { runs: 2, faults: 0, landed: 1, toLand: 1, toRevoke: 1, states: 4_200 },
  { runs: 2, faults: 1, landed: 1, toLand: 0, toRevoke: 1, states: 15_500 },
];
const LONG: Measured[] = [
  { runs: 1, faults: 4, landed: 1, toLand: 0, toRevoke: 0, isLater: true, states: 32_900 },
  { runs: 2, faults: 1, landed: 1, toLand: 1, toRevoke: 0, states: 19_900 },
  { runs: 2, faults: 1, landed: 1, toLand: 1, toRevoke: 1, states: 196_000 },
  { runs: 3, faults: 0, landed: 1, toLand: 1, toRevoke: 0, states: 36_000 },
  { runs: 3, faults: 0, landed: 1, toLand: 0, toRevoke: 1, states: 16_900 },
  { runs: 3, faults: 1, landed: 2, toLand: 0, toRevoke: 0, states: 532_000 },
  { runs: 2, faults: 2, landed: 1, toLand: 1, toRevoke: 0, states: 464_000 },
  { runs: 2, faults: 2, landed: 1, toLand: 0, toRevoke: 1, states: 342_000 },
];

test.for(isExhaustive ? [...SHORT, ...LONG] : SHORT)(
  "$runs runs, $faults faults, $toRevoke revoked: nothing is sent twice, wrongly or not at all, nor asked needlessly",
  LIMIT,
  async ({ states, ...exploration }) => {
    const explored = await explore(exploration);
    expect(explored.wrong).toEqual([]);
    expect(explored.states).toBeGreaterThanOrEqual(states);
  },
);

test("the same if the results are recorded after each request", LIMIT, async () => {
  const runs = isExhaustive ? 2 : 1;
  const exploration = { runs, faults: 3 - runs, landed: 1, toLand: 1, toRevoke: 0 };
  const explored = await explore({ ...exploration, protocol: RECORDING_EACH });
  expect(explored.wrong).toEqual([]);
});

/** Each leaves out a step of the engine, its store, or the program. */
test.for(BROKEN)("is noticed: $name", LIMIT, async ({ breaks, exploration }) => {
  const { wrong } = await explore({ ...exploration, until: breaks });
  expect(wrong.at(-1)).toContain(breaks);
});
