import { expect, test } from "vitest";
import { jobOf } from "../../test/support/job.ts";
import {
  change,
  DECIDED,
  EMPTY,
  failedBatch,
  group,
  polled,
  revision,
  runningBatch,
} from "../../test/support/ledger-examples.ts";
import type { Decided } from "../batches/run-batches.ts";
import type { Delivery } from "../job/send.ts";
import type { BasicResult } from "../ledger/program.ts";
import { ActionError } from "../runtime/errors.ts";
import { outputsOf } from "./results.ts";

test("the changes of the ledger are counted, unless the run ended before it decided", () => {
  const batches = [failedBatch("b", [change(1), change(2)]), runningBatch("c", [change(3)])];
  const ledger = { ...EMPTY, batches, waiting: [group(4), group(5), group(6)] };
  const counts = (decided: Decided<null> | null) => {
    const { waitingCount, needsDecisionCount } = outputsOf(decided, null);
    return [waitingCount, needsDecisionCount];
  };
  expect(counts({ ...DECIDED, revision: revision(ledger) })).toEqual(["3", "2"]);
  expect(counts(null)).toEqual([null, null]);
});

test.each<[string | null, "done" | "failed", string]>([
  ["unknown", "failed", "unknown"],
  ["archived", "done", "archived"],
  [null, "done", "completed"],
  [null, "failed", "failed"],
])(
  "the status of a batch that a poll found %s, and that is %s, is %s",
  (status, state, expected) => {
    const polls = new Map(status === null ? [] : [["b", { ...polled("done"), status }]]);
    const line = { batch: "b", at: "", state, jobId: "job-1", prLink: null, attempt: 1 };
    const finished = [{ ...line, changes: [change(1)] }];
    const outputs = outputsOf({ ...DECIDED, polls, finished }, null);
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

test.each<[Delivery | BasicResult, number]>([
  [{ type: "accepted", job: jobOf("active"), isFollowUp: false }, 2],
  [{ type: "uncertain", reason: "lost", error: new ActionError("create-uncertain", "Lost.") }, 2],
  [{ type: "limited" }, 0],
  [{ type: "withdrawn" }, 0],
])("of a request that is $type, %i changes are named", (result, count) => {
  const changes = [change(1), change(2)];
  const act = { type: "hand over", id: "b", changes, jobId: null, prompt: "" } as const;
  const outputs = outputsOf({ ...DECIDED, handed: [{ act, result }] }, null);
  expect(outputs.changeCount).toBe(String(count));
  expect(JSON.parse(outputs.changes ?? "")).toHaveLength(count);
});
