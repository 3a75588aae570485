import { test } from "vitest";
import { chanceOf, isExhaustive } from "./sample.ts";

/** The part of these tests that a sample has. */
const SHARE = 1 / 8;

/**
 * A test of an input as large as it can be, or of hundreds of requests, which takes as long as a hundred others. A
 * sample has some of them, selected by the seed.
 */
export function largeTest(name: string, run: () => unknown): void {
  test.runIf(isExhaustive || chanceOf(`large ${name}`) < SHARE)(name, async () => {
    await run();
  });
}
