import fc from "fast-check";
import { expect, test } from "vitest";
import { delayBefore } from "./schedule.ts";

const DEFAULTS = { initial: 3_000, max: 15_000 };

test.each([
  [1, 3_000],
  [2, 4_500],
  [3, 6_750],
  [4, 10_125],
  [5, 15_000],
  [6, 15_000],
  [1_000_000, 15_000],
])("with the defaults, poll %i comes %i ms after the one before, give or take a fifth", (n, ms) => {
  expect(delayBefore(n, DEFAULTS, 0.5)).toBeCloseTo(ms);
  expect(delayBefore(n, DEFAULTS, 0)).toBeCloseTo(ms * 0.8);
  expect(delayBefore(n, DEFAULTS, 1)).toBeCloseTo(ms * 1.2);
});

const milliseconds = fc.double({ min: 0.001, max: 1e12, noNaN: true });
const chance = fc.double({ min: 0, max: 1, noNaN: true });
const poll = fc.integer({ min: 1, max: 1_000_000 });

test("no delay is nothing, endless, or longer than the largest and a fifth", () => {
  fc.assert(
    fc.property(poll, milliseconds, milliseconds, chance, (n, initial, max, random) => {
      const delay = delayBefore(n, { initial, max }, random);
      expect(delay).toBeGreaterThan(0);
      expect(delay).toBeLessThanOrEqual(max * 1.2 * (1 + 1e-9));
      expect(delay).toBeGreaterThanOrEqual(Math.min(initial, max) * 0.8 * (1 - 1e-9));
    }),
  );
});

test("with the same chance, no delay is shorter than the one before it", () => {
  fc.assert(
    fc.property(poll, milliseconds, milliseconds, chance, (n, initial, max, random) => {
      const pace = { initial, max };
      expect(delayBefore(n + 1, pace, random)).toBeGreaterThanOrEqual(delayBefore(n, pace, random));
    }),
  );
});

test("until the largest is reached, each is half as long again", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), milliseconds, chance, (n, initial, random) => {
      const pace = { initial, max: Number.MAX_VALUE };
      const ratio = delayBefore(n + 1, pace, random) / delayBefore(n, pace, random);
      expect(ratio).toBeCloseTo(1.5);
    }),
  );
});

test("a first delay beyond the largest is the largest", () => {
  expect(delayBefore(1, { initial: 60_000, max: 15_000 }, 0.5)).toBe(15_000);
});

test("a job of ten minutes is polled fewer than fifty times", () => {
  let polls = 0;
  for (let now = 0; now < 600_000; polls += 1) now += delayBefore(polls + 1, DEFAULTS, 0.5);
  expect(polls).toBe(43);
});
