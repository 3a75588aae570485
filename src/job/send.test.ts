import fc from "fast-check";
import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { answered, failureOf, jobOf } from "../../test/support/job.ts";
import type { Job } from "../service/agent.ts";
import { type Failure, ServiceError } from "../service/errors.ts";
import { CREATE, MESSAGE, POLL } from "./failures.ts";
import { deliver, type RetryRules, retries, type Sending, send } from "./send.ts";

const RULES: RetryRules = {
  operation: CREATE,
  pace: { initial: 1_000, max: 8_000 },
  deadline: Number.POSITIVE_INFINITY,
};
const TO_JOB: RetryRules = { ...RULES, operation: MESSAGE };

const retry = (error: ServiceError, rules = RULES, now = 0) => retries(rules)(error, now, 0.5);

/** The delays before each further try, until it gives up. */
function delaysOf(error: ServiceError, rules: RetryRules): number[] {
  const delays: number[] = [];
  const delayAfter = retries(rules);
  for (let now = 0; delays.length < 100; ) {
    const delay = delayAfter(error, now, 0.5);
    if (delay === null) break;
    delays.push(delay);
    now += delay;
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
  ["a job that is busy", answered(409), TO_JOB, Array(12).fill(5_000)],
  ["409 to a create request", answered(409), RULES, []],
])("%s: the delays before further tries", (_, error, rules, delays) => {
  expect(delaysOf(error, rules)).toEqual(delays);
});

