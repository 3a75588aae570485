import fc from "fast-check";
import { expect, test } from "vitest";
import { answered, failureOf } from "../../test/support/job.ts";
import type { Failure, ServiceError } from "../service/errors.ts";
import { CREATE, MESSAGE, POLL } from "./failures.ts";
import { decideRetry, NOTHING_FAILED, type RetryRules } from "./retry.ts";

const RULES: RetryRules = {
  operation: CREATE,
  pace: { initial: 1_000, max: 8_000 },
  deadline: Number.POSITIVE_INFINITY,
};
const TO_JOB: RetryRules = { ...RULES, operation: MESSAGE };

/** The delay after the first failure; null if the request is not repeated. */
const retry = (error: ServiceError, rules = RULES, now = 0) =>
  decideRetry(NOTHING_FAILED, error, rules, now, 0.5)?.delay ?? null;

/** The delays before each further try, until it gives up. */
function delaysOf(error: ServiceError, rules: RetryRules): number[] {
  const delays: number[] = [];
  let failures = NOTHING_FAILED;
  for (let now = 0; delays.length < 100; ) {
    const next = decideRetry(failures, error, rules, now, 0.5);
    if (next === null) break;
    ({ failures } = next);
    delays.push(next.delay);
    now += next.delay;
  }
  return delays;
}

const UNREACHED = failureOf({ type: "unreached" });
const REPEATABLE: RetryRules = { ...RULES, operation: { ...POLL, isRepeatable: true } };
const FIVE_TIMES = [1_000, 1_500, 2_250, 3_375, 5_062.5];

test.each([
  ["proof that no connection was made", UNREACHED, RULES, FIVE_TIMES],
  ["a 503 that names a time", answered(503, 0), RULES, FIVE_TIMES],
  ["a lost answer to a repeatable request", failureOf({ type: "lost" }), REPEATABLE, FIVE_TIMES],
  ["500 to a repeatable request", answered(500), REPEATABLE, FIVE_TIMES],
  ["404 to a repeatable request", answered(404), REPEATABLE, []],
  [
    "429 without Retry-After",
    answered(429),
    { ...RULES, deadline: 400_000 },
    [5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000, 60_000, 60_000],
  ],
  ["a job that is busy", answered(409), TO_JOB, [5_000, ...Array(6).fill(8_000)]],
  [
    "a job that is busy, for a run that waits",
    answered(409),
    {
      ...TO_JOB,
      deadline: 100_000,
      busyLimit: Number.POSITIVE_INFINITY,
      pace: { initial: 3_000, max: 15_000 },
    },
    [5_000, 10_000, ...Array(5).fill(15_000)],
  ],
  ["409 to a create request", answered(409), RULES, []],
])("%s: the delays before further tries", (_, error, rules, delays) => {
  expect(delaysOf(error, rules)).toEqual(delays);
});

test.each([
  ["503, longer than the backoff", answered(503, 60_000), RULES, 60_000],
  ["503, shorter than the backoff", answered(503, 10), RULES, 1_000],
  ["429", answered(429, 90_000), RULES, 90_000],
  ["429, none at all", answered(429, 0), RULES, 5_000],
  ["409 of a job", answered(409, 59_000), TO_JOB, 59_000],
  ["409 of a job, beyond a minute", answered(409, 61_000), TO_JOB, null],
])("Retry-After with %s", (_, error, rules, after) => {
  expect(retry(error, rules)).toBe(after);
});

test("nothing is tried again past the deadline", () => {
  for (const error of [answered(429, 5_000), failureOf({ type: "unreached" }, 5_000)]) {
    expect(retry(error, { ...RULES, deadline: 5_000 })).not.toBeNull();
    expect(retry(error, { ...RULES, deadline: 4_999 })).toBeNull();
  }
});

test("after any failures, only a request that was not received is sent again", () => {
  const failure: fc.Arbitrary<Failure> = fc.oneof(
    fc
      .constantFrom<Failure["type"]>("unreached", "lost", "unreadable")
      .map((type) => ({ type }) as Failure),
    fc
      .integer({ min: 300, max: 599 })
      .map((status): Failure => ({ type: "status", status, body: "error" })),
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
        const next = retry(
          failureOf(it, retryAfter),
          { ...RULES, deadline, operation: isToJob ? MESSAGE : CREATE },
          now,
        );
        if (next === null) return;
        expect(next).toBeGreaterThan(0);
        expect(now + next).toBeLessThanOrEqual(deadline);
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
