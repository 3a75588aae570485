import fc from "fast-check";
import { expect, test } from "vitest";
import { isExhaustive, seed } from "../../support/sample.ts";
import { type Event, eventsWith } from "./events.ts";
import type { History } from "./history.ts";
import { landEvent, landSetting } from "./land-events.ts";
import { LandHistory } from "./land-history.ts";
import { QueueHistory, queueEvent, queueSetting } from "./queue-history.ts";
import { UpkeepHistory, upkeepEvent, upkeepSetting } from "./upkeep-history.ts";

const LIMIT = { timeout: 60 * 60_000 };

test(
  "histories of upkeep: no change is accepted twice, none is lost, and what is in none is visible",
  LIMIT,
  async () => {
    await check(upkeepSetting, upkeepEvent, (setting) => new UpkeepHistory(setting), 500);
  },
);

test(
  "histories of a queue: no task is accepted twice, none is lost, and what is in none is visible",
  LIMIT,
  async () => {
    await check(queueSetting, queueEvent, (setting) => new QueueHistory(setting), 250);
  },
);

test(
  "histories of land: nothing is told twice, merged against a rule, or touched that is not the agent's",
  LIMIT,
  async () => {
    await check(landSetting, landEvent, (setting) => new LandHistory(setting), 400);
  },
);

/** @param all how many histories run; in a sample, as many as take a few seconds */
async function check<Setting, E extends { kind: string }>(
  settings: fc.Arbitrary<Setting>,
  own: fc.Arbitrary<E>,
  begin: (
    setting: Setting,
  ) => Pick<History<E>, "happen" | "settle" | "wrong" | "story" | "runs" | typeof Symbol.dispose>,
  all: number,
): Promise<void> {
  const count = Number(process.env.HISTORIES ?? (isExhaustive ? all : 30));
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
