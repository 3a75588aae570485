import { expect, test } from "vitest";
import { collecting, costTable, type RunTimes, waiting } from "../../scripts/cost/minutes.ts";
import { read } from "./files.ts";

const page = read("docs/cost.md");
const [, start, sweep, finish] =
  /took ([\d.]+) s, a sweep ([\d.]+) s, and each finished comment another ([\d.]+) s/.exec(page) ??
  [];
/** As measured when the page was written. */
const TIMES: RunTimes = { start: Number(start), sweep: Number(sweep), finish: Number(finish) };

test("the table of costs is the one that `npm run cost` prints for the times that the page names", () => {
  expect(page).toContain(`\n${costTable(TIMES)}\n`);
});

test("waiting is the cheaper way for as many jobs as the page says", () => {
  const [, most] = /for jobs of ten minutes, up to (\d+) a day/.exec(page) ?? [];
  const isCheaper = (jobs: number) => waiting(jobs, 10, TIMES) < collecting(jobs, 10, TIMES);
  expect([isCheaper(Number(most)), isCheaper(Number(most) + 1)]).toEqual([true, false]);
  expect(waiting(2, 10, TIMES)).toBeLessThan(collecting(2, 60, TIMES));
  expect(waiting(3, 10, TIMES)).toBeGreaterThan(collecting(3, 60, TIMES));
});

test("a sweep that takes longer than a minute is billed two", () => {
  const slow = { ...TIMES, finish: 60 };
  expect(collecting(288, 10, slow)).toBe(288 + 144 * 3);
});
