import fc from "fast-check";
import { expect, test } from "vitest";
import { isExhaustive, seed } from "../../support/sample.ts";
import { type Event, events, type RunEvent, type Setting, setting } from "./events.ts";
import { History } from "./history.ts";

/** How many histories run; in a sample, as many as take a few seconds. */
const COUNT = Number(process.env.HISTORIES ?? (isExhaustive ? 2_000 : 30));
const LIMIT = 30 * 60_000;

const UNDISTURBED: RunEvent = { max: 1, kill: null, post: false, inputs: {}, faults: [] };

const PLAIN: Setting = {
  ...{ mode: "continue", comment: false, seed: 0 },
  plans: [{ outcome: "completed", takes: 0 }],
};

/** Two first runs that open a dashboard each, and are shown neither at first. */
const SEEN_LATE: [Setting, Event[]] = [
  PLAIN,
  [
    {
      kind: "runs",
      runs: Array.from({ length: 2 }, () => ({
        ...UNDISTURBED,
        faults: [{ at: 3, fault: { kind: "behind", by: 4_000 } }],
      })),
      order: [0],
    },
  ],
];

/** A second dashboard that opens after its run gave up, and then the first loses its label. */
const OPENED_LATE: [Setting, Event[]] = [
  PLAIN,
  [
    {
      kind: "runs",
      runs: [{ ...UNDISTURBED, faults: [{ at: 2, fault: { kind: "done late" } }] }, UNDISTURBED],
      order: [0],
    },
    { kind: "take the label off" },
  ],
];

/** Two dashboards of runs beside each other; then the label is taken off the one that is not the ledger. */
const NOT_THE_LEDGER: [Setting, Event[]] = [
  PLAIN,
  [
    {
      kind: "runs",
      runs: [
        { ...UNDISTURBED, faults: [{ at: 3, fault: { kind: "refused", status: 401 } }] },
        UNDISTURBED,
        {
          ...{ ...UNDISTURBED, inputs: { wait: "true" } },
          faults: [{ at: 0, fault: { kind: "behind", by: 200 } }],
        },
      ],
      order: [10, 20, 0, 53, 0, 0, 1, 1, 0],
    },
    { kind: "close dashboard" },
    { kind: "take the label off" },
  ],
];

test(`${COUNT} generated histories: no change in two accepted requests, none lost, all the rest visible`, {
  timeout: LIMIT,
}, async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(setting, events, async (given, happenings) => {
      const history = new History(given);
      for (const event of happenings) await history.happen(event);
      await history.runUntilQuiet();
      history.check();
      runs += history.runs;
      expect(history.wrong).toEqual([]);
    }),
    { numRuns: COUNT, seed: Number(seed), examples: [SEEN_LATE, OPENED_LATE, NOT_THE_LEDGER] },
  );
  console.log(`${COUNT} histories with ${runs} runs.`);
});
