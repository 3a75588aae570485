import { expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "../runtime/clock.ts";
import { afterMissing, isUnknownByAge, isWithoutPull } from "./doubt.ts";

const NOW = 100 * DAY;
const BESIDE = { isAnyFound: true, deadline: DAY };
const ALONE = { isAnyFound: false, deadline: DAY };

/** Times in milliseconds before now. */
function missing(accepted: number, since: number | null) {
  return { acceptedAt: NOW - accepted, missingSince: since === null ? null : NOW - since };
}

test.each<[string, number, number | null, typeof BESIDE, number | null, boolean]>([
  ["a young job, not found", 10 * MINUTE - 1, null, BESIDE, null, false],
  ["one that is ten minutes old", 10 * MINUTE, null, BESIDE, 0, false],
  ["one not found two seconds later", HOUR, 2000, BESIDE, 2000, false],
  ["one not found after not quite half an hour", HOUR, 30 * MINUTE - 1, BESIDE, 1799_999, false],
  ["one not found after half an hour", HOUR, 30 * MINUTE, BESIDE, 1800_000, true],
  ["the same, with no job found", HOUR, 30 * MINUTE, ALONE, 1800_000, false],
  ["one with no job found, at its deadline", DAY, HOUR, ALONE, HOUR, false],
  ["one with no job found, past its deadline", DAY + 1, HOUR, ALONE, HOUR, true],
  ["one past its deadline, not found for the first time", 2 * DAY, null, ALONE, 0, false],
])("%s", (_, accepted, since, polls, missingFor, isUnknown) => {
  const missingSince = missingFor === null ? null : NOW - missingFor;
  expect(afterMissing(missing(accepted, since), NOW, polls)).toEqual({ missingSince, isUnknown });
});

test("without a memory, a job that is not found is unknown forty minutes after its request", () => {
  expect(isUnknownByAge(NOW - 40 * MINUTE + 1, NOW)).toBe(false);
  expect(isUnknownByAge(NOW - 40 * MINUTE, NOW)).toBe(true);
});

test("a job has no pull request once two polls a minute apart say so", () => {
  expect(isWithoutPull(null, NOW)).toBe(false);
  expect(isWithoutPull(NOW - MINUTE + 1, NOW)).toBe(false);
  expect(isWithoutPull(NOW - MINUTE, NOW)).toBe(true);
});
