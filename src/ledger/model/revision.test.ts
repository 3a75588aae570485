import { describe, expect, test } from "vitest";
import {
  batch,
  change,
  EMPTY,
  edit,
  group,
  HOUR,
  LINK,
  MINUTE,
  NOW,
  task,
} from "../../../test/support/ledger-examples.ts";
import type { Batch, Ledger } from "./ledger.ts";
import { endedMark, namesOf } from "./names.ts";

const iso = (time: number) => new Date(time).toISOString();
const ago = (milliseconds: number) => iso(NOW - milliseconds);
const QUEUE: Ledger = { ...EMPTY, action: "queue" };

describe("a batch", () => {
  test.each<[what: string, Partial<Batch>, state: string, decision: boolean]>([
    ["a new intent", { state: "intended", at: ago(0) }, "intended", false],
    ["one of 9:59", { state: "intended", at: ago(10 * MINUTE - 1000) }, "intended", false],
    ["one of 10:00", { state: "intended", at: ago(10 * MINUTE) }, "uncertain", true],
    ["one without a time", { state: "intended", at: "" }, "uncertain", true],
    ["a job at work", { acceptedAt: ago(HOUR) }, "running", false],
    ["one at its deadline", { acceptedAt: ago(24 * HOUR) }, "running", false],
    ["one past it", { acceptedAt: ago(24 * HOUR + 1000) }, "running", true],
    ["one of which nobody knows since when", { acceptedAt: null }, "running", true],
    ["an uncertain one", { state: "uncertain" }, "uncertain", true],
    ["a failed one", { state: "failed" }, "failed", true],
  ])("%s is told from others by GitHub's clock", (_, fields, state, decision) => {
    const it = edit({ ...EMPTY, batches: [batch("b", [change(1)], fields)] });
    const [only] = it.ledger.batches as [Batch];
    const at = decision ? it.undecided : it.active;
    expect([only.state, at]).toEqual([state, [only]]);
    expect(it.isChanged).toBe(state !== (fields.state ?? "running"));
  });

  test("counts for the limit of an hour or a day as long as that is", () => {
    const starts = [0, HOUR - 1, HOUR, 24 * HOUR - 1, 24 * HOUR].map((age, nth) => ({
      batch: `b${nth}`,
      at: ago(age),
    }));
    const it = edit({ ...EMPTY, starts });
    expect([it.startsWithin(HOUR), it.startsWithin(24 * HOUR)]).toEqual([2, 4]);
    expect(it.ledger.starts).toHaveLength(4);
  });
});

test("tasks for several files are marked as ended file by file, once, unless they go out again", () => {
  const [two, one] = [batch("b", [task("a.md\nb.md")]), batch("c", [task("b.md")])];
  const it = edit({ ...QUEUE, batches: [two, one] });
  it.endBatch(two, "done");
  it.endBatch(one, "left");
  expect(it.ledger.ended).toEqual(["a.md", "b.md"].map(endedMark));
  const again = edit({ ...QUEUE, batches: [two, one] });
  again.endBatch(two, "failed");
  again.endBatch(one, "again");
  expect(again.ledger.ended).toEqual([]);
  const upkeep = edit({ ...EMPTY, batches: [batch("d", [change(1)])] });
  upkeep.endBatch(batch("d", [change(1)]), "done");
  expect(upkeep.ledger.ended).toEqual([]);
  expect(upkeep.history).toMatchObject([{ batch: "d", at: "2026-11-22T12:00:00Z" }]);
});

test("what is handed over again goes ahead of what never was, whatever source or release", () => {
  const it = edit({ ...EMPTY, waiting: [group(1)] });
  it.putBack([{ changes: [change(2)], attempts: 1 }]);
  expect(it.ledger.waiting).toMatchObject([
    { changes: [{ key: "1#2" }], attempts: 1, source: "", isReleased: true },
    { changes: [{ key: "1#1" }] },
  ]);
});

