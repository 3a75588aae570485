import fc from "fast-check";
import { expect, test } from "vitest";
import { answered, failureOf, jobOf } from "../../test/support/job.ts";
import { Cancellation } from "../runtime/cancellation.ts";
import type { Clock } from "../runtime/clock.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Agent, Job } from "../service/agent.ts";
import { type Failure, ServiceError } from "../service/errors.ts";
import { type Sending, type StartOptions, send, start } from "./send.ts";
import type { JobTask, WhyNewJob } from "./task.ts";

const ignore = () => {};
const QUIET = { debug: ignore, info: ignore, notice: ignore, warning: ignore, error: ignore };

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
  const cancellation = new Cancellation();
  const sending: Sending<string> = {
    send: async ({ limit = 0 }) => {
      requests.push({ limit });
      const answer = answers[Math.min(requests.length, answers.length) - 1];
      if (typeof answer === "string") return answer;
      throw answer;
    },
    explain: (error) => new ActionError("internal", error.message),
    rules: { pace: { initial: 1_000, max: 8_000 }, deadline: 60_000 },
    abandon: cancellation.stop,
    ...more,
  };
  const sendIt = () => send(sending, { clock, random: () => 0.5, log: QUIET, cancellation });
  return { sendIt, requests, clock, cancellation };
}

test("a request is accepted once it is, with what is left of the time for each", async () => {
  const answers = [answered(429, 20_000), answered(429, 39_000), "yes"];
  const { sendIt, requests, clock } = sendingOf(answers);
  expect(await sendIt()).toEqual({ type: "accepted", reply: "yes" });
  expect(clock.slept).toEqual([20_000, 39_000]);
  // The last one is given two seconds all the same: cut off, nobody would know what became of it.
  expect(requests).toEqual([{ limit: 60_000 }, { limit: 40_000 }, { limit: 2_000 }]);
});

test("a refusal is explained", async () => {
  const { sendIt, requests } = sendingOf([answered(500)]);
  expect(await sendIt()).toMatchObject({
    type: "refused",
    explained: { message: "answered 500" },
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
  const { sendIt } = sendingOf([], {
    send: async () => {
      throw new TypeError("a mistake");
    },
  });
  await expect(sendIt()).rejects.toThrow(TypeError);
});

type Answer = Job | ServiceError;

/** An agent whose answers to creates and to messages are given, and what became of a task. */
async function startWith(task: JobTask, answers: { create?: Answer; message?: Answer }) {
  const asked: string[] = [];
  const states: string[] = [];
  const newJobs: WhyNewJob[] = [];
  const answer = async (to: "create" | "message", text: string) => {
    asked.push(`${to}: ${text}`);
    const given = answers[to];
    if (given === undefined) throw new Error(`no ${to} was expected`);
    if (given instanceof ServiceError) throw given;
    return { job: given, retryAfter: undefined };
  };
  const agent = {
    version: "v2",
    create: (prompt) => answer("create", prompt),
    message: (id, prompt) => answer("message", `${id} ${prompt}`),
  } as Agent;
  const options: StartOptions = {
    agent,
    // Nothing is tried again: that is decided, and tested, elsewhere.
    rules: { pace: { initial: 1_000, max: 8_000 }, deadline: 0 },
    onRequest: (state) => states.push(state),
    onNewJob: (why) => newJobs.push(why),
  };
  const dependencies = { clock: clockOf(), random: () => 0.5, log: QUIET };
  const cancellation = new Cancellation();
  const started = await start(task, options, { ...dependencies, cancellation });
  return { started, asked, states, newJobs };
}

const CREATE: JobTask = { type: "create", prompt: "Explain." };
const FOLLOW_UP: JobTask = { type: "follow-up", jobId: "job_1", prompt: "More." };
const CONTINUE: JobTask = { ...FOLLOW_UP, type: "continue" };

test("a job that is created is known by the id that the service gave it", async () => {
  const job = jobOf("active", { id: "job_7" });
  const { started, asked } = await startWith(CREATE, { create: job });
  expect(started).toMatchObject({ type: "running", running: { id: "job_7", state: { job } } });
  expect(asked).toEqual(["create: Explain."]);
});

test.each([FOLLOW_UP, CONTINUE])(
  "a message that is taken goes on with its job: $type",
  async (task) => {
    const { started, asked, newJobs } = await startWith(task, { message: jobOf("active") });
    expect(started).toMatchObject({ type: "running", running: { id: "job_1" } });
    expect(asked).toEqual(["message: job_1 More."]);
    expect(newJobs).toEqual([]);
  },
);

test("a job that is taken up is asked nothing", async () => {
  const { started, asked, states } = await startWith({ type: "take-up", jobId: "job_1" }, {});
  expect(started).toMatchObject({
    type: "running",
    running: { id: "job_1", state: { job: null } },
  });
  expect([asked, states]).toEqual([[], []]);
});

test.each<[number, WhyNewJob]>([
  [400, "not-taken"],
  [404, "unknown"],
  [409, "busy"],
  [410, "unknown"],
])("a conversation's job that answers %i is replaced by a new one: %s", async (status, why) => {
  const answers = { message: answered(status), create: jobOf("active", { id: "job_2" }) };
  const { started, asked, newJobs } = await startWith(CONTINUE, answers);
  expect(started).toMatchObject({ type: "running", running: { id: "job_2" } });
  expect(asked).toEqual(["message: job_1 More.", "create: More."]);
  expect(newJobs).toEqual([why]);
  // Whoever asked for this very job gets no other one.
  const followed = await startWith(FOLLOW_UP, answers);
  expect(followed.asked).toEqual(["message: job_1 More."]);
  expect(followed.started).toMatchObject({ outcome: { type: "error", request: "refused" } });
});

const OPEN: [string, ServiceError][] = [
  ["a lost answer", failureOf({ type: "lost" })],
  ["an answer that cannot be read", failureOf({ type: "unreadable" })],
  ["a 500", answered(500)],
];

test.each(OPEN)("%s leaves open whether something was started", async (_, error) => {
  for (const task of [CREATE, FOLLOW_UP, CONTINUE]) {
    const { started, asked } = await startWith(task, { create: error, message: error });
    const id = task === CREATE ? "" : "job_1";
    expect(started).toMatchObject({ outcome: { type: "error", id, request: "uncertain" } });
    expect(asked).toHaveLength(1);
  }
});

test("whatever the service answers: a job is started for certain, for certain not, or that is said", async () => {
  const failure: fc.Arbitrary<Failure> = fc.oneof(
    fc.constantFrom<Failure>({ type: "unreached" }, { type: "lost" }, { type: "unreadable" }),
    fc.constantFrom<Failure>({ type: "redirect", status: 308, location: "" }),
    fc
      .integer({ min: 400, max: 599 })
      .map((status): Failure => ({ type: "status", status, message: "" })),
  );
  await fc.assert(
    fc.asyncProperty(failure, fc.constantFrom(CREATE, FOLLOW_UP, CONTINUE), async (it, task) => {
      const error = failureOf(it);
      const { started, states } = await startWith(task, { create: error, message: error });
      if (started.type !== "over" || started.outcome.type !== "error") throw new Error("accepted");
      const { request, error: told } = started.outcome;
      const isCertain =
        ["unreached", "redirect"].includes(it.type) ||
        (it.type === "status" && it.status < 500 && ![408, 425].includes(it.status));
      expect(request).toBe(isCertain ? "refused" : "uncertain");
      expect(told.kind === "create-uncertain").toBe(!isCertain && it.type !== "unreadable");
      expect(states[0]).toBe("uncertain");
    }),
  );
});
