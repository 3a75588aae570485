import { expect, test } from "vitest";
import {
  addOnTable,
  collecting,
  costTable,
  dollarsBeyondPlan,
  dollarsWithAddOn,
  jobsOnSchedule,
  minutesOnSchedule,
  monthAtMost,
  monthTable,
  mostUses,
  runnerTable,
  sizeTable,
  typicalMonth,
  waiting,
} from "../../scripts/cost.ts";
import { read } from "./files.ts";

const page = read("docs/cost.md");
test.each([
  ["the example", typicalMonth()],
  ["the table of schedules", monthTable()],
  ["the table of runner minutes", runnerTable()],
  ["the table of add-ons", addOnTable()],
  ["the table of sizes", sizeTable()],
  ["the table of waiting and collecting", costTable()],
])("%s in docs/cost.md is the one that `npm run cost` prints", (_, text) => {
  expect(page).toContain(`\n${text}\n`);
});

test("for 50 merges a month, the plan's credits are enough", () => {
  expect(dollarsBeyondPlan(jobsOnSchedule(50, 60) * 180)).toBe(0);
});

test("a schedule has a job for each run that finds something merged, at most 24 a day", () => {
  expect(jobsOnSchedule(0, 60)).toBe(0);
  expect(jobsOnSchedule(1, 60)).toBe(1);
  // About 1/e of 168 hours have none of 168 merges.
  expect(jobsOnSchedule(168, 60)).toBe(Math.round(168 * (1 - Math.exp(-1.003))));
  expect(jobsOnSchedule(100_000, 60)).toBe(168);
  expect(jobsOnSchedule(100_000, 10)).toBe(21 * 24);
});

test("a month costs at most what its jobs, and the follow-ups for each of their pull requests, do", () => {
  expect(mostUses({ jobsPerDay: 6, followUps: 3 })).toBe(31 * 6 * 4);
  // 124 uses of 180 credits are 22,320: 12,320 more than the plan's.
  const month = monthAtMost({ jobsPerDay: 2, followUps: 1 });
  expect(month).toMatch(/at most \$123 .* 2 jobs .* 1 follow-ups .* 124 uses .* 180 credits/);
  expect(month).toContain("August 2026");
});

test("once a day, each working day with a merge has one job", () => {
  expect(jobsOnSchedule(1, 24 * 60)).toBe(1);
  expect(jobsOnSchedule(1000, 24 * 60)).toBe(21);
  expect(minutesOnSchedule(24 * 60)).toBe(30);
});

test("an add-on counts only if it costs less than overages", () => {
  // The smallest one has 15,000 credits for $145, the next one 40,000 for $370.
  expect([0, 20_000, 24_500, 26_000].map(dollarsWithAddOn)).toEqual([0, 100, 145, 155]);
  expect(dollarsWithAddOn(50_000)).toBe(370);
  expect(dollarsWithAddOn(120_000)).toBe(1000);
});

test("a month has 730 hours, and credits cost only beyond the plan's", () => {
  expect([60, 10].map(minutesOnSchedule)).toEqual([730, 4380]);
  expect([0, 10_000, 10_100].map(dollarsBeyondPlan)).toEqual([0, 0, 1]);
});

test("waiting is cheaper for as many jobs as the page says", () => {
  const [, most] = /for jobs of ten minutes, up to (\d+) a day/.exec(page) ?? [];
  const isCheaper = (jobs: number) => waiting(jobs, 10) < collecting(jobs, 10);
  expect([isCheaper(Number(most)), isCheaper(Number(most) + 1)]).toEqual([true, false]);
  expect(waiting(2, 10)).toBeLessThan(collecting(2, 60));
  expect(waiting(3, 10)).toBeGreaterThan(collecting(3, 60));
});

test("a sweep that takes longer than a minute is billed two", () => {
  const slow = { start: 1, sweep: 1, finish: 60 };
  expect(collecting(288, 10, slow)).toBe(288 + 144 * 3);
});
