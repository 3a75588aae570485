import fc from "fast-check";
import { expect } from "vitest";
import { isExhaustive, seed } from "../../support/sample.ts";
import { type Event, eventsWith } from "./events.ts";

/** What happens, what of it is wrong, and what comes of it in the end. */
export interface AnyHistory<E> extends Disposable {
  readonly story: readonly string[];
  readonly wrong: readonly string[];
  readonly runs: number;
  happen(event: Event<E>): Promise<void>;
  settle(): Promise<void>;
}

/** Hundreds of histories take their time. */
export const LIMIT = { timeout: 60 * 60_000 };

/** @param all how many histories run; in a sample, as many as take a few seconds */
export async function checkHistories<Setting, E extends { kind: string }>(
  settings: fc.Arbitrary<Setting>,
  own: fc.Arbitrary<E>,
  begin: (setting: Setting) => AnyHistory<E>,
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
