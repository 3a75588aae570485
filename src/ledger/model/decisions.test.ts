import { expect, test } from "vitest";
import {
  change,
  EMPTY,
  failedBatch,
  LINK,
  polled,
  review,
  revision,
  running,
  uncertainBatch,
  waiting,
} from "../../../test/support/ledger-examples.ts";
import { takePoll } from "./batches.ts";
import { applyDecision, takeReview } from "./decisions.ts";

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

test.each([
  ["an uncertain batch", uncertainBatch("b", [change(1)]), null],
  ["a failed one", failedBatch("b", [change(1)]), "job-b"],
  ["one that the service refused", failedBatch("b", [change(1)], null), null],
])("%s is left with the job that it has", (_, batch, jobId) => {
  const before = revision({ ...EMPTY, batches: [batch] });
  expect(applyDecision(before, { id: "b", choice: "leave" }).history).toMatchObject([{ jobId }]);
});

test.each(["merged", "closed"] as const)(
  "a review that was %s, taken twice, ends once",
  (state) => {
    const once = takeReview(revision({ ...EMPTY, reviews: [review()] }), LINK, state);
    expect(once.ledger).toMatchObject({ reviews: [], done: [{ result: state }] });
    expect(takeReview(once, LINK, state)).toBe(once);
  },
);
