import { expect, test } from "vitest";
import { parseRetryAfter } from "./retry-after.ts";

const NOW = Date.parse("2026-08-01T12:00:00Z");

test.each([
  ["0", 0],
  ["7", 7_000],
  [" 7 ", 7_000],
  ["1.5", 1_500],
  ["Sat, 01 Aug 2026 12:00:30 GMT", 30_000],
  ["Saturday, 01-Aug-26 12:00:30 GMT", 30_000],
  ["Sat Aug  1 12:00:30 2026 GMT", 30_000],
  ["Sat, 01 Aug 2026 11:00:00 GMT", 0],
  [undefined, undefined],
  ["", undefined],
  ["-5", undefined],
  ["1e3", undefined],
  ["soon", undefined],
  ["2026-08-01T12:00:30Z", undefined],
])("Retry-After: %s", (value, expected) => {
  expect(parseRetryAfter(value, NOW)).toBe(expected);
});
