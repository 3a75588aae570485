import fc from "fast-check";
import { test } from "vitest";
import { simulate } from "../../support/ledger-simulation/simulate.ts";
import type { Profile } from "../../support/ledger-simulation/simulation.ts";
import { isExhaustive, seed } from "../../support/sample.ts";

/** How many histories are played; in a sample, as many as take about a second. */
const COUNT = Number(process.env.HISTORIES ?? (isExhaustive ? 5_000 : 200));
const LIMIT = 30 * 60_000;
/** The most that happens in one. */
const LENGTH = 500;

const profile: fc.Arbitrary<Profile> = fc.record({
  isQueue: fc.boolean(),
  hasFaults: fc.boolean(),
  isBehind: fc.boolean(),
  hasTicks: fc.boolean(),
  hasDamage: fc.boolean(),
  isBlind: fc.constant(false),
});

/** What happens, drawn one number after the other. */
const history = fc.array(fc.nat({ max: 999_999 }), {
  ...{ minLength: LENGTH / 4, maxLength: LENGTH, size: "max" },
});

function play(chosen: Profile, numbers: number[]): void {
  const { problems } = simulate(chosen, numbers);
  if (problems.length === 0) return;
  const { story } = simulate(chosen, numbers, true);
  throw new Error(`${problems.join("\n")}\n\n${story.join("\n")}`);
}

test(`${COUNT} histories of the ledger alone: no change in two accepted requests, none lost, all the rest visible`, {
  timeout: LIMIT,
}, () => {
  fc.assert(fc.property(profile, history, play), {
    numRuns: COUNT,
    seed: Number(seed),
    // `SHRINK=1` looks for the shortest that fails.
    endOnFailure: process.env.SHRINK === undefined,
    unbiased: true,
  });
});
