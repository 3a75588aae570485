import fc from "fast-check";
import { expect, test } from "vitest";
import { isExhaustive, seed } from "../../support/sample.ts";
import { events, setting } from "./events.ts";
import { History } from "./history.ts";

/** How many histories run; in a sample, as many as take a few seconds. */
const COUNT = Number(process.env.HISTORIES ?? (isExhaustive ? 300 : 15));
const LIMIT = 30 * 60_000;

test(`${COUNT} generated histories of a queue: no task in two accepted requests, none lost, all the rest visible`, {
  timeout: LIMIT,
}, async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(setting, events, async (given, happenings) => {
      const history = new History(given);
      for (const event of happenings) await history.happen(event);
      await history.runUntilQuiet();
      history.check();
      history.close();
      runs += history.runs;
      expect(history.wrong).toEqual([]);
    }),
    { numRuns: COUNT, seed: Number(seed) },
  );
  console.log(`${COUNT} histories with ${runs} runs.`);
});
