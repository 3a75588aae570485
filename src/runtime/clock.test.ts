import { expect, test } from "vitest";
import { type Clock, loggedSleep } from "./clock.ts";

/** A clock that a sleep puts forward. */
function clockOf(): Clock & { at: number } {
  return {
    at: 0,
    now() {
      return this.at;
    },
    timeOfDay() {
      return this.at;
    },
    async sleep(milliseconds) {
      this.at += milliseconds;
    },
  };
}

test.each<[string, number[], [at: number, left: number][]]>([
  ["less than a minute", [59_999], []],
  ["a minute", [60_000], []],
  ["two minutes", [110_000], [[60_000, 50_000]]],
  ["many short sleeps", [25_000, 25_000, 25_000, 25_000], [[60_000, 15_000]]],
])("of %s, a sleep reports once a minute, with what is left", async (_, sleeps, expected) => {
  const clock = clockOf();
  const lines: [number, number][] = [];
  const sleep = loggedSleep(clock, (left) => void lines.push([clock.at, left]));
  for (const milliseconds of sleeps) await sleep(milliseconds);
  expect(lines).toEqual(expected);
  expect(clock.at).toBe(sleeps.reduce((sum, it) => sum + it));
});

test("a sleep that is stopped ends, and reports no more", async () => {
  const clock = clockOf();
  const stop = new AbortController();
  const lines: number[] = [];
  const sleep = loggedSleep(clock, (left) => {
    lines.push(left);
    stop.abort();
  });
  await sleep(600_000, stop.signal);
  expect(lines).toEqual([540_000]);
});

test("what happens between two sleeps counts", async () => {
  const clock = clockOf();
  const lines: number[] = [];
  const sleep = loggedSleep(clock, (left) => void lines.push(left));
  clock.at += 61_000;
  await sleep(1_000);
  expect(lines).toEqual([1_000]);
});
