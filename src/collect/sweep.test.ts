import { expect, test } from "vitest";
import type { PollResult } from "../job/poll.ts";
import { unknownJob } from "../service/agent.ts";
import { type Failure, ServiceError } from "../service/errors.ts";
import type { JobComment } from "./comments.ts";
import { assessPoll } from "./sweep.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const SECOND = 1000;

function commentOf(age: number, mayBeOld = false): JobComment {
  return {
    ...{ id: 1, url: "", digest: "", place: { repository: "octo/docs", issue: 7 } },
    updatedAt: NOW - age,
    marker: {
      ...{ job: "job_1", api: "v2", request: "accepted", ended: false },
      ...{ run: "1", attempt: 1, step: "", asks: "" },
      later: {
        ...{ waits: null, isByPhrase: false, mayBeOld },
        ...{ ifNoChanges: "ignore", notes: [], reaction: null },
      },
    },
  };
}

const inStatus = (status: string): PollResult => ({
  reply: { job: { ...unknownJob("job_1"), status }, retryAfter: undefined },
});
const failing = (failure: Failure): PollResult => ({ error: new ServiceError(failure, "no") });
const answered = (status: number) => failing({ type: "status", status });

test.each<[string, PollResult, number, boolean, string]>([
  ["an end", inStatus("completed"), 0, false, "over"],
  ["an archived job", inStatus("archived"), 0, false, "over"],
  ["a job at work", inStatus("active"), 90 * SECOND, false, "running"],
  ["a status nobody knows", inStatus("dreaming"), 90 * SECOND, false, "running"],
  ["an end right after a follow-up", inStatus("completed"), 19 * SECOND, true, "running"],
  ["an end a while after a follow-up", inStatus("completed"), 20 * SECOND, true, "over"],
  ["404 for a job that is young", answered(404), 29 * SECOND, false, "running"],
  ["404 for a job that is not", answered(404), 30 * SECOND, false, "over"],
  ["410", answered(410), 90 * SECOND, false, "over"],
  ["401", answered(401), 0, false, "refused"],
  ["403", answered(403), 0, false, "refused"],
  ["a redirect", failing({ type: "redirect" }), 0, false, "refused"],
  ["429", answered(429), 90 * SECOND, false, "poll-failed"],
  ["500", answered(500), 90 * SECOND, false, "poll-failed"],
  ["400", answered(400), 90 * SECOND, false, "poll-failed"],
  ["a lost connection", failing({ type: "lost" }), 90 * SECOND, false, "poll-failed"],
  ["an answer that cannot be read", failing({ type: "unreadable" }), 9e6, false, "poll-failed"],
])("a poll that brings %s", (_, result, age, mayBeOld, expected) => {
  expect(assessPoll(result, commentOf(age, mayBeOld), NOW).type).toBe(expected);
});

test("a job that is unknown is told as a run that waits tells it", () => {
  expect(assessPoll(answered(404), commentOf(90 * SECOND), NOW)).toMatchObject({
    outcome: { type: "error", id: "job_1", request: "accepted", error: { kind: "not-found" } },
  });
});
