import { expect, test } from "vitest";
import { startOf } from "./first-run.ts";

const NOW = Date.parse("2026-05-10T12:00:00Z");

test("a first run begins 7 days ago when nothing is given, by GitHub's clock", () => {
  expect(startOf({ kind: "default" }, NOW)).toBe("2026-05-03T12:00:00.000Z");
});

test("the time at which it begins has passed by GitHub's clock", () => {
  const at = "2026-05-10T12:00:01.000Z";
  expect(startOf({ kind: "time", at }, NOW)).toEqual({ problem: expect.stringContaining(at) });
  expect(startOf({ kind: "time", at }, NOW + 1000)).toBe(at);
});
