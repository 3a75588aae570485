import fc from "fast-check";
import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { answered, failureOf } from "../../test/support/job.ts";
import type { Failure, ServiceError } from "../service/errors.ts";
import { NO_TRIES, retryAfterFailure, type Sending, send } from "./send.ts";

type Rules = Parameters<typeof retryAfterFailure>[2];

const RULES: Rules = {
  operation: "create",
  pace: { initial: 1_000, max: 8_000 },
  deadline: Number.POSITIVE_INFINITY,
};
const TO_JOB = { ...RULES, operation: "message" } as const;

const retry = (error: ServiceError, rules = RULES, now = 0, tries = NO_TRIES) =>
  retryAfterFailure(error, tries, rules, now, 0.5);

/** The delays before each further try, until it gives up. */
function delaysOf(error: ServiceError, rules: Rules): number[] {
  const delays: number[] = [];
  let [tries, now] = [NO_TRIES, 0];
  for (let next = retry(error, rules); next !== null && delays.length < 100; ) {
    delays.push(next.after);
    now += next.after;
    tries = next.tries;
    next = retry(error, rules, now, tries);
  }
  return delays;
}

test("a request that starts nothing is sent again whenever that may help", () => {
  const harmless = { ...RULES, operation: "list" } as const;
  for (const error of [failureOf({ type: "lost" }), answered(500), answered(503)]) {
    expect(delaysOf(error, harmless)).toHaveLength(5);
  }
  expect(retry(answered(404), harmless)).toBeNull();
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
  expect(retry(answered(409))).toBeNull();
});

test("a busy job's Retry-After beyond the minute is not waited for", () => {
  expect(retry(answered(409, 59_000), TO_JOB)).toMatchObject({ after: 59_000 });
  expect(retry(answered(409, 61_000), TO_JOB)).toBeNull();
});

test("nothing is tried again past the deadline", () => {
  for (const error of [answered(429, 5_000), failureOf({ type: "unreached" }, 5_000)]) {
    expect(retry(error, { ...RULES, deadline: 5_000 })).not.toBeNull();
    expect(retry(error, { ...RULES, deadline: 4_999 })).toBeNull();
  }
});

test("whatever fails, and however often: only what was not received is sent again", () => {
  const failure: fc.Arbitrary<Failure> = fc.oneof(
    fc
      .constantFrom<Failure["type"]>("unreached", "lost", "unreadable", "redirect")
      .map((type) => ({ type }) as Failure),
    fc.integer({ min: 400, max: 599 }).map((status): Failure => ({ type: "status", status })),
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
          { ...RULES, deadline, operation: isToJob ? "message" : "create" },
          now,
        );
        if (next === null) return;
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

function sendingOf(answers: (Error | string)[], more: Partial<Sending<string>> = {}) {
  const requests: { limit: number }[] = [];
  const slept: number[] = [];
  let now = 0;
  const sleep = async (milliseconds: number) => {
    slept.push(milliseconds);
    now += milliseconds;
  };
  const dependencies = dependenciesOf({ clock: { now: () => now, timeOfDay: () => now, sleep } });
  const { cancellation } = dependencies;
  const sending: Sending<string> = {
    send: async ({ limit = 0 }) => {
      requests.push({ limit });
      const answer = answers[Math.min(requests.length, answers.length) - 1];
      if (typeof answer === "string") return answer;
      throw answer;
    },
    ...{ ...RULES, deadline: 60_000 },
    abandon: cancellation.stop,
    ...more,
  };
  return { sendIt: () => send(sending, dependencies), requests, slept, cancellation };
}

test("a request is accepted once it is, with what is left of the time for each", async () => {
  const answers = [answered(429, 20_000), answered(429, 39_000), "yes"];
  const { sendIt, requests, slept } = sendingOf(answers);
  expect(await sendIt()).toEqual({ type: "accepted", reply: "yes" });
  expect(slept).toEqual([20_000, 39_000]);
  // The last one is given two seconds all the same: cut off, nobody would know what became of it.
  expect(requests).toEqual([{ limit: 60_000 }, { limit: 40_000 }, { limit: 2_000 }]);
});

test("a refusal is explained", async () => {
  const { sendIt, requests } = sendingOf([answered(500)]);
  expect(await sendIt()).toMatchObject({
    type: "refused",
    explained: { kind: "create-uncertain", what: "answered 500." },
  });
  expect(requests).toHaveLength(1);
});

test.each([
  [true, "uncertain"],
  [false, "refused"],
])("stopped while it was under way (sent: %s): %s", async (sent, request) => {
  const { sendIt } = sendingOf([failureOf({ type: "stopped", sent })]);
  expect(await sendIt()).toEqual({ type: "stopped", request });
});

test("stopped before anything was sent, or between two tries: nothing was received", async () => {
  const { sendIt, requests, cancellation } = sendingOf([answered(429, 1)], {
    onRequest: (state) => {
      if (state === "refused") cancellation.cancel();
    },
  });
  expect(await sendIt()).toEqual({ type: "stopped", request: "refused" });
  expect(await sendIt()).toEqual({ type: "stopped", request: "refused" });
  expect(requests).toHaveLength(1);
});

test("what is no answer of the service is thrown", async () => {
  const { sendIt } = sendingOf([new TypeError("a mistake")]);
  await expect(sendIt()).rejects.toThrow(TypeError);
});
