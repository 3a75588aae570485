import fc from "fast-check";
import { expect, test } from "vitest";
import { simulate } from "./simulation/simulate.ts";
import type { Profile } from "./simulation/world.ts";

/** `HISTORIES=20000` plays more, `SEED=…` the same again, `SHRINK=1` looks for the shortest that fails. */
const { HISTORIES = "2000", SEED, SHRINK } = process.env;

const profile: fc.Arbitrary<Profile> = fc.record({
  isQueue: fc.boolean(),
  hasFaults: fc.boolean(),
  isBehind: fc.boolean(),
  hasTicks: fc.boolean(),
  hasVandals: fc.boolean(),
  isBlind: fc.constant(false),
});

/** What happens, drawn one number after the other. */
function history(length: number): fc.Arbitrary<number[]> {
  const number = fc.nat({ max: 999_999 });
  return fc.array(number, { minLength: length / 4, maxLength: length, size: "max" });
}

function play(chosen: Profile, numbers: number[]): void {
  const { problems } = simulate(chosen, numbers);
  if (problems.length === 0) return;
  const { story } = simulate(chosen, numbers, true);
  throw new Error(`${problems.join("\n")}\n\n${story.join("\n")}`);
}

test("no change is in two accepted requests, none is lost, and whatever is in none is visible", () => {
  fc.assert(fc.property(profile, history(500), play), {
    numRuns: Number(HISTORIES),
    ...(SEED === undefined ? {} : { seed: Number(SEED) }),
    endOnFailure: SHRINK === undefined,
    unbiased: true,
  });
}, 600_000);

test("the model finds a change in two requests where runs do not see each other", () => {
  const blind = { ...allowAll, hasVandals: false, isBlind: true };
  const found = fc.check(
    fc.property(history(500), (numbers) => simulate(blind, numbers).problems.length === 0),
    { numRuns: 200, unbiased: true, endOnFailure: true },
  );
  expect(found.failed).toBe(true);
});

const allowAll: Profile = {
  isQueue: false,
  hasFaults: true,
  isBehind: true,
  hasTicks: true,
  hasVandals: true,
  isBlind: false,
};
