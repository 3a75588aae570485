import { expect, test } from "vitest";
import {
  accepted,
  change,
  DECIDED,
  EMPTY,
  failedBatch,
  group,
  polled,
  revision,
  runningBatch,
  UNCERTAIN,
} from "../../test/support/ledger-examples.ts";
import type { OwnNotes } from "../batches/batch-plan.ts";
import type { BatchValue } from "../batches/batch-program.ts";
import type { DecidedRun } from "../batches/outcome.ts";
import { type Delivery, notSent } from "../runtime/delivery.ts";
import { upkeepOutputs } from "./results.ts";

test("the changes of the ledger are counted, unless the run ended before it decided", () => {
  const batches = [failedBatch("b", [change(1), change(2)]), runningBatch("c", [change(3)])];
  const ledger = { ...EMPTY, batches, waiting: [group(4), group(5), group(6)] };
  const counts = (decided: DecidedRun<OwnNotes> | null) => {
    const { waitingCount, needsDecisionCount } = upkeepOutputs(decided, null);
    return [waitingCount, needsDecisionCount];
  };
  expect(counts({ ...DECIDED, revision: revision(ledger) })).toEqual(["3", "2"]);
  expect(counts(null)).toEqual([null, null]);
});

test.each<[string | null, "done" | "failed", string]>([
  ["archived", "done", "archived"],
  [null, "done", "completed"],
  [null, "failed", "failed"],
])(
  "the status of a batch that a poll found %s, and that is %s, is %s",
  (status, state, expected) => {
    const poll = polled("completed", null, { status: status ?? "" });
    const polls = new Map(status === null ? [] : [["b", poll]]);
    const line = { batch: "b", at: "", state, jobId: "job-1", prLink: null, attempt: 1 };
    const finished = [{ ...line, changes: [change(1)] }];
    const outputs = upkeepOutputs({ ...DECIDED, polls, finished }, null);
    expect(outputs.finishedCount).toBe("1");
    expect(JSON.parse(outputs.finished ?? "")).toEqual([
      {
        jobId: "job-1",
        status: expected,
        prLink: null,
        changes: [expect.objectContaining({ number: 1 })],
      },
    ]);
  },
);

test.each<[Delivery<BatchValue> | null, number]>([
  [accepted(), 2],
  [UNCERTAIN, 2],
  [{ type: "limited" }, 0],
  [notSent("changed"), 0],
  [null, 0],
])("of a request that is %j, %i changes are named", (delivery, count) => {
  const changes = [change(1), change(2)];
  const act = { type: "start", id: "b", changes, prompt: "", refusedBefore: 0 } as const;
  const outputs = upkeepOutputs({ ...DECIDED, handed: [{ act, delivery }] }, null);
  expect(outputs.changeCount).toBe(String(count));
  expect(JSON.parse(outputs.changes ?? "")).toHaveLength(count);
});
