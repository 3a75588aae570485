import fc from "fast-check";
import { expect, test } from "vitest";
import { answered, failureOf, jobOf, replyOf } from "../../test/support/job.ts";
import type { PolledJob } from "../service/agent.ts";
import { ServiceError } from "../service/errors.ts";
import {
  decideAfterPoll,
  delayBefore,
  hasEnded,
  isUnseen,
  type PollState,
  pollContinued,
  pollCreated,
  pollExisting,
} from "./poll.ts";

const PACE = { initial: 3_000, max: 15_000 };
const MINUTE = 60_000;

test.each([
  [1, 3_000],
  [2, 4_500],
  [3, 6_750],
  [4, 10_125],
  [5, 15_000],
  [6, 15_000],
  [1_000_000, 15_000],
])("with the defaults, poll %i comes %i ms after the one before, give or take a fifth", (n, ms) => {
  expect(delayBefore(n, PACE, 0.5)).toBeCloseTo(ms);
  expect(delayBefore(n, PACE, 0)).toBeCloseTo(ms * 0.8);
  expect(delayBefore(n, PACE, 1)).toBeCloseTo(ms * 1.2);
});

function pollAt(now: number, state: PollState, answer: PolledJob | ServiceError) {
  const polled = answer instanceof ServiceError ? answer : replyOf(answer);
  return decideAfterPoll(state, polled, PACE, now, 0.5);
}

/** The state after a poll that did not end the wait. */
function pending(decision: ReturnType<typeof decideAfterPoll>) {
  if (decision.type !== "pending") throw new Error(`It is ${decision.type}`);
  return decision;
}

/** The levels of a decision's lines for the log. */
const levels = ({ notices }: ReturnType<typeof decideAfterPoll>) => notices.map(([level]) => level);
const CREATED = pollCreated(jobOf("active"));
const TAKEN_UP = pollExisting("job_1");

test.each(["completed", "archived", "failed"])("%s is an end", (status) => {
  expect(hasEnded(jobOf(status))).toBe(true);
  const prLink = "https://github.com/octo/docs/pull/9";
  const decision = pollAt(3_000, CREATED, jobOf(status, { prLink }));
  expect(decision).toMatchObject({ type: "ended", end: { status } });
  expect(levels(decision)).toEqual(["info"]);
});

test("a job that completed without a pull request is polled once more, a minute later", () => {
  const first = pollAt(3_000, CREATED, jobOf("completed"));
  expect(first).toMatchObject({ type: "pending", delay: 60_000 });
  expect(levels(first)).toEqual(["info", "info"]);
  if (first.type !== "pending") throw new Error(first.type);
  const second = pollAt(63_000, first.state, jobOf("completed"));
  expect(second).toMatchObject({ type: "ended", end: { status: "completed" } });
  expect(levels(second)).toEqual([]);
  const late = jobOf("completed", { prLink: "https://github.com/octo/docs/pull/9" });
  expect(pollAt(63_000, first.state, late)).toMatchObject({ type: "ended", end: late });
  // A poll before that proves nothing, and neither does one after the job was at work again.
  const early = pending(pollAt(62_000, first.state, jobOf("completed")));
  expect(early).toMatchObject({ delay: 1_000, notices: [] });
  const { state } = pending(pollAt(40_000, first.state, jobOf("active")));
  expect(pollAt(63_000, state, jobOf("completed"))).toMatchObject({ delay: 60_000 });
});

test("the second poll of a job without a pull request waits as long as Retry-After says", () => {
  const polled = { job: jobOf("completed"), retryAfter: 90_000 };
  expect(decideAfterPoll(CREATED, polled, PACE, 3_000, 0.5)).toMatchObject({ delay: 90_000 });
});

test.each(["active", "queued", "Completed", ""])("%j is no end", (status) => {
  expect(hasEnded(jobOf(status))).toBe(false);
  expect(pollAt(3_000, CREATED, jobOf(status)).type).toBe("pending");
});

test("the next delay is that of the schedule", () => {
  let state = CREATED;
  const delays = [1, 2, 3, 4].map(() => {
    const next = pending(pollAt(3_000, state, jobOf("active")));
    ({ state } = next);
    return next.delay;
  });
  // The delay before the first poll was the caller's to wait for.
  expect(delays).toEqual([4_500, 6_750, 10_125, 15_000]);
});

test.each([
  ["a longer one", 40_000, 40_000],
  ["a shorter one, which does not", 2_000, 4_500],
  ["none at all, which does not", 0, 4_500],
])("Retry-After replaces the delay where it is longer: %s", (_, retryAfter, delay) => {
  const reply = replyOf(jobOf("active"), retryAfter);
  expect(pending(decideAfterPoll(CREATED, reply, PACE, 1, 0.5)).delay).toBe(delay);
  expect(pending(pollAt(1, CREATED, answered(503, retryAfter))).delay).toBe(delay);
});

test("a change of status is logged, the same status again is not", () => {
  const first = pending(pollAt(1, TAKEN_UP, jobOf("active")));
  expect(first.notices).toEqual([["info", "Job job_1 is active."]]);
  expect(levels(pollAt(2, first.state, jobOf("active")))).toEqual([]);
});

test("an unknown status is warned of, the same status again is not", () => {
  const first = pending(pollAt(1, CREATED, jobOf("queued")));
  expect(levels(first)).toEqual(["warning"]);
  expect(levels(pollAt(2, first.state, jobOf("queued")))).toEqual([]);
});

// Polls that fail.