test.each([
  ["503, longer than the backoff", answered(503, 60_000), RULES, 60_000],
  ["503, shorter than the backoff", answered(503, 10), RULES, 1_000],
  ["429", answered(429, 90_000), RULES, 90_000],
  ["429, none at all", answered(429, 0), RULES, 1_000],
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

test("whatever fails, and however often: only what was not received is sent again", () => {
  const failure: fc.Arbitrary<Failure> = fc.oneof(
    fc
      .constantFrom<Failure["type"]>("unreached", "lost", "unreadable")
      .map((type) => ({ type }) as Failure),
    fc.integer({ min: 300, max: 599 }).map((status): Failure => ({ type: "status", status })),
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
    ...RULES,
    deadline: 60_000,
    ...more,
  };
  return { sendIt: () => send(sending, dependencies), requests, slept, cancellation };
}

const LIMITED_TWICE = [answered(429, 20_000), answered(429, 39_000), "yes"];

test("a request that starts a job is never cut off at the deadline: only repetitions end there", async () => {
  const { sendIt, requests, slept } = sendingOf(LIMITED_TWICE);
  expect(await sendIt()).toEqual({ type: "accepted", reply: "yes" });
  expect(slept).toEqual([20_000, 39_000]);
  expect(requests).toEqual(Array(3).fill({ limit: Number.POSITIVE_INFINITY }));
});

test("a question has what is left of the time, and two seconds at least", async () => {
  const { sendIt, requests } = sendingOf(LIMITED_TWICE, { operation: POLL });
  expect(await sendIt()).toEqual({ type: "accepted", reply: "yes" });
  expect(requests).toEqual([{ limit: 60_000 }, { limit: 40_000 }, { limit: 2_000 }]);
});

test("a refusal is explained", async () => {
  const { sendIt, requests } = sendingOf([answered(500)]);
  expect(await sendIt()).toMatchObject({
    type: "refused",
    explained: { kind: "create-uncertain", problem: "answered 500." },
  });
  expect(requests).toHaveLength(1);
});

test.each([
  [true, "uncertain"],
  [false, "refused"],
])("stopped while it was under way (sent: %s): %s", async (sent, request) => {
  const { sendIt } = sendingOf([failureOf({ type: "stopped", sent })]);
  expect(await sendIt()).toMatchObject({ request, explained: { kind: "cancelled" } });
});

test("stopped before anything was sent, or between two tries: nothing was received", async () => {
  const { sendIt, requests, cancellation } = sendingOf([answered(429, 1)], {
    onRequest: (state) => {
      if (state === "refused") cancellation.cancel();
    },
  });
  const stopped = { request: "refused", explained: { kind: "cancelled" } };
  expect(await sendIt()).toMatchObject(stopped);
  expect(await sendIt()).toMatchObject(stopped);
  expect(requests).toHaveLength(1);
});

test("what is no answer of the service is thrown", async () => {
  const { sendIt } = sendingOf([new TypeError("a mistake")]);
  await expect(sendIt()).rejects.toThrow(TypeError);
});

/** A delivery to a job, or to a new one; the agent gives this answer. */
async function deliveryOf(jobId: string | null, answer: Job | ServiceError) {
  let requests = 0;
  const send = async () => {
    requests += 1;
    if (answer instanceof ServiceError) throw answer;
    return answer;
  };
  let now = 0;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  const dependencies = dependenciesOf({ clock: { now: () => now, timeOfDay: () => now, sleep } });
  const delivery = await deliver({ send }, jobId, "Explain.", "Look.", dependencies);
  return { delivery, requests, took: now };
}

const status = (code: number): Failure => ({ type: "status", status: code });

test.each<[string | null, Failure, object]>([
  [null, status(400), { type: "refused", by: "content", error: { kind: "bad-request" } }],
  [null, status(413), { type: "refused", by: "content", error: { kind: "bad-request" } }],
  [null, status(422), { type: "refused", by: "content", error: { kind: "bad-request" } }],
  ["job_1", status(413), { type: "refused", by: "content", error: { kind: "bad-request" } }],
  ["job_1", status(422), { type: "refused", by: "content", error: { kind: "bad-request" } }],
  ["job_1", status(400), { type: "refused", by: "job" }],
  ["job_1", status(404), { type: "refused", by: "job" }],
  ["job_1", status(410), { type: "refused", by: "job" }],
  [null, status(401), { type: "refused", by: "key", error: { kind: "unauthorized" } }],
  ["job_1", status(401), { type: "refused", by: "key", error: { kind: "unauthorized" } }],
  [null, status(403), { type: "refused", by: "key", error: { kind: "forbidden" } }],
  ["job_1", status(403), { type: "refused", by: "key", error: { kind: "forbidden" } }],
  [null, status(404), { type: "refused", by: "key", error: { kind: "not-found" } }],
  [null, status(410), { type: "refused", by: "key", error: { kind: "not-found" } }],
  [null, status(429), { type: "limited" }],
  ["job_1", status(429), { type: "limited" }],
  ["job_1", status(409), { type: "busy" }],
  [null, status(409), { type: "withdrawn", error: { kind: "bad-request" } }],
  [null, status(302), { type: "withdrawn", error: { kind: "invalid-response" } }],
  [null, { type: "unreached" }, { type: "withdrawn", error: { kind: "service-unavailable" } }],
  ["job_1", { type: "unreached" }, { type: "withdrawn", error: { kind: "service-unavailable" } }],
  [null, { type: "stopped", sent: false }, { type: "withdrawn", error: { kind: "cancelled" } }],
  [null, { type: "stopped", sent: true }, { type: "uncertain", error: { kind: "cancelled" } }],
  [null, { type: "lost" }, { type: "uncertain", error: { kind: "create-uncertain" } }],
  ["job_1", { type: "lost" }, { type: "uncertain", error: { kind: "create-uncertain" } }],
  [null, { type: "unreadable" }, { type: "uncertain", error: { kind: "invalid-response" } }],
  ["job_1", { type: "unreadable" }, { type: "uncertain", error: { kind: "invalid-response" } }],
  [null, status(500), { type: "uncertain", error: { kind: "create-uncertain" } }],
  ["job_1", status(500), { type: "uncertain", error: { kind: "create-uncertain" } }],
])("without waiting, to %j, after %j: %j", async (jobId, failure, expected) => {
  expect((await deliveryOf(jobId, failureOf(failure))).delivery).toMatchObject(expected);
});

test.each([
  [null, false],
  ["job_1", true],
])(
  "without waiting, to %j: a request that is accepted is a follow-up: %j",
  async (id, isFollowUp) => {
    const job = jobOf("active");
    expect((await deliveryOf(id, job)).delivery).toEqual({ type: "accepted", job, isFollowUp });
  },
);

test("a request that the service may have received says what to do, and why", async () => {
  const { delivery, requests } = await deliveryOf(null, answered(500));
  expect(delivery).toMatchObject({
    reason: "answered 500",
    error: { problem: "answered 500.", advice: expect.stringMatching(/not sent again\. Look\.$/) },
  });
  expect(requests).toBe(1);
});

test("a run that does not wait sends a message once to a job that is busy", async () => {
  const { requests, took } = await deliveryOf("job_1", answered(409));
  expect({ requests, took }).toEqual({ requests: 1, took: 0 });
});
