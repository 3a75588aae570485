import fc from "fast-check";
import { expect, test } from "vitest";
import { isExhaustive, seed } from "../../support/sample.ts";
import { eventsWith } from "./events.ts";
import { UpkeepHistory, upkeepEvent, upkeepSetting } from "./upkeep-history.ts";

/** How many histories run; in a sample, as many as take a few seconds. */
const COUNT = Number(process.env.HISTORIES ?? (isExhaustive ? 2_000 : 30));
const LIMIT = 30 * 60_000;

test(`${COUNT} generated histories of upkeep: no change is accepted twice, none is lost, and what is in none is visible`, {
  timeout: LIMIT,
}, async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(upkeepSetting, eventsWith(upkeepEvent), async (setting, events) => {
      const history = new UpkeepHistory(setting);
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
    { numRuns: COUNT, seed: Number(seed) },
  );
  console.log(`${COUNT} histories with ${runs} runs.`);
  expect(runs).toBeGreaterThan(COUNT);
});
