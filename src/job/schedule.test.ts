import fc from "fast-check";
import { expect, test } from "vitest";
import { answered, failureOf } from "../../test/support/job.ts";
import type { Failure, ServiceError } from "../service/errors.ts";
import {
  delayBefore,
  NO_TRIES,
  type RetryRules,
  retryAfterFailure,
  type Tries,
} from "./schedule.ts";

const DEFAULTS = { initial: 3_000, max: 15_000 };

test.each([
  [1, 3_000],
  [2, 4_500],
  [3, 6_750],
  [4, 10_125],
  [5, 15_000],
  [6, 15_000],
  [1_000_000, 15_000],
])("with the defaults, poll %i comes %i ms after the one before, give or take a fifth", (n, ms) => {
  expect(delayBefore(n, DEFAULTS, 0.5)).toBeCloseTo(ms);
  expect(delayBefore(n, DEFAULTS, 0)).toBeCloseTo(ms * 0.8);
  expect(delayBefore(n, DEFAULTS, 1)).toBeCloseTo(ms * 1.2);
});

const milliseconds = fc.double({ min: 0.001, max: 1e12, noNaN: true });
const chance = fc.double({ min: 0, max: 1, noNaN: true });
const poll = fc.integer({ min: 1, max: 1_000_000 });

test("no delay is nothing, endless, or longer than the largest and a fifth", () => {
  fc.assert(
    fc.property(poll, milliseconds, milliseconds, chance, (n, initial, max, random) => {
      const delay = delayBefore(n, { initial, max }, random);
      expect(delay).toBeGreaterThan(0);
      expect(delay).toBeLessThanOrEqual(max * 1.2 * (1 + 1e-9));
      expect(delay).toBeGreaterThanOrEqual(Math.min(initial, max) * 0.8 * (1 - 1e-9));
    }),
  );
});

test("a job of ten minutes is polled fewer than fifty times", () => {
  let polls = 0;
  for (let now = 0; now < 600_000; polls += 1) now += delayBefore(polls + 1, DEFAULTS, 0.5);
  expect(polls).toBe(43);
});

const RULES: RetryRules = {
  pace: { initial: 1_000, max: 8_000 },
  deadline: Number.POSITIVE_INFINITY,
};
const TO_JOB = { ...RULES, isToJob: true };

const retry = (error: ServiceError, tries: Partial<Tries> = {}, rules = RULES, now = 0) =>
  retryAfterFailure(error, { ...NO_TRIES, ...tries }, rules, now, 0.5);

/** The delays before each further try, until it gives up. */
function delaysOf(error: ServiceError, rules: RetryRules): number[] {
  const delays: number[] = [];
  let [tries, now] = [NO_TRIES, 0];
  for (let next = retry(error, tries, rules); next.type === "again" && delays.length < 100; ) {
    delays.push(next.after);
    now += next.after;
    tries = next.tries;
    next = retry(error, tries, rules, now);
  }
  return delays;
}

const MAYBE: [string, ServiceError][] = [
  ["a lost answer", failureOf({ type: "lost" })],
  ["an answer that cannot be read", failureOf({ type: "unreadable" })],
  ["a redirect", failureOf({ type: "redirect", status: 307, location: "" })],
  ["a 503 that names no time", answered(503)],
  ...[400, 401, 403, 404, 408, 409, 410, 422, 425, 500, 501, 502, 504].map(
    (status): [string, ServiceError] => [String(status), answered(status)],
  ),
];

test.each(MAYBE)("%s is not sent again: it may have been received, or is refused", (_, error) => {
  expect(retry(error)).toEqual({ type: "give-up" });
});

test.each([
  ["proof that no connection was made", failureOf({ type: "unreached" })],
  ["a 503 that names a time", answered(503, 0)],
])("%s: five times more, with backoff", (_, error) => {
  expect(delaysOf(error, RULES)).toEqual([1_000, 1_500, 2_250, 3_375, 5_062.5]);
});

test("the time that a 503 names is waited, when it is longer than the backoff", () => {
  expect(retry(answered(503, 60_000))).toMatchObject({ after: 60_000 });
  expect(retry(answered(503, 10))).toMatchObject({ after: 1_000 });
});

test("429 without Retry-After: five seconds, doubling to sixty, while the time lasts", () => {
  const rules = { ...RULES, deadline: 400_000 };
  const expected = [5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000, 60_000, 60_000];
  expect(delaysOf(answered(429), rules)).toEqual(expected);
});

test("429 with Retry-After: as it says, and a second at the least", () => {
  expect(retry(answered(429, 90_000))).toMatchObject({ after: 90_000 });
  expect(retry(answered(429, 0))).toMatchObject({ after: 1_000 });
});

test("a job that is busy is asked every five seconds for a minute", () => {
  expect(delaysOf(answered(409), TO_JOB)).toEqual(Array(12).fill(5_000));
});

test("busy is a word for a job: a 409 to a create request is refused", () => {
  expect(retry(answered(409))).toEqual({ type: "give-up" });
});

test("a busy job's Retry-After beyond the minute is not waited for", () => {
  expect(retry(answered(409, 59_000), {}, TO_JOB)).toMatchObject({ after: 59_000 });
  expect(retry(answered(409, 61_000), {}, TO_JOB)).toEqual({ type: "give-up" });
});

test("nothing is tried again past the deadline", () => {
  for (const error of [answered(429, 5_000), failureOf({ type: "unreached" }, 5_000)]) {
    expect(retry(error, {}, { ...RULES, deadline: 5_000 }).type).toBe("again");
    expect(retry(error, {}, { ...RULES, deadline: 4_999 }).type).toBe("give-up");
  }
});

test("whatever fails, and however often: only what was not received is sent again", () => {
  const failure: fc.Arbitrary<Failure> = fc.oneof(
    fc.constantFrom<Failure>({ type: "unreached" }, { type: "lost" }, { type: "unreadable" }),
    fc
      .integer({ min: 400, max: 599 })
      .map((status): Failure => ({ type: "status", status, message: "" })),
  );
  const after = fc.option(fc.integer({ min: 0, max: 1e7 }), { nil: undefined });
  const time = fc.integer({ min: 0, max: 1e7 });
  fc.assert(
    fc.property(
      failure,
      after,
      time,
      time,
      fc.boolean(),
      (it, retryAfter, now, deadline, isToJob) => {
        const next = retry(failureOf(it, retryAfter), {}, { ...RULES, deadline, isToJob }, now);
        if (next.type === "give-up") return;
        expect(next.after).toBeGreaterThan(0);
        expect(now + next.after).toBeLessThanOrEqual(deadline);
        const status = it.type === "status" ? it.status : 0;
        const isRefusedForNow =
          status === 429 ||
          (status === 503 && retryAfter !== undefined) ||
          (status === 409 && isToJob);
        expect(it.type === "unreached" || isRefusedForNow).toBe(true);
      },
    ),
  );
});
