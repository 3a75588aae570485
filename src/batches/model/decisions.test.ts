import { expect, test } from "vitest";
import {
  change,
  EMPTY,
  failedBatch,
  HOUR,
  NOW,
  polled,
  revision,
  running,
  runningBatch,
  uncertainBatch,
  waiting,
} from "../../../test/support/ledger-examples.ts";
import { applyDecision } from "./decisions.ts";
import { takePoll } from "./polls.ts";

test("a decision counts once, and only where one is needed", () => {
  const atWork = revision(running(2, { attempt: 3 }));
  expect(applyDecision(atWork, { id: "b", choice: "again" })).toBe(atWork);
  const failed = takePoll(atWork, "b", polled("failed"));
  const left = applyDecision(failed, { id: "b", choice: "leave" });
  expect(left.ledger).toMatchObject({ batches: [], waiting: [], done: [{ result: "left" }] });
  expect(left.history).toMatchObject([{ state: "left" }]);
  const again = applyDecision(failed, { id: "b", choice: "again" });
  expect(waiting(again)).toEqual([[["1#1", "1#2"], 3]]);
  expect(applyDecision(again, { id: "b", choice: "again" })).toBe(again);
});

test("what a filter or a revert passed over is handed over by a person, and nothing else is", () => {
  const passedOver = [
    { change: change(1), reason: { code: "label", label: "skip-docs" } as const },
    { change: change(2), reason: { code: "by-agent" } as const },
  ];
  const before = revision({ ...EMPTY, passedOver });
  const after = applyDecision(before, { id: "1#1", choice: "hand-over" });
  expect(after.ledger.passedOver.map((entry) => entry.change.key)).toEqual(["1#2"]);
  expect(after.ledger.waiting).toMatchObject([{ changes: [{ key: "1#1", isWanted: true }] }]);
  for (const id of ["1#1", "1#2", "1#3"]) {
    expect(applyDecision(after, { id, choice: "hand-over" })).toBe(after);
  }
});

test("a tick at an uncertain batch starts no second job, once a job is known to have it", () => {
  const tick = { id: "b", choice: "again" } as const;
  const atWork = { ...EMPTY, batches: [runningBatch("b", [change(1)])] };
  for (const hours of [1, 25]) {
    const later = revision(atWork, { now: NOW + hours * HOUR });
    expect(applyDecision(later, tick)).toBe(later);
  }
  const late = revision(atWork, { now: NOW + 25 * HOUR });
  const again = applyDecision(late, { ...tick, id: "b late" });
  expect(waiting(again)).toEqual([[["1#1"], 1]]);
});

test("a batch gets another job, and the one that it had is followed beside it", () => {
  const atWork = { ...EMPTY, batches: [runningBatch("b", [change(1)])] };
  const late = revision(atWork, { now: NOW + 25 * HOUR });
  const adopt = (jobId: string) => applyDecision(late, { id: "b late", choice: "job", jobId });
  expect(adopt("job-b").ledger.followed).toEqual([]);
  const { batches, followed } = adopt("job-c").ledger;
  expect(batches).toMatchObject([{ id: "b", job: { id: "job-c" } }]);
  expect(followed).toMatchObject([{ id: "b job-b", job: { id: "job-b" } }]);
});

test.each([
  ["an uncertain batch", uncertainBatch("b", [change(1)]), null],
  ["a failed one", failedBatch("b", [change(1)]), "job-b"],
  ["one that the service refused", failedBatch("b", [change(1)], null), null],
])("%s is left with the job that it has", (_, batch, jobId) => {
  const before = revision({ ...EMPTY, batches: [batch] });
  expect(applyDecision(before, { id: "b", choice: "leave" }).history).toMatchObject([{ jobId }]);
});