test("an end is counted by the day on which each change landed, and tasks are not", () => {
  const it = edit(EMPTY);
  it.addDone("merged", LINK, [change(1), { ...change(2), landedAt: "2026-11-21T23:59:59Z" }]);
  it.addDone("none", null, [change(3), task("a.md")]);
  for (const result of ["closed", "left", "unread"] as const) it.addDone(result, null, [change(4)]);
  expect(it.ledger.days).toEqual({
    "2026-11-20": { documented: 2, not: 3 },
    "2026-11-21": { documented: 1, not: 0 },
  });
});

test("what only grows old is no reason for a write", () => {
  const days = { "2026-09-01": { documented: 1, not: 0 } };
  const starts = [{ batch: "b", at: "2026-11-20T00:00:00Z" }];
  const it = edit({ ...EMPTY, days, starts });
  expect(it.ledger).toMatchObject({ days: {}, starts: [] });
  expect(it.isChanged).toBe(false);
});

test("what a dashboard does not show is not kept: of 60 ends the newest 50, of 30 changes 10", () => {
  const it = edit(EMPTY);
  const many = Array.from({ length: 30 }, (_, nth) => change(nth));
  for (let nth = 1; nth <= 60; nth += 1) it.addDone("merged", `${LINK}${nth}`, many);
  expect(it.ledger.done).toHaveLength(50);
  expect(it.ledger.done[0]).toMatchObject({
    prLink: `${LINK}60`,
    changes: { length: 10 },
    more: 20,
  });
  it.passOver(many.map((one) => ({ change: one, why: "label skip-docs" })));
  it.passOver([{ change: change(5), why: "author renovate[bot]" }]);
  expect(it.ledger.passedOver).toHaveLength(20);
  expect(it.ledger.passedOver.map(({ change: { number } }) => number).slice(0, 3)).toEqual([
    5, 29, 28,
  ]);
  for (let nth = 1; nth <= 250; nth += 1) it.noteAgent(`${LINK}${nth}`, null);
  it.noteAgent(`${LINK}250`, "docs/1");
  expect(it.ledger.agent).toMatchObject({ links: { length: 200 }, branches: ["docs/1"] });
  expect(it.ledger.agent.links.at(-1)).toBe(`${LINK}250`);
});

test("what a filter leaves out waits no longer, with the rest of its group left", () => {
  const together = { ...group(1), changes: [change(1), change(2)] };
  const it = edit({ ...EMPTY, waiting: [together, group(3)] });
  it.passOver([1, 3].map((nth) => ({ change: change(nth), why: "no" })));
  expect(it.ledger.waiting).toMatchObject([{ changes: [{ key: "1#2" }] }]);
});

test("a docs pull request that was merged before the ledger knew of it waits no longer", () => {
  const own = { ...change(2), url: LINK };
  const it = edit({ ...EMPTY, waiting: [{ ...group(1), changes: [change(1), own] }] });
  it.noteAgent(LINK, null);
  expect(it.ledger.waiting).toMatchObject([{ changes: [{ key: "1#1" }] }]);
  expect(it.ledger.passedOver).toMatchObject([{ change: { key: "1#2" } }]);
});

test("counts of days are kept for the coverage of 30 days, whatever hour it is", () => {
  const days = Object.fromEntries(
    [30, 31, 32].map((back) => [ago(back * 24 * HOUR).slice(0, 10), { documented: 1, not: 0 }]),
  );
  expect(Object.keys(edit({ ...EMPTY, days }).ledger.days)).toHaveLength(2);
});

test("names are short, of any number of changes, and say how many are left out", () => {
  const [one, sha, files] = [
    change(12),
    { ...change(1), number: null, sha: "a1b2c3d4e5" },
    task("docs/a.md\ndocs/b.md"),
  ];
  const all = Array.from({ length: 12 }, (_, nth) => change(nth + 1));
  expect([[], [one], [one, sha], [one, sha, files]].map(namesOf)).toEqual([
    "",
    "#12",
    "#12 and a1b2c3d",
    "#12, a1b2c3d and docs/a.md",
  ]);
  expect(namesOf(all)).toBe("#1, #2, #3, #4, #5, #6, #7, #8, #9, #10 and 2 more");
});
