import { expect, test } from "vitest";
import { jobOf } from "../../test/support/job.ts";
import type { Outcome } from "../job/outcome.ts";
import { messageOf, resultOf } from "../job/step-result.ts";
import { ActionError } from "../runtime/errors.ts";
import { waitErrorOf } from "./wait-error.ts";

const ID = "job_1";
const job = jobOf("active");

test.each(["completed", "archived"])("a job that is %s is no reason to fail", (status) => {
  expect(waitErrorOf({ type: "ended", id: ID, job: jobOf(status) })).toBeNull();
});

test.each<[kind: string, next: string, Outcome]>([
  ["job-failed", "hands its changes over again", { type: "ended", id: ID, job: jobOf("failed") }],
  [
    "timeout",
    "A later run finishes the batch.",
    { type: "timed-out", id: ID, job, known: "running", timeout: 60_000 },
  ],
  [
    "cancelled",
    "A later run finishes the batch.",
    { type: "cancelled", id: ID, job, request: "accepted" },
  ],
])("%s is told as by the root action, with what a later run does", (kind, next, outcome) => {
  const error = waitErrorOf(outcome);
  const { what } = resultOf(outcome, { ifTimeout: "error", ifNoChanges: "ignore" });
  expect(error).toMatchObject({ kind, what, advice: expect.stringContaining(next) });
  expect(error?.message).not.toContain("job-id");
});

test("polls that failed for good are told as they are", () => {
  const error = new ActionError("unauthorized", "The key was refused.", "Check `api-key`.");
  const outcome: Outcome = { type: "error", id: ID, job, request: "accepted", error };
  expect(waitErrorOf(outcome)?.message).toBe(error.message);
  expect(waitErrorOf(outcome)?.message).toBe(
    messageOf(resultOf(outcome, { ifTimeout: "error", ifNoChanges: "ignore" })),
  );
});

test.each(["service-unavailable", "invalid-response", "not-found"] as const)(
  "polls that came to %s leave the batch to a later run: upkeep has no `job-id`",
  (kind) => {
    const error = new ActionError(kind, "No poll was answered.", "Run again with its `job-id`.");
    const outcome: Outcome = { type: "error", id: ID, job, request: "accepted", error };
    expect(waitErrorOf(outcome)).toMatchObject({ kind, advice: "A later run finishes the batch." });
  },
);
