import { expect, test } from "vitest";
import { answered, jobOf } from "../../test/support/job.ts";
import type { JobComment, MarkerWithJob } from "../github/conversation/job-marker.ts";
import { ActionError } from "../runtime/errors.ts";
import type { PolledJob } from "../service/agent.ts";
import type { ServiceError } from "../service/errors.ts";
import { mayStillWait } from "./collect.ts";
import { type JobPoll, judgeComment, summed } from "./judge.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const OLD = { mayBeOld: true };
const NOW = Date.parse("2026-03-01T12:00:00Z");

type Later = NonNullable<MarkerWithJob["later"]>;

function commentOf(age: number, over: Partial<Later> = {}): JobComment {
  const later: Later = {
    waits: null,
    isByPhrase: true,
    mayBeOld: false,
    doubt: null,
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
  return { ...written, updatedAt: NOW - age, isEdited: true, marker };
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

const LINK = "https://github.com/octo/docs/pull/9";
const WITH_PULL = jobOf("completed", { prLink: LINK });
const ago = (time: number) => new Date(NOW - time).toISOString();
const noJob = (time: number) => ({ doubt: { found: "no-job", at: ago(time) } as const });
const noPull = (time: number) => ({ doubt: { found: "no-pull", at: ago(time) } as const });

test.each<[string, PolledJob | ServiceError, JobComment, string | null, Later["doubt"]]>([
  ["an end with a pull request", WITH_PULL, commentOf(0), "ended", null],
  ["a failed job", jobOf("failed"), commentOf(0), "ended", null],
  ["a job at work", jobOf("active"), commentOf(0, noJob(MINUTE)), null, null],
  ["a status nobody knows", jobOf("dreaming"), commentOf(90 * SECOND), null, null],
  ["an end right after a follow-up", WITH_PULL, commentOf(19 * SECOND, OLD), null, null],
  ["an end a while after a follow-up", WITH_PULL, commentOf(HOUR, OLD), "ended", null],
  ["an end without a pull request", jobOf("completed"), commentOf(0), null, noPull(0).doubt],
  [
    "the same, in a second poll too soon",
    jobOf("completed"),
    commentOf(0, noPull(59 * SECOND)),
    null,
    noPull(59 * SECOND).doubt,
  ],
  ["the same, a sweep later", jobOf("completed"), commentOf(0, noPull(MINUTE)), "ended", null],
  ["a link that came late", WITH_PULL, commentOf(0, noPull(MINUTE)), "ended", null],
  [
    "an archived job, a sweep later",
    jobOf("archived"),
    commentOf(0, noPull(MINUTE)),
    "ended",
    null,
  ],
  ["404 for a job that is young", answered(404), commentOf(10 * MINUTE - 1), null, null],
  ["404 for a job that is not", answered(404), commentOf(10 * MINUTE), null, noJob(0).doubt],
  [
    "404 again too soon",
    answered(404),
    commentOf(0, noJob(29 * MINUTE)),
    null,
    noJob(29 * MINUTE).doubt,
  ],
  ["404 again after half an hour", answered(404), commentOf(0, noJob(30 * MINUTE)), "error", null],
])("a poll that brings %s", (_, job, comment, outcome, doubt) => {
  const judged = judgeComment(job, comment, NOW, true);
  expect(judged.outcome?.type ?? null).toBe(outcome);
  expect(judged.doubt).toEqual(doubt);
});

test("while the service knows no job of a sweep, none is unknown within a day", () => {
  const judged = (time: number) =>
    judgeComment(answered(404), commentOf(0, noJob(time)), NOW, false);
  expect(judged(24 * HOUR)).toMatchObject({ outcome: null, doubt: { found: "no-job" } });
  expect(judged(24 * HOUR + SECOND)).toMatchObject({ outcome: { type: "error" } });
});

test("an unknown job is reported as by a run that waits", () => {
  expect(judgeComment(answered(410), commentOf(0, noJob(HOUR)), NOW, true).outcome).toMatchObject({
    type: "error",
    request: "accepted",
    error: { kind: "not-found" },
  });
});

test("the polls of a sweep are counted in comments, and their ends keep the order of the jobs", () => {
  const [first, second, third] = [commentOf(1), commentOf(2), commentOf(3)];
  const outcome = { type: "ended", job: WITH_PULL, mayGetPull: false } as const;
  const error = new ActionError("unauthorized", "The key is wrong.", "Check it.");
  const polls: JobPoll[] = [
    { type: "unread", comments: [first] },
    { type: "polled", job: WITH_PULL, comments: [second] },
    { type: "polled", job: jobOf("active"), comments: [first] },
    { type: "refused", comments: [first, second], error },
    { type: "skipped" },
    { type: "polled", job: WITH_PULL, comments: [third] },
    { type: "polled", job: jobOf("completed"), comments: [first] },
  ];
  expect(summed(polls, NOW)).toEqual({
    checked: 7,
    running: 2,
    refused: error,
    isNoneFound: false,
    ended: [
      { comment: second, outcome },
      { comment: third, outcome },
    ].map((entry) => expect.objectContaining(entry)),
    doubted: [expect.objectContaining({ comment: first, ...noPull(0) })],
  });
  const nothing = { ended: [], doubted: [], refused: null, isNoneFound: false };
  expect(summed([], NOW)).toEqual({ checked: 0, running: 0, ...nothing });
});

test("a sweep says so if the service knows none of its jobs, once they are old enough", () => {
  const poll = (age: number): JobPoll => {
    return { type: "polled", job: answered(404), comments: [commentOf(age)] };
  };
  expect(summed([poll(HOUR)], NOW).isNoneFound).toBe(true);
  expect(summed([poll(MINUTE)], NOW).isNoneFound).toBe(false);
  const found: JobPoll = { type: "polled", job: jobOf("active"), comments: [commentOf(0)] };
  expect(summed([poll(HOUR), found], NOW).isNoneFound).toBe(false);
});
