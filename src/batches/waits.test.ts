import { expect, test } from "vitest";
import { DAY, HOUR } from "../runtime/clock.ts";
import { isOverdue } from "./waits.ts";

const START = "2026-11-22T12:00:00Z";

function after(milliseconds: number) {
  return { now: Date.parse(START) + milliseconds, rules: { deadline: 2 * HOUR } };
}

test("a source or a change that cannot be read is a person's after a day", () => {
  expect(isOverdue("source-unread", START, after(DAY))).toBe(false);
  expect(isOverdue("source-unread", START, after(DAY + 1))).toBe(true);
  expect(isOverdue("change-unread", START, after(DAY + 1))).toBe(true);
});

test("a job is a person's after `job-deadline-hours`", () => {
  expect(isOverdue("job-at-work", START, after(2 * HOUR))).toBe(false);
  expect(isOverdue("job-at-work", START, after(2 * HOUR + 1))).toBe(true);
});

test("a release takes as long as it takes", () => {
  expect(isOverdue("release", START, after(1000 * DAY))).toBe(false);
});
