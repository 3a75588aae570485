import { describe, expect, test } from "vitest";
import {
  AT,
  change,
  EMPTY,
  failedBatch,
  group,
  HOUR,
  intendedBatch,
  LINK,
  NOW,
  revision,
  runningBatch,
  task,
  uncertainBatch,
} from "../../../test/support/ledger-examples.ts";
import { expireIntents } from "./batches.ts";
import { batchFormat } from "./format.ts";
import type { Batch, Ledger } from "./ledger.ts";
import { endedMark, namesOf } from "./names.ts";
import {
  activeBatches,
  addDone,
  endBatch,
  noteAgent,
  passOver,
  putBack,
  startsWithin,
  undecidedBatches,
} from "./revision.ts";

const ago = (milliseconds: number) => new Date(NOW - milliseconds).toISOString();
const QUEUE: Ledger = { ...EMPTY, action: "queue" };
const FORMAT = batchFormat({ action: "upkeep", project: "p" });

/** The ledger as a later run reads it. */
function readBack(ledger: Ledger): Ledger {
  const parsed = FORMAT.parse(FORMAT.fileOf(ledger), NOW);
  if ("place" in parsed) throw new Error(parsed.place);
  return parsed.ledger;
}

describe("a batch", () => {
  const acceptedAt = (at: string) => runningBatch("b", [change(1)], { acceptedAt: at });
  const uncertain = uncertainBatch("b", [change(1)]);
  const failed = failedBatch("b", [change(1)]);
  test.each<[name: string, batch: Batch, needsDecision: boolean]>([
    ["a new intent", intendedBatch("b", [change(1)]), false],
    ["a job at work", acceptedAt(ago(HOUR)), false],
    ["a job at its deadline", acceptedAt(ago(24 * HOUR)), false],
    ["a job past its deadline", acceptedAt(ago(24 * HOUR + 1000)), true],
    ["a job accepted at an unknown time", acceptedAt(""), true],
    ["an uncertain batch", uncertain, true],
    ["a failed batch", failed, true],
  ])("needs a decision or is active: %s", (_, batch, needsDecision) => {
    const ledger = revision({ ...EMPTY, batches: [batch] });
    expect(undecidedBatches(ledger)).toEqual(needsDecision ? [batch] : []);
    expect(activeBatches(ledger)).toEqual(needsDecision ? [] : [batch]);
  });

  test("becomes uncertain if its run is dead, and no other does", () => {
    const batches = [intendedBatch("dead", [change(1)]), runningBatch("b", [change(2)])];
    const drafts = [intendedBatch("draft", [change(3)])];
    const begun = revision({ ...EMPTY, batches, drafts });
    expect(expireIntents(begun, () => false)).toEqual(begun);
    const { ledger } = expireIntents(begun, (at) => at === AT);
    expect(ledger.batches.map(({ state }) => state)).toEqual(["uncertain", "running"]);
    expect(ledger.drafts).toMatchObject([{ state: "uncertain" }]);
  });

  test("counts for the limit of an hour or a day as long as that is", () => {
    const starts = [0, HOUR - 1, HOUR, 24 * HOUR - 1, 24 * HOUR].map((age, nth) => ({
      batch: `b${nth}`,
      at: ago(age),
    }));
    const begun = revision({ ...EMPTY, starts });
    expect([startsWithin(begun, HOUR), startsWithin(begun, 24 * HOUR)]).toEqual([2, 4]);
    expect(readBack(begun.ledger).starts).toHaveLength(4);
  });
});

test("tasks for several files are marked as ended file by file, once, unless they go out again", () => {
  const both = runningBatch("b", [task("a.md\nb.md")]);
  const single = runningBatch("c", [task("b.md")]);
  const end = { jobId: "job", prLink: null };
  const begun = revision({ ...QUEUE, batches: [both, single] });
  const done = endBatch(begun, both, { ...end, state: "done" });
  const settled = endBatch(done, single, { ...end, state: "left" });
  expect(settled.ledger.ended).toEqual(["a.md", "b.md"].map(endedMark));
  const failed = endBatch(begun, both, { ...end, state: "failed" });
  const again = endBatch(failed, single, { ...end, state: "again" });
  expect(again.ledger.ended).toEqual([]);
  const change1 = runningBatch("d", [change(1)]);
  const upkeep = revision({ ...EMPTY, batches: [change1] });
  const ended = endBatch(upkeep, change1, { ...end, state: "done" });
  expect(ended.ledger).toMatchObject({ batches: [], ended: [] });
  expect(ended.history).toMatchObject([{ batch: "d", at: AT }]);
});

