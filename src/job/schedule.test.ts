import { expect, test } from "vitest";
import { delayBefore } from "./schedule.ts";

const DEFAULTS = { initial: 3_000, max: 15_000 };

test("delays grow by half, up to the largest", () => {
  const delays = [1, 2, 3, 4, 5, 6].map((poll) => delayBefore(poll, DEFAULTS, 0.5));
  expect(delays).toEqual([3_000, 4_500, 6_750, 10_125, 15_000, 15_000]);
});

test("chance stretches or shortens a delay by up to a fifth", () => {
  expect(delayBefore(1, DEFAULTS, 0)).toBeCloseTo(2_400);
  expect(delayBefore(1, DEFAULTS, 1)).toBeCloseTo(3_600);
  expect(delayBefore(99, DEFAULTS, 1)).toBeCloseTo(18_000);
});

test("a first delay beyond the largest is the largest", () => {
  expect(delayBefore(1, { initial: 60_000, max: 15_000 }, 0.5)).toBe(15_000);
});

test("the delay stays the same after thousands of polls", () => {
  expect(delayBefore(100_000, DEFAULTS, 0.5)).toBe(15_000);
  expect(delayBefore(100_000, { initial: 0.001, max: Number.MAX_VALUE }, 0.5)).toBeLessThan(
    Number.POSITIVE_INFINITY,
  );
});

test("a job of ten minutes is polled fewer than fifty times", () => {
  let polls = 0;
  for (let now = 0; now < 600_000; polls += 1) now += delayBefore(polls + 1, DEFAULTS, 0.5);
  expect(polls).toBe(43);
});
