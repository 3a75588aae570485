import { describe, expect, test } from "vitest";
import {
  change,
  EMPTY,
  failedBatch,
  group,
  HOUR,
  NOW,
  review,
  revision,
  runningBatch,
  task,
  uncertainBatch,
} from "../../test/support/ledger-examples.ts";
import type { Ledger } from "../batches/model/ledger.ts";
import { coverageOf } from "./results.ts";

describe("the coverage of the last 30 days counts", () => {
  const NONE: Readonly<Record<string, number>> = {
    Documented: 0,
    "In review": 0,
    "In progress": 0,
    Waiting: 0,
    "Needs a decision": 0,
    "Not documented": 0,
    "In docs pull requests that cannot be read": 0,
  };
  const late = runningBatch("b", [change(1)], { acceptedAt: "2026-11-20T00:00:00Z" });
  test.each<[string, Partial<Ledger>, Partial<Readonly<Record<string, number>>>]>([
    ["nothing of an empty ledger", {}, {}],
    ["waiting changes", { waiting: [group(1)] }, { Waiting: 1 }],
    [
      "waiting changes before their release",
      { waiting: [group(1, { isReleased: false })] },
      { Waiting: 1 },
    ],
    [
      "each change of a batch",
      { batches: [runningBatch("b", [change(1), change(2)])] },
      { "In progress": 2 },
    ],
    ["a job that takes too long", { batches: [late] }, { "Needs a decision": 1 }],
    [
      "what a person decides",
      { batches: [failedBatch("b", [change(1)]), uncertainBatch("c", [change(2)])] },
      { "Needs a decision": 2 },
    ],
    ["open docs pull requests", { reviews: [review(), review()] }, { "In review": 2 }],
    ["no drafts: they are not merged", { drafts: [runningBatch("d", [change(1)])] }, {}],
    ["no tasks", { waiting: [group(1, { changes: [task("docs/a.md")] })] }, {}],
    [
      "what was finished, by the day on which it landed",
      {
        days: {
          "2026-10-22": { documented: 9, not: 9, unseen: 0 },
          "2026-10-23": { documented: 1, not: 2, unseen: 0 },
          "2026-11-22": { documented: 3, not: 4, unseen: 1 },
        },
      },
      { Documented: 4, "Not documented": 6, "In docs pull requests that cannot be read": 1 },
    ],
  ])("%s", (_, ledger, counts) => {
    expect(coverageOf(revision({ ...EMPTY, ...ledger }))).toEqual({ ...NONE, ...counts });
  });

  test.each([
    [0, 1],
    [1, 0],
  ])("a change that landed 30 days and %i milliseconds ago: %i", (more, count) => {
    const landedAt = new Date(NOW - 30 * 24 * HOUR - more).toISOString();
    const waiting = [group(1, { changes: [{ ...change(1), landedAt }] })];
    expect(coverageOf(revision({ ...EMPTY, waiting }))).toEqual({ ...NONE, Waiting: count });
  });
});
