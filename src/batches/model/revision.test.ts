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
import { ledgerText, parseLedger } from "../../ledger/file.ts";
import { batchFormat } from "./format.ts";
import type { Batch, Change, DocsEnd, Ledger } from "./ledger.ts";
import { endedMark, namesOf } from "./names.ts";
import {
  activeBatches,
  addDone,
  endBatch,
  noteAgent,
  passOver,
  putBack,
  startsWithin,
} from "./revision.ts";
import { undecidedBatches } from "./undecided.ts";

const ago = (milliseconds: number) => new Date(NOW - milliseconds).toISOString();

/** The ledger as it is read back from its file. */
function readBack(ledger: Ledger): Ledger {
  const format = batchFormat({ action: "upkeep", project: "p" });
  const parsed = parseLedger(ledgerText(ledger), format, NOW);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed.ledger;
}

describe("a batch", () => {
  const one = [change(1)];
  test.each<[title: string, batch: Batch, needsDecision: boolean]>([
    ["a new intent", intendedBatch("b", one), false],
    ["a job at work", runningBatch("b", one, { acceptedAt: ago(HOUR) }), false],
    ["one at its deadline", runningBatch("b", one, { acceptedAt: ago(24 * HOUR) }), false],
    ["one past it", runningBatch("b", one, { acceptedAt: ago(24 * HOUR + 1000) }), true],
    ["one of which nobody knows since when", runningBatch("b", one, { acceptedAt: "" }), true],
    ["an uncertain one", uncertainBatch("b", one), true],
    ["a failed one", failedBatch("b", one), true],
  ])("%s differs from others by GitHub's clock", (_, batch, needsDecision) => {
    const only = revision({ ...EMPTY, batches: [batch] });
    expect(undecidedBatches(only)).toEqual(needsDecision ? [batch] : []);
    expect(activeBatches(only)).toEqual(needsDecision ? [] : [batch]);
  });

  test("counts for the limit of an hour or a day as long as that is", () => {
    const starts = [0, HOUR - 1, HOUR, 24 * HOUR - 1, 24 * HOUR].map((age, nth) => ({
      batch: `b${nth}`,
      at: ago(age),
    }));
    const started = revision({ ...EMPTY, starts });
    expect([startsWithin(started, HOUR), startsWithin(started, 24 * HOUR)]).toEqual([2, 4]);
    expect(readBack(started.ledger).starts).toHaveLength(4);
  });
});

test("tasks for several files are marked as ended file by file, once, unless they go out again", () => {
  const both = intendedBatch("b", [task("a.md\nb.md")]);
  const second = intendedBatch("c", [task("b.md")]);
  const before = revision({ ...EMPTY, batches: [both, second] });
  const end = { jobId: null, prLink: null };
  const done = endBatch(before, both, { ...end, state: "done" });
  const ended = endBatch(done, second, { ...end, state: "left" });
  expect(ended.ledger.ended).toEqual(["a.md", "b.md"].map(endedMark));
  const failed = endBatch(before, both, { ...end, state: "failed" });
  expect(endBatch(failed, second, { ...end, state: "again" }).ledger.ended).toEqual([]);
  const merged = intendedBatch("d", [change(1)]);
  const upkeep = revision({ ...EMPTY, batches: [merged] });
  const { ledger, history } = endBatch(upkeep, merged, { ...end, state: "done" });
  expect(ledger.ended).toEqual([]);
  expect(history).toMatchObject([{ batch: "d", at: AT }]);
});

test("changes that are handed over again go before all others, of any source or release", () => {
  const before = revision({ ...EMPTY, waiting: [group(1)] });
  const { ledger } = putBack(before, [
    { changes: [change(2)], origin: null, attempts: 1, followUp: null },
  ]);
  expect(ledger.waiting).toMatchObject([
    { changes: [{ key: "1#2" }], attempts: 1, source: null, isReleased: true },
    { changes: [{ key: "1#1" }] },
  ]);
});

