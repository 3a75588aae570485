import { expect, test } from "vitest";
import { answered, failureOf } from "../../test/support/job.ts";
import type { Clock } from "../runtime/clock.ts";
import { ActionError } from "../runtime/errors.ts";
import type { ServiceError } from "../service/errors.ts";
import { type Sending, send } from "./send.ts";

/** A clock that moves when it is slept on. */
function clockOf(): Clock & { slept: number[] } {
  let now = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    timeOfDay: () => now,
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      now += milliseconds;
    },
  };
}

function sendingOf(answers: (ServiceError | string)[], more: Partial<Sending<string>> = {}) {
  const requests: { limit: number }[] = [];
  const clock = clockOf();
  const sending: Sending<string> = {
    send: async ({ limit = 0 }) => {
      requests.push({ limit });
      const answer = answers[Math.min(requests.length, answers.length) - 1];
      if (typeof answer === "string") return answer;
      throw answer;
    },
    explain: (error) => new ActionError("internal", error.message),
    rules: { pace: { initial: 1_000, max: 8_000 }, deadline: 60_000 },
    ...{ clock, random: () => 0.5, onRetry: () => {} },
    stop: new AbortController().signal,
    abandon: new AbortController().signal,
    ...more,
  };
  return { sending, requests, clock };
}

test("a request is accepted once it is, with what is left of the time for each", async () => {
  const { sending, requests, clock } = sendingOf([
    answered(429, 20_000),
    answered(429, 39_000),
    "yes",
  ]);
  expect(await send(sending)).toEqual({ type: "accepted", reply: "yes" });
  expect(clock.slept).toEqual([20_000, 39_000]);
  // The last one is given two seconds all the same: cut off, nobody would know what became of it.
  expect(requests).toEqual([{ limit: 60_000 }, { limit: 40_000 }, { limit: 2_000 }]);
});

test("a refusal is explained", async () => {
  const { sending, requests } = sendingOf([answered(500)]);
  const sent = await send(sending);
  expect(sent).toMatchObject({ type: "refused", explained: { message: "answered 500" } });
  expect(requests).toHaveLength(1);
});

test.each([true, false])("stopped while it was under way: sent is %s", async (sent) => {
  const { sending } = sendingOf([failureOf({ type: "stopped", sent })]);
  expect(await send(sending)).toEqual({ type: "stopped", uncertain: sent });
});

test("stopped before anything was sent, or between two tries: nothing was received", async () => {
  const stop = new AbortController();
  const { sending, requests } = sendingOf([answered(429, 1)], {
    stop: stop.signal,
    onRetry: () => stop.abort(),
  });
  expect(await send(sending)).toEqual({ type: "stopped", uncertain: false });
  expect(await send(sending)).toEqual({ type: "stopped", uncertain: false });
  expect(requests).toHaveLength(1);
});

test("what is no answer of the service is thrown", async () => {
  const { sending } = sendingOf([], {
    send: async () => {
      throw new TypeError("a mistake");
    },
  });
  await expect(send(sending)).rejects.toThrow(TypeError);
});