test.each([
  ["unreached", failureOf({ type: "unreached" })],
  ["lost", failureOf({ type: "lost" })],
  ["unreadable", failureOf({ type: "unreadable" })],
  ...[408, 425, 429, 500, 502, 503, 504, 599].map((status): [string, ServiceError] => [
    String(status),
    answered(status),
  ]),
])("%s passes: a warning when it starts, one when it is over", (_, error) => {
  const first = pending(pollAt(1, CREATED, error));
  expect(levels(first)).toEqual(["warning"]);
  const second = pending(pollAt(2, first.state, error));
  expect(levels(second)).toEqual([]);
  const third = pending(pollAt(3, second.state, jobOf("active")));
  expect(levels(third)).toEqual(["warning"]);
  expect(third.state.failing).toBeNull();
});

test.each([
  ["401", answered(401), "unauthorized"],
  ["403", answered(403), "forbidden"],
  ["400", answered(400), "bad-request"],
  ["410", answered(410), "not-found"],
  ["a redirect", answered(302), "invalid-response"],
])("%s ends the wait at once", (_, error, kind) => {
  expect(pollAt(1, CREATED, error)).toMatchObject({ type: "given-up", error: { kind } });
});

test("polling is given up after three failures in a row over five minutes, and only then", () => {
  const step = fc.record({ after: fc.integer({ min: 0, max: 400_000 }), isGood: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let [state, now, since, count] = [CREATED, 0, 0, 0];
      for (const { after, isGood } of steps) {
        now += after;
        count = isGood ? 0 : count + 1;
        if (count === 1) since = now;
        const decision = pollAt(now, state, isGood ? jobOf("active") : answered(500));
        const isOver = count >= 3 && now - since >= 5 * MINUTE;
        expect(decision.type).toBe(isOver ? "given-up" : "pending");
        if (decision.type === "given-up") expect(decision.error.kind).toBe("service-unavailable");
        if (decision.type !== "pending") return;
        ({ state } = decision);
      }
    }),
  );
});

test.each([
  ["created", CREATED],
  ["taken up", TAKEN_UP],
  ["sent a follow-up", pollContinued(jobOf("active"), 0)],
])("a job that was %s is unknown once no poll has found it for two minutes", (_, first) => {
  const missing = pending(pollAt(1_000, first, answered(404)));
  expect(missing.notices).toEqual([["info", expect.stringContaining("does not know it")]]);
  const failed = pending(pollAt(60_000, missing.state, answered(502)));
  const again = pending(pollAt(120_999, failed.state, answered(404)));
  expect(again.notices).toEqual([]);
  const unknown = { type: "given-up", error: { kind: "not-found" } };
  expect(pollAt(121_000, again.state, answered(404))).toMatchObject(unknown);
  const found = pending(pollAt(120_999, again.state, jobOf("active")));
  expect(pollAt(121_000, found.state, answered(404)).type).toBe("pending");
});

// After a follow-up: an end may be the one from before it.

const OLD = jobOf("completed", { prLink: "https://github.com/octo/docs/pull/1" });
const NEW = jobOf("completed", { prLink: "https://github.com/octo/docs/pull/2" });

test("an end that is the same as before does not count, and its status is not logged", () => {
  const state = pollContinued(OLD, 0);
  expect(state.job).toMatchObject({ status: null, prLink: OLD.prLink });
  const first = pending(pollAt(3_000, state, OLD));
  expect(first.notices).toEqual([]);
  expect(first.state.job).toMatchObject({ status: null, prLink: OLD.prLink });
  expect(levels(pollAt(6_000, first.state, OLD))).toEqual([]);
});

test.each([
  ["the record has changed", 3_000, NEW],
  ["2 minutes have passed", 120_000, OLD],
])("an end counts once %s", (_, now, job) => {
  const decision = pollAt(now, pollContinued(OLD, 0), job);
  expect(decision).toMatchObject({ type: "ended", end: { status: "completed" } });
  expect(levels(decision)).toEqual(["info"]);
});

test("an end that counts only because time has passed is no sign of work on the follow-up", () => {
  const waiting = pending(pollAt(1, pollContinued(OLD, 0), OLD)).state;
  expect([isUnseen(waiting, OLD), isUnseen(waiting, NEW)]).toEqual([true, false]);
  expect(isUnseen(CREATED, OLD)).toBe(false);
});

test("an end counts once the job was seen active, by the answer or by a poll", () => {
  expect(pollAt(1, pollContinued({ ...OLD, status: "active" }, 0), OLD).type).toBe("ended");
  const waiting = pending(pollAt(1, pollContinued(OLD, 0), OLD)).state;
  const active = pending(pollAt(2, waiting, jobOf("active"))).state;
  expect(pollAt(3, active, OLD).type).toBe("ended");
});

test("an unknown status in between is not yet a sign of work", () => {
  const queued = pending(pollAt(1, pollContinued(OLD, 0), jobOf("queued"))).state;
  expect(pollAt(2, queued, OLD).type).toBe("pending");
});

test("a poll with more fields than the answer to a follow-up is no change of the record", () => {
  const brief = { ...OLD, record: { id: "job_1" } };
  const first = pending(pollAt(1, pollContinued(brief, 0), OLD));
  expect(pollAt(2, first.state, OLD).type).toBe("pending");
  expect(pollAt(3, first.state, NEW).type).toBe("ended");
});

test("an answer without a status says nothing about the job", () => {
  const state = pollContinued({ ...OLD, status: null }, 0);
  expect(state.job).toBeNull();
  expect(pollAt(1, state, OLD).type).toBe("pending");
});

test("an end that is the same as before does not count after a failed poll either", () => {
  const state = pending(pollAt(1, pollContinued(OLD, 0), OLD)).state;
  const failed = pending(pollAt(2, state, answered(503))).state;
  expect(levels(pollAt(3, failed, OLD))).toEqual(["warning"]);
});
