import { expect, test } from "vitest";
import { sampleOf } from "../../support/sample.ts";
import type { Event, RunEvent } from "./events.ts";
import { History } from "./history.ts";
import { THREE_TASKS } from "./three-tasks.ts";

const LIMIT = 10 * 60_000;
/** How many kills of a process a sample holds. */
const SAMPLE = 1;

for (const { name, ...kill } of sampleOf(await THREE_TASKS.list(), SAMPLE, "kills of a queue")) {
  test.concurrent(`${name}: each task is sent once or shown`, { timeout: LIMIT }, async () => {
    expect(await THREE_TASKS.runKilled(kill)).toEqual([]);
  });
}

for (const count of sampleOf([2, 5], 1, "runs of a queue at once")) {
  test(`${count} runs at once start each task once`, { timeout: LIMIT }, async () => {
    expect(await THREE_TASKS.runAtOnce(count)).toEqual([]);
  });
}

const RUN: RunEvent = { max: 4, kill: null, post: false, isDry: false, faults: [] };
const ADD: Event = { kind: "add", count: 6, at: 0, plain: false };
const PASS: Event = { kind: "pass", minutes: 60 };

/** The first run, one that also finds tasks ended, and each with an edited file afterwards. */
const STORIES: { name: string; before: Event[] }[] = [
  { name: "the first run", before: [ADD] },
  { name: "a later run", before: [ADD, { kind: "run", run: RUN }, PASS] },
];

const HOW = (["before", "after"] as const).flatMap((when) =>
  [false, true].map((post) => ({ when, post })),
);

test.each(STORIES)(
  "$name, killed in memory at every request, with the file edited after it: each task is sent once or shown",
  { timeout: LIMIT },
  async ({ name, before }) => {
    let at = 0;
    for (let isReached = true; isReached; at++) {
      for (const { when, post } of sampleOf(HOW, 1, `${name}, request ${at}`)) {
        const plans = [{ outcome: "completed" as const, takes: 60_000 }];
        const history = new History({ perHour: 50, plans, seed: at });
        for (const event of before) await history.happen(event);
        const ran = await history.run({ ...RUN, kill: { at, when }, post });
        isReached = ran.isKilled;
        for (const kind of ["take out", "put back", "edit", "move"] as const) {
          await history.happen({ kind, at });
        }
        await history.runUntilQuiet();
        history.check();
        history.close();
        expect({ at, when, post, wrong: history.wrong }).toEqual({ at, when, post, wrong: [] });
      }
    }
    expect(at).toBeGreaterThan(12);
  },
);