test("an end is counted by the day on which each change landed, and tasks are not", () => {
  const merged = [change(1), { ...change(2), landedAt: "2026-11-21T23:59:59Z" }];
  const ends: [DocsEnd, Change[]][] = [
    [{ result: "merged", prLink: LINK }, merged],
    [{ result: "none", prLink: null }, [change(3), task("a.md")]],
    [{ result: "closed", prLink: LINK }, [change(4)]],
    [{ result: "left", prLink: null }, [change(4)]],
    [{ result: "unread", prLink: LINK }, [change(4)]],
  ];
  const ended = ends.reduce(
    (before, [end, changes]) => addDone(before, end, changes),
    revision(EMPTY),
  );
  expect(ended.ledger.days).toEqual({
    "2026-11-20": { documented: 2, not: 2, unseen: 1 },
    "2026-11-21": { documented: 1, not: 0, unseen: 0 },
  });
});

test("what only grows old is left out where the ledger is read", () => {
  const days = { "2026-09-01": { documented: 1, not: 0, unseen: 0 } };
  const starts = [{ batch: "b", at: "2026-11-20T00:00:00Z" }];
  const requests = { "2026-09-01": 1 };
  expect(readBack({ ...EMPTY, days, starts, requests })).toEqual(EMPTY);
});

test("what a dashboard does not show is not kept: of 60 ends the newest 50, of 30 changes 10", () => {
  const many = Array.from({ length: 30 }, (_, nth) => change(nth));
  let ended = revision(EMPTY);
  for (let nth = 1; nth <= 60; nth += 1) {
    ended = addDone(ended, { result: "merged", prLink: `${LINK}${nth}` }, many);
  }
  const { done } = ended.ledger;
  expect(done).toHaveLength(50);
  expect(done[0]).toMatchObject({ prLink: `${LINK}60`, changes: { length: 10 }, more: 20 });
});

test("of the changes that were passed over, the newest 20 are kept, each once", () => {
  const passed = Array.from({ length: 30 }, (_, nth) => change(nth)).map((excluded) => {
    return { change: excluded, reason: { code: "label", label: "skip-docs" } as const };
  });
  const first = passOver(revision(EMPTY), passed);
  const again = passOver(first, [
    { change: change(5), reason: { code: "author", author: "renovate[bot]" } },
  ]);
  const { passedOver } = again.ledger;
  expect(passedOver).toHaveLength(20);
  expect(passedOver.map(({ change: { number } }) => number).slice(0, 3)).toEqual([5, 29, 28]);
});

test("of the agent's pull requests, the newest 200 are kept, each once", () => {
  let noted = revision(EMPTY);
  for (let nth = 1; nth <= 250; nth += 1) noted = noteAgent(noted, `${LINK}${nth}`, null);
  const { agent } = noteAgent(noted, `${LINK}250`, "docs/1").ledger;
  expect(agent).toMatchObject({ links: { length: 200 }, branches: ["docs/1"] });
  expect(agent.links.at(-1)).toBe(`${LINK}250`);
});

test("what a filter leaves out waits no longer, with the rest of its group left", () => {
  const together = group(1, { changes: [change(1), change(2)] });
  const before = revision({ ...EMPTY, waiting: [together, group(3)] });
  const passed = [1, 3].map((nth) => ({
    change: change(nth),
    reason: { code: "no-files" } as const,
  }));
  expect(passOver(before, passed).ledger.waiting).toMatchObject([{ changes: [{ key: "1#2" }] }]);
});

test("a docs pull request that was merged before the ledger knew of it waits no longer", () => {
  const own = { ...change(2), url: LINK };
  const before = revision({ ...EMPTY, waiting: [group(1, { changes: [change(1), own] })] });
  const { waiting, passedOver } = noteAgent(before, LINK, null).ledger;
  expect(waiting).toMatchObject([{ changes: [{ key: "1#1" }] }]);
  expect(passedOver).toMatchObject([{ change: { key: "1#2" } }]);
});

test("counts of days are kept for the coverage of 30 days, at any hour", () => {
  const days = Object.fromEntries(
    [30, 31, 32].map((back) => [
      ago(back * 24 * HOUR).slice(0, 10),
      { documented: 1, not: 0, unseen: 0 },
    ]),
  );
  expect(Object.keys(readBack({ ...EMPTY, days }).days)).toHaveLength(2);
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