test("what is handed over again goes ahead of what never was, whatever source or release", () => {
  const begun = revision({ ...EMPTY, waiting: [group(1)] });
  const after = putBack(begun, [{ changes: [change(2)], attempts: 1, followUp: null }]);
  expect(after.ledger.waiting).toMatchObject([
    { changes: [{ key: "1#2" }], attempts: 1, source: null, isReleased: true },
    { changes: [{ key: "1#1" }] },
  ]);
});

test("an end is counted by the day on which each change landed, and tasks are not", () => {
  const late = { ...change(2), landedAt: "2026-11-21T23:59:59Z" };
  let it = addDone(revision(EMPTY), "merged", LINK, [change(1), late]);
  it = addDone(it, "none", null, [change(3), task("a.md")]);
  for (const result of ["closed", "left", "unread"] as const) {
    it = addDone(it, result, null, [change(4)]);
  }
  expect(it.ledger.days).toEqual({
    "2026-11-20": { documented: 2, not: 3 },
    "2026-11-21": { documented: 1, not: 0 },
  });
});

test("what only grows old is no reason for a write", () => {
  const days = { "2026-09-01": { documented: 1, not: 0 } };
  const starts = [{ batch: "b", at: "2026-11-20T00:00:00Z" }];
  // It is left out when the ledger is read, so the ledger that a run compares with lacks it, too.
  expect(readBack({ ...EMPTY, days, starts })).toEqual(EMPTY);
});

test("what a dashboard does not show is not kept: of 60 ends the newest 50, of 30 changes 10", () => {
  let it = revision(EMPTY);
  const many = Array.from({ length: 30 }, (_, nth) => change(nth));
  for (let nth = 1; nth <= 60; nth += 1) it = addDone(it, "merged", `${LINK}${nth}`, many);
  expect(it.ledger.done).toHaveLength(50);
  expect(it.ledger.done[0]).toMatchObject({
    prLink: `${LINK}60`,
    changes: { length: 10 },
    more: 20,
  });
  it = passOver(
    it,
    many.map((excluded) => ({ change: excluded, reason: "label skip-docs" })),
  );
  it = passOver(it, [{ change: change(5), reason: "author renovate[bot]" }]);
  expect(it.ledger.passedOver).toHaveLength(20);
  expect(it.ledger.passedOver.map(({ change: { number } }) => number).slice(0, 3)).toEqual([
    5, 29, 28,
  ]);
  for (let nth = 1; nth <= 250; nth += 1) it = noteAgent(it, `${LINK}${nth}`, null);
  it = noteAgent(it, `${LINK}250`, "docs/1");
  expect(it.ledger.agent).toMatchObject({ links: { length: 200 }, branches: ["docs/1"] });
  expect(it.ledger.agent.links.at(-1)).toBe(`${LINK}250`);
});

test("what a filter leaves out waits no longer, with the rest of its group left", () => {
  const together = { ...group(1), changes: [change(1), change(2)] };
  const begun = revision({ ...EMPTY, waiting: [together, group(3)] });
  const it = passOver(
    begun,
    [1, 3].map((nth) => ({ change: change(nth), reason: "no" })),
  );
  expect(it.ledger.waiting).toMatchObject([{ changes: [{ key: "1#2" }] }]);
});

test("a docs pull request that was merged before the ledger knew of it waits no longer", () => {
  const own = { ...change(2), url: LINK };
  const waiting = [group(1, { changes: [change(1), own] })];
  const it = noteAgent(revision({ ...EMPTY, waiting }), LINK, null);
  expect(it.ledger.waiting).toMatchObject([{ changes: [{ key: "1#1" }] }]);
  expect(it.ledger.passedOver).toMatchObject([{ change: { key: "1#2" } }]);
});

test("counts of days are kept for the coverage of 30 days, whatever hour it is", () => {
  const days = Object.fromEntries(
    [30, 31, 32].map((back) => [ago(back * 24 * HOUR).slice(0, 10), { documented: 1, not: 0 }]),
  );
  expect(Object.keys(readBack({ ...EMPTY, days }).days)).toHaveLength(2);
});

test("names are short, of any number of changes, and say how many are left out", () => {
  const [pull, sha, files] = [
    change(12),
    { ...change(1), number: null, sha: "a1b2c3d4e5" },
    task("docs/a.md\ndocs/b.md"),
  ];
  const all = Array.from({ length: 12 }, (_, nth) => change(nth + 1));
  expect([[], [pull], [pull, sha], [pull, sha, files]].map(namesOf)).toEqual([
    "",
    "#12",
    "#12 and a1b2c3d",
    "#12, a1b2c3d and docs/a.md",
  ]);
  expect(namesOf(all)).toBe("#1, #2, #3, #4, #5, #6, #7, #8, #9, #10 and 2 more");
});
