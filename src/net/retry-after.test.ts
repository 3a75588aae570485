import fc from "fast-check";
import { expect, test } from "vitest";
import { parseRetryAfter } from "./retry-after.ts";

const NOW = Date.UTC(2026, 7, 1, 12, 0, 0);

test.each([
  ["0", 0],
  ["120", 120_000],
  [" 5 ", 5_000],
  ["1.5", 1_500],
  ["007", 7_000],
  ["2026", 2_026_000],
])("%j are seconds", (value, milliseconds) => {
  expect(parseRetryAfter(value, NOW)).toBe(milliseconds);
});

test.each([
  ["Sat, 01 Aug 2026 12:00:30 GMT", 30_000],
  ["Saturday, 01-Aug-26 12:01:00 GMT", 60_000],
  ["Sat Aug  1 12:00:02 2026 GMT", 2_000],
  ["Sat, 01 Aug 2026 11:00:00 GMT", 0],
])("%j is a date", (value, milliseconds) => {
  expect(parseRetryAfter(value, NOW)).toBe(milliseconds);
});

const NOTHING = [
  undefined,
  "",
  " ",
  "-5",
  "+5",
  "soon",
  "5 s",
  "1e3",
  "0x10",
  "NaN",
  "1,5",
  "Sat, x",
  "2026-08-01T12:00:30Z",
];

test.each(NOTHING)("%j says nothing", (value) => {
  expect(parseRetryAfter(value, NOW)).toBeUndefined();
});

test("whatever a header says, it is no time before now, and no NaN", () => {
  const text = fc.oneof(
    fc.string(),
    fc.date({ noInvalidDate: true }).map((it) => it.toUTCString()),
  );
  fc.assert(
    fc.property(text, (value) => {
      const read = parseRetryAfter(value, NOW);
      if (read !== undefined) expect(read).toBeGreaterThanOrEqual(0);
    }),
  );
});

test("a date is read back as the time until then", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (seconds) => {
      const date = new Date(NOW + seconds * 1000).toUTCString();
      expect(parseRetryAfter(date, NOW)).toBe(seconds * 1000);
    }),
  );
});
