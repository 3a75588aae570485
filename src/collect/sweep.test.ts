import { expect, test } from "vitest";
import { answered, jobOf } from "../../test/support/job.ts";
import type { JobComment, MarkerWithJob } from "../github/conversation/job-marker.ts";
import { ActionError } from "../runtime/errors.ts";
import type { PolledJob } from "../service/agent.ts";
import type { ServiceError } from "../service/errors.ts";
import { mayStillWait } from "./collect.ts";
import { type JobPoll, outcomeOf, summed } from "./sweep.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const NOW = Date.parse("2026-03-01T12:00:00Z");

type Later = NonNullable<MarkerWithJob["later"]>;

function commentOf(age: number, over: Partial<Later> = {}): JobComment {
  const later: Later = {
    waits: null,
    isByPhrase: true,
    mayBeOld: false,
    ifNoChanges: "ignore",
    notes: [],
    reaction: null,
    ...over,
  };
  const marker: MarkerWithJob = {
    job: "job_1",
    api: "v2",
    request: "accepted",
    ended: null,
    run: "1",
    attempt: 1,
    step: "docs/1",
    asks: "x",
    later,
  };
  const by = { author: "x[bot]", isByBot: true, isInsider: false, isOwn: null };
  const written = { id: 1, url: "", body: "", issue: 7, ...by };
  return { ...written, updatedAt: NOW - age, marker };
}

test.each<[string, JobComment, boolean]>([
  ["a run that has left", commentOf(60 * MINUTE), false],
  ["a run that waits", commentOf(60 * MINUTE, { waits: 55 * MINUTE }), true],
  ["a run whose time and a margin are over", commentOf(60 * MINUTE, { waits: 49 * MINUTE }), false],
  ["a run that starts a job and goes on", commentOf(MINUTE, { waits: 0 }), true],
  ["a run that was killed as it did so", commentOf(60 * MINUTE, { waits: 0 }), false],
])("may still wait: %s", (_, comment, expected) => {
  expect(mayStillWait(comment, NOW)).toBe(expected);
});

test.each<[string, PolledJob | ServiceError, JobComment, string | undefined]>([
  ["an end", jobOf("completed"), commentOf(0), "ended"],
  ["an archived job", jobOf("archived"), commentOf(0), "ended"],
  ["a job at work", jobOf("active"), commentOf(90 * SECOND), undefined],
  ["a status nobody knows", jobOf("dreaming"), commentOf(90 * SECOND), undefined],
  [
    "an end right after a follow-up",
    jobOf("completed"),
    commentOf(19 * SECOND, { mayBeOld: true }),
    undefined,
  ],
  [
    "an end a while after a follow-up",
    jobOf("completed"),
    commentOf(20 * SECOND, { mayBeOld: true }),
    "ended",
  ],
  ["404 for a job that is young", answered(404), commentOf(29 * SECOND), undefined],
  ["404 for a job that is not", answered(404), commentOf(30 * SECOND), "error"],
])("a poll that brings %s", (_, job, comment, expected) => {
  expect(outcomeOf(job, comment, NOW)?.type).toBe(expected);
});

test("an unknown job is reported as by a run that waits", () => {
  expect(outcomeOf(answered(410), commentOf(90 * SECOND), NOW)).toMatchObject({
    type: "error",
    request: "accepted",
    error: { kind: "not-found" },
  });
});

test("the polls of a sweep are counted in comments, and their ends keep the order of the jobs", () => {
  const [first, second, third] = [commentOf(1), commentOf(2), commentOf(3)];
  const outcome = { type: "ended", job: jobOf("completed") } as const;
  const error = new ActionError("unauthorized", "The key is wrong.", "Check it.");
  const polls: JobPoll[] = [
    { type: "unread", comments: [first] },
    {
      type: "polled",
      outcomes: [
        { comment: second, outcome },
        { comment: first, outcome: null },
      ],
    },
    { type: "refused", comments: [first, second], error },
    { type: "skipped" },
    { type: "polled", outcomes: [{ comment: third, outcome }] },
  ];
  expect(summed(polls)).toEqual({
    checked: 6,
    running: 1,
    refused: error,
    ended: [
      { comment: second, outcome },
      { comment: third, outcome },
    ],
  });
  expect(summed([])).toEqual({ checked: 0, running: 0, refused: null, ended: [] });
});
