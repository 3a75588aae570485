import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { answered, failureOf, jobOf, replyOf } from "../../test/support/job.ts";
import { notSent } from "../runtime/delivery.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Job, PolledJob } from "../service/agent.ts";
import { type Failure, ServiceError } from "../service/errors.ts";
import { CREATE, POLL } from "./failures.ts";
import { deliver, errorOf, type Sending, send } from "./send.ts";

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
    operation: CREATE,
    pace: { initial: 1_000, max: 8_000 },
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
    type: "uncertain",
    explained: { kind: "create-uncertain", problem: "answered 500." },
  });
  expect(requests).toHaveLength(1);
});

test.each([
  [true, "uncertain"],
  [false, "refused"],
])("stopped while it was under way (sent: %s): %s", async (sent, type) => {
  const { sendIt } = sendingOf([failureOf({ type: "stopped", sent })]);
  expect(await sendIt()).toMatchObject({ type, explained: { kind: "cancelled" } });
});

test("stopped before anything was sent, or between two tries: nothing was received", async () => {
  const { sendIt, requests, cancellation } = sendingOf([answered(429, 1)], {
    onRequest: (state) => {
      if (state === "refused") cancellation.cancel();
    },
  });
  const stopped = { type: "refused", explained: { kind: "cancelled" } };
  expect(await sendIt()).toMatchObject(stopped);
  expect(await sendIt()).toMatchObject(stopped);
  expect(requests).toHaveLength(1);
});

test("an error that is not the service's is thrown", async () => {
  const { sendIt } = sendingOf([new TypeError("a mistake")]);
  await expect(sendIt()).rejects.toThrow(TypeError);
});

test("an error counts only where a request has failed", () => {
  const error = { kind: "forbidden", problem: "It may not.", advice: "Ask." } as const;
  const failed = errorOf({ type: "refused", by: "key", error });
  expect(failed).toMatchObject({ ...error, message: "It may not. Ask." });
  expect(failed).toBeInstanceOf(ActionError);
  expect(errorOf(notSent("unreached", error))).toMatchObject(error);
  expect(errorOf({ type: "accepted", value: "job" })).toBeNull();
  expect(errorOf({ type: "limited" })).toBeNull();
  expect(errorOf(notSent("cancelled"))).toBeNull();
  expect(errorOf(null)).toBeNull();
});

/** A delivery to a job, or to a new one; the agent gives this answer. */
async function deliveryOf(
  jobId: string | null,
  answer: Job | ServiceError,
  poll: PolledJob | ServiceError = answered(404),
) {
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
  const get = async () => {
    if (poll instanceof ServiceError) throw poll;
    return replyOf(poll);
  };
  const delivery = await deliver({ send, get }, jobId, "Explain.", "Look.", dependencies);
  return { delivery, requests, took: now };
}

const page = (code: number): Failure => ({ type: "status", status: code, body: "page" });
const CREDITS: Failure = { type: "status", status: 429, body: "credits" };
const status = (code: number): Failure => ({ type: "status", status: code, body: "error" });

test.each<[string | null, Failure, object]>([
  [null, status(400), { type: "refused", by: "content", error: { kind: "bad-request" } }],
  [null, status(413), { type: "refused", by: "content", error: { kind: "bad-request" } }],
  [null, status(422), { type: "refused", by: "content", error: { kind: "bad-request" } }],
  ["job_1", status(413), { type: "refused", by: "job", error: { kind: "bad-request" } }],
  ["job_1", status(422), { type: "refused", by: "job", error: { kind: "bad-request" } }],
  [null, page(400), { type: "refused", by: "content", error: { kind: "bad-request" } }],
  [null, page(401), { type: "refused", by: "content", error: { kind: "bad-request" } }],
  [null, page(403), { type: "refused", by: "content", error: { kind: "bad-request" } }],
  [null, page(404), { type: "refused", by: "content", error: { kind: "bad-request" } }],
  ["job_1", page(403), { type: "refused", by: "content", error: { kind: "bad-request" } }],
  [null, status(402), { type: "refused", by: "credits", error: { kind: "out-of-credits" } }],
  [null, page(402), { type: "refused", by: "credits", error: { kind: "out-of-credits" } }],
  [null, CREDITS, { type: "refused", by: "credits", error: { kind: "out-of-credits" } }],
  ["job_1", CREDITS, { type: "refused", by: "credits", error: { kind: "out-of-credits" } }],
  [null, page(429), { type: "limited" }],
  ["job_1", status(400), { type: "refused", by: "job", error: { kind: "bad-request" } }],
  ["job_1", status(404), { type: "refused", by: "job", error: { kind: "not-found" } }],
  ["job_1", status(410), { type: "refused", by: "job", error: { kind: "not-found" } }],
  [null, status(401), { type: "refused", by: "key", error: { kind: "unauthorized" } }],
  ["job_1", status(401), { type: "refused", by: "key", error: { kind: "unauthorized" } }],
  [null, status(403), { type: "refused", by: "key", error: { kind: "forbidden" } }],
  ["job_1", status(403), { type: "refused", by: "key", error: { kind: "forbidden" } }],
  [null, status(404), { type: "refused", by: "key", error: { kind: "not-found" } }],
  [null, status(410), { type: "refused", by: "key", error: { kind: "not-found" } }],
  [null, status(429), { type: "limited" }],
  ["job_1", status(429), { type: "limited" }],
  ["job_1", status(409), { type: "busy" }],
  [null, status(409), { type: "not-sent", code: "unreached", error: { kind: "bad-request" } }],
  [null, status(302), { type: "not-sent", code: "unreached", error: { kind: "invalid-response" } }],
  [
    null,
    { type: "unreached" },
    { type: "not-sent", code: "unreached", error: { kind: "service-unavailable" } },
  ],
  [
    "job_1",
    { type: "unreached" },
    { type: "not-sent", code: "unreached", error: { kind: "service-unavailable" } },
  ],
  [
    null,
    { type: "stopped", sent: false },
    { type: "not-sent", code: "unreached", error: { kind: "cancelled" } },
  ],
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

test.each<[string, PolledJob | ServiceError, object]>([
  ["unknown, too", answered(404), { type: "refused", by: "job" }],
  ["gone, too", answered(410), { type: "refused", by: "job" }],
  ["archived", jobOf("archived"), { type: "refused", by: "job" }],
  ["completed", jobOf("completed"), { type: "busy" }],
  ["at work", jobOf("active"), { type: "busy" }],
  ["unread", answered(503), { type: "busy" }],
  ["a page", failureOf(page(404)), { type: "busy" }],
])("a message to a job that is unknown for it, and in a poll %s: %j", async (_, poll, expected) => {
  expect((await deliveryOf("job_1", answered(404), poll)).delivery).toMatchObject(expected);
});

test.each([null, "job_1"])("without waiting, to %j: accepted with the job", async (id) => {
  const job = jobOf("active");
  expect((await deliveryOf(id, job)).delivery).toEqual({ type: "accepted", value: job });
});

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
