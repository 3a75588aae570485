import { expect, test } from "vitest";
import { lastDue } from "./cron.ts";

/** A Wednesday. */
const NOW = Date.UTC(2026, 3, 1, 12, 30);
const due = (cron: string, count = 3) => {
  const time = lastDue(cron.split("; "), NOW, count);
  return time === null ? null : new Date(time).toISOString().slice(0, 16);
};

test.each([
  ["17 * * * *", "2026-04-01T10:17"],
  ["*/15 * * * *", "2026-04-01T12:00"],
  ["5/20 * * * *", "2026-04-01T11:45"],
  ["17 5 * * *", "2026-03-30T05:17"],
  ["30 12 * * *", "2026-03-30T12:30"],
  ["0 8,20 * * *", "2026-03-31T08:00"],
  ["0 9-11 * * *", "2026-04-01T09:00"],
  ["0 6 * * 1", "2026-03-16T06:00"],
  ["0 6 * * MON-FRI", "2026-03-30T06:00"],
  ["0 0 1 * *", "2026-02-01T00:00"],
  ["0 0 1 jan *", "2024-01-01T00:00"],
  ["0 0 13 * 5", "2026-03-13T00:00"],
  ["17 5 * * *; 17 17 * * *", "2026-03-31T05:17"],
  ["17 5 * * *; 17 5 * * *", "2026-03-30T05:17"],
])("%s was due for the third time at %s", (cron, time) => {
  expect(due(cron)).toBe(time);
});

test.each([
  "",
  "* * * *",
  "60 * * * *",
  "* * * * * *",
  "@daily",
  "a * * * *",
  "*/0 * * * *",
  "0 0 31 2 *",
])("%j is not known to have been due", (cron) => {
  expect(due(cron)).toBeNull();
});

test("a schedule that was due too seldom has no third time", () => {
  expect(due("0 0 29 2 *", 1)).toBe("2024-02-29T00:00");
  expect(due("0 0 29 2 *")).toBeNull();
});
