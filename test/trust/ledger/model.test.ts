import { expect, test } from "vitest";
import { BROKEN, RECORDING_EACH } from "../../support/ledger-model/broken.ts";
import { type Exploration, explore } from "../../support/ledger-model/explore.ts";
import { isExhaustive } from "../../support/sample.ts";

/** In milliseconds. The longest take a minute, and longer on a machine that is busy. */
const LIMIT = { timeout: 30 * 60_000 };

/** Also how many states there are at least: fewer would mean that something is no longer explored. */
const EXPLORATIONS: (Exploration & { states: number; isLong: boolean })[] = [
  { runs: 1, faults: 2, landed: 1, toLand: 1, states: 1_100, isLong: false },
  { runs: 1, faults: 3, landed: 1, toLand: 1, states: 4_000, isLong: false },
  { runs: 1, faults: 3, landed: 1, toLand: 0, isLater: true, states: 4_500, isLong: false },
  { runs: 1, faults: 4, landed: 1, toLand: 0, isLater: true, states: 25_000, isLong: true },
  { runs: 2, faults: 0, landed: 1, toLand: 1, states: 570, isLong: false },
  { runs: 2, faults: 1, landed: 1, toLand: 1, states: 26_000, isLong: true },
  { runs: 3, faults: 0, landed: 1, toLand: 1, states: 66_000, isLong: true },
  { runs: 3, faults: 1, landed: 2, toLand: 0, states: 550_000, isLong: true },
  { runs: 2, faults: 2, landed: 1, toLand: 1, states: 640_000, isLong: true },
];

test.for(EXPLORATIONS.filter(({ isLong }) => isExhaustive || !isLong))(
  "$runs runs, $faults faults: nothing is accepted twice, lost, or asked about without need",
  LIMIT,
  async ({ states, ...exploration }) => {
    const explored = await explore(exploration);
    expect(explored.wrong).toEqual([]);
    expect(explored.states).toBeGreaterThanOrEqual(states);
  },
);

test("the same if the results are recorded after each request", LIMIT, async () => {
  const runs = isExhaustive ? 2 : 1;
  const exploration = { runs, faults: 3 - runs, landed: 1, toLand: 1 };
  const explored = await explore({ ...exploration, protocol: RECORDING_EACH });
  expect(explored.wrong).toEqual([]);
});

/** Each leaves out a step of the engine, its store, or the program. */
test.for(BROKEN)("is noticed: $name", LIMIT, async ({ breaks, exploration }) => {
  const { wrong } = await explore({ ...exploration, until: breaks });
  expect(wrong.at(-1)).toContain(breaks);
});
