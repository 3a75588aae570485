import { expect, test } from "vitest";
import {
  entryOf,
  factsOf,
  landInputs,
  landLedger,
  NOW,
  pullOf,
  reviewOf,
  timeBefore,
} from "../../test/support/land-facts.ts";
import { unchanged } from "../ledger/file.ts";
import { decide } from "./plan.ts";
import { reportedPull } from "./results.ts";

const HOUR = 60 * 60_000;
const REASON = "It cannot be read: GitHub says `acme/hidden`.";
const PLAIN_REASON = "It cannot be read.";

/** @param hours since when it cannot be read; null for now */
function planOf(hours: number | null, isPassing: boolean, needs: string | null = null) {
  const unreadFrom = hours === null ? null : timeBefore(hours * HOUR);
  const entry = entryOf({ unreadFrom, needs });
  const reading = { type: "unread", reason: REASON, plainReason: PLAIN_REASON, isPassing } as const;
  const sources = { readAt: NOW, ledgers: [], jobs: [] };
  const pulls = new Map([[entry.url, reading]]);
  const moment = { now: NOW, name: "run" };
  return decide(
    unchanged(landLedger([entry])),
    { sources, pulls, warnings: [] },
    moment,
    landInputs(),
  );
}

test.each([
  ["fails in passing", null, true, "wait", `${REASON} The next run tries again.`],
  ["has failed in passing for 23 hours", 23, true, "wait", `${REASON} The next run tries again.`],
  ["has failed in passing for a day", 24, true, "person", REASON],
  ["is refused", null, false, "person", REASON],
])("a reading that %s", (_, hours, isPassing, type, reason) => {
  const { notes, acts, ledger } = planOf(hours, isPassing);
  expect(notes.pulls).toMatchObject([{ step: { type, reason } }]);
  expect(acts).toEqual([]);
  expect(ledger.open[0]?.needs).toBe(type === "person" ? reason : null);
});

test("a reading that fails in passing does not say again later what a person has to do", () => {
  expect(planOf(null, true, "Look.").ledger.open[0]?.needs).toBe("Look.");
});

test("one that cannot be read for a month is given up, and reported a last time", () => {
  const { ledger, notes } = planOf(30 * 24, false);
  expect(ledger.open).toEqual([]);
  expect(notes.pulls).toMatchObject([{ reading: { type: "unread" }, step: { type: "person" } }]);
});

test("where its repository may not be named, only the plain reason is said", () => {
  const [pull] = planOf(null, false).notes.pulls.map((tracked) => reportedPull(tracked, []));
  expect(pull?.reading).toEqual({ type: "unread", plainReason: PLAIN_REASON });
});

test.each([
  [{ "max-files": "9" }, null, "wait"],
  [{ "max-files": "9" }, factsOf().files, "merge"],
  [{}, null, "merge"],
] as const)(
  "with the inputs %j, and the files %j at its head, its step is %s",
  (rails, files, type) => {
    const entry = entryOf({}, HOUR);
    const pull = pullOf({ reviews: [reviewOf("ada", "approved")] });
    const reading = { type: "read", facts: factsOf({ pull, files }), build: null } as const;
    const sources = { readAt: NOW, ledgers: [], jobs: [] };
    const inputs = landInputs({ merge: "approved", ...rails });
    const facts = { sources, pulls: new Map([[entry.url, reading]]), warnings: [] };
    const plan = decide(unchanged(landLedger([entry])), facts, { now: NOW, name: "run" }, inputs);
    expect(plan.notes.pulls).toMatchObject([{ step: { type } }]);
  },
);
