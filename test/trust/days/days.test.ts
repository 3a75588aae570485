import { expect, test } from "vitest";
import { HOUR } from "../../../scripts/bench/days/organization.ts";
import { DaysSimulation } from "../../../scripts/bench/days/simulation.ts";
import { tallyOf } from "../../../scripts/bench/days/tally.ts";
import { median } from "../../../scripts/bench/measure.ts";
import { generator } from "../../../scripts/bench/simulate.ts";
import { isExhaustive, seedOf } from "../../support/sample.ts";

/**
 * A whole day, or in a sample a few hours, always the same: an unlucky seed may lose several of the few runs. `npm run
 * bench -- --only days` simulates a month.
 */
const [HOURS, SEED] = isExhaustive ? [24, 1 + (seedOf("days") % 1_000_000)] : [8, 2026];

test("each change of 120 repositories is handed over once, although answers fail, and soon", async () => {
  const simulation = new DaysSimulation({
    repositories: 120,
    mergesAnHour: 20,
    hours: HOURS,
    failing: 0.02,
    privateAt: 2,
    renamedAt: 3,
    refusedAt: HOURS - 2,
    random: generator(SEED),
  });
  await simulation.simulate();
  const { wrong, handed, left, waits } = tallyOf(simulation);
  expect(wrong).toEqual([]);
  expect(handed).toBeGreaterThan(0.8 * 20 * HOURS);
  expect(left).toBe(1);
  expect(median(waits)).toBeLessThan(3 * HOUR);
  expect(Math.max(...simulation.runs.map(({ requests }) => requests))).toBeLessThanOrEqual(300);
});
