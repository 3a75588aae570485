import { describe, expect, test } from "vitest";
import type { KnownStatus, OpenPull } from "./gate-pull.ts";
import { sweepOrder } from "./sweep-order.ts";

const HOUR = 3_600_000;

function status(setAt: number, over: Partial<KnownStatus> = {}): KnownStatus {
  return { state: "failure", description: "needed: no file", targetUrl: null, setAt, ...over };
}

function open(number: number, of: KnownStatus | null, updatedAt = 0): OpenPull {
  return { number, head: "a", updatedAt, status: of };
}

describe("the order of a sweep", () => {
  const numbers = (all: OpenPull[], isEach = false, now = 0) =>
    sweepOrder(all, { isEach, now }).map(({ number }) => number);
  const green = (description: string) => status(9 * HOUR, { state: "success", description });

  test("begins with those without a status, then those where something happened since", () => {
    const all = [
      open(1, status(3)),
      open(2, status(2), 5),
      open(3, null),
      open(4, status(1)),
      open(5, null),
    ];
    expect(numbers(all)).toEqual([3, 5, 2, 1, 4]);
  });

  test.each([
    ["not-needed: label x", 0, false],
    ["not-needed (#1 of 2 pull requests): label x", 0, false],
    ["included: docs/a.md", 0, false],
    ["excused by writer: not-needed", 0, true],
    ["covered by a docs job", 0, true],
    ["needed (only a warning): no file", 0, true],
    // Of an earlier version of the action.
    ["documentation included (docs/a.md)", 0, true],
    ["included: docs/a.md", 10 * HOUR, true],
    // A run may have read it before the change, and set the status after it.
    ["included: docs/a.md", 9 * HOUR - 60_000, true],
  ])(
    "with %s, last changed at %i, has a status that may change: %s",
    (description, updatedAt, may) => {
      const all = [open(1, green(description), updatedAt)];
      expect(numbers(all)).toEqual(may ? [1] : []);
      expect(numbers(all, true)).toEqual([1]);
    },
  );

  test("begins elsewhere in each hour, so that each comes first at some time", () => {
    const all = Array.from({ length: 40 }, (_, nth) => open(nth, status(1)));
    const firsts = Array.from({ length: 90 }, (_, hour) => numbers(all, false, hour * HOUR)[0]);
    expect(new Set(firsts).size).toBe(40);
    expect(numbers(all, false, HOUR).toSorted((one, other) => one - other)).toEqual(
      all.map(({ number }) => number),
    );
  });

  test("has one of the rest among a few that change all the time", () => {
    const changing = Array.from({ length: 40 }, (_, nth) => open(nth, status(1), 5));
    const all = [...changing, open(99, status(1))];
    const places = Array.from({ length: 50 }, (_, hour) =>
      numbers(all, false, hour * HOUR).indexOf(99),
    );
    expect(Math.min(...places)).toBe(3);
  });
});
