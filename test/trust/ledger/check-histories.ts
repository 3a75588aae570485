import fc from "fast-check";
import { expect } from "vitest";
import { isExhaustive, seed } from "../../support/sample.ts";
import { type Event, eventsWith } from "./events.ts";
import type { History } from "./history.ts";

/** Hundreds of histories take their time. */
export const LIMIT = { timeout: 60 * 60_000 };

/** @param all how many histories run; in a sample, as many as take a few seconds */
export async function checkHistories<Setting, E extends { kind: string }>(
  settings: fc.Arbitrary<Setting>,
  own: fc.Arbitrary<E>,
  begin: (setting: Setting) => History<E>,
  all: number,
): Promise<void> {
  const count = Number(process.env.HISTORIES ?? (isExhaustive ? all : 8));
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(settings, eventsWith(own), async (setting, events: Event<E>[]) => {
      using history = begin(setting);
      for (const event of events) {
        await history.happen(event);
        if (history.wrong.length > 0) break;
      }
      if (history.wrong.length === 0) await history.settle();
      runs += history.runs;
      if (history.wrong.length > 0) {
        throw new Error(`${history.wrong.join("\n")}\n\n${history.story.join("\n")}`);
      }
    }),
    { numRuns: count, seed: Number(seed) },
  );
  console.log(`${count} histories with ${runs} runs.`);
  expect(runs).toBeGreaterThan(count);
}
