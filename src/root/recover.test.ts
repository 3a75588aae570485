import { expect, test } from "vitest";
import { jobOf } from "../../test/support/job.ts";
import { STALE_LIMIT } from "../job/poll.ts";
import type { RequestState } from "../job/send.ts";
import { outcomeAfterPoll } from "./recover.ts";

const NOW = Date.UTC(2026, 0, 1);
const ACTIVE = jobOf("active");
const COMPLETED = jobOf("completed");
const FAILED = jobOf("failed");

test.each([
  ["a job that has ended", COMPLETED, null, { type: "ended", job: COMPLETED, mayGetPull: true }],
  ["a job that failed", FAILED, null, { type: "ended", job: FAILED, mayGetPull: false }],
  ["a job at work", ACTIVE, null, { type: "error", job: ACTIVE }],
  ["a job that could not be polled", null, null, { type: "error", job: null }],
  ["an end that may be the previous one", COMPLETED, NOW, { type: "error", job: null }],
  ["an end just before the limit", COMPLETED, NOW - STALE_LIMIT + 1, { type: "error", job: null }],
  ["an end after the limit", COMPLETED, NOW - STALE_LIMIT, { type: "ended", job: COMPLETED }],
  ["a job at work after a follow-up", ACTIVE, NOW, { type: "error", job: ACTIVE }],
])("after a kill, %s gives the run its outcome", (_, job, oldEndSince, expected) => {
  expect(outcomeAfterPoll({ request: "accepted", oldEndSince }, job, NOW)).toMatchObject(expected);
});

test.each<RequestState>(["accepted", "refused", "uncertain"])(
  "without a poll, the run was cancelled, and its request stays %s",
  (request) => {
    expect(outcomeAfterPoll({ request, oldEndSince: null }, null, NOW)).toMatchObject({
      type: "error",
      request,
      error: { kind: "cancelled" },
    });
  },
);
