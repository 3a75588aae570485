import { describe, expect, test } from "vitest";
import { parseSince } from "./since.ts";

describe("since", () => {
  test.each([
    ["2026-05-01", "2026-05-01T00:00:00.000Z"],
    ["2026-05-01T08:30", "2026-05-01T08:30:00.000Z"],
    ["2026-05-01T08:30:15Z", "2026-05-01T08:30:15.000Z"],
    ["2026-05-01 08:30:15.5z", "2026-05-01T08:30:15.500Z"],
    [" 2026-05-01T08:30:15+02:00 ", "2026-05-01T06:30:15.000Z"],
    ["2026-05-01T08:30:15-0230", "2026-05-01T11:00:15.000Z"],
    ["2026-05-01T08:30:15+02", "2026-05-01T06:30:15.000Z"],
  ])("can be the time %s", (text, at) => {
    expect(parseSince(text, 2)).toEqual({ kind: "time", at });
  });

  test.each(["v1.2.3", "0a1b2c3", "release/2026-05", "2026-05-01-rc1", "20260501", "été"])(
    "can be the commit or tag %s, of one repository",
    (ref) => {
      expect(parseSince(ref, 1)).toEqual({ kind: "ref", ref });
      expect(parseSince(ref, 2)).toEqual({ problem: expect.stringContaining("more than one") });
    },
  );

  test.each([
    ["2026-02-30", "that there is"],
    ["2026-13-01", "that there is"],
    ["2026-05-01T25:00", "that there is"],
    ["2026-05-01T08:00+99:00", "that there is"],
    ["last week", "a commit or a tag"],
    ["v1..v2", "a commit or a tag"],
    ["-v", "a commit or a tag"],
    ["v1^", "a commit or a tag"],
    ["a\u0000b", "a commit or a tag"],
    ["x".repeat(300), "a commit or a tag"],
  ])("is not %j", (text, problem) => {
    const told = parseSince(text, 1);
    expect(told).toEqual({ problem: expect.stringContaining(problem) });
  });

  test("may be left out", () => {
    expect(parseSince(" ", 3)).toEqual({ kind: "default" });
  });
});
