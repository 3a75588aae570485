import fc from "fast-check";
import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { answered, failureOf, jobOf } from "../../test/support/job.ts";
import type { Agent, Job } from "../service/agent.ts";
import { type Failure, ServiceError } from "../service/errors.ts";
import { type JobTask, type StartOptions, start, type WhyNewJob } from "./start.ts";

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
    onRequest: (state) => void states.push(state),
    onNewJob: (why) => newJobs.push(why),
  };
  const started = await start(task, options, dependenciesOf());
  return { started, asked, states, newJobs };
}

const CREATE: JobTask = { type: "create", prompt: "Explain." };
const FOLLOW_UP: JobTask = { type: "follow-up", jobId: "job_1", prompt: "More." };
const CONTINUE: JobTask = { ...FOLLOW_UP, type: "continue" };

test("a job that is created is known by the id that the service gave it", async () => {
  const job = jobOf("active", { id: "job_7" });
  const { started, asked } = await startWith(CREATE, { create: job });
  expect(started).toMatchObject({ running: { id: "job_7", state: { job } } });
  expect(asked).toEqual(["create: Explain."]);
});

test.each([FOLLOW_UP, CONTINUE])(
  "a message that is taken goes on with its job: $type",
  async (task) => {
    const { started, asked, newJobs } = await startWith(task, { message: jobOf("active") });
    expect(started).toMatchObject({ running: { id: "job_1" } });
    expect(asked).toEqual(["message: job_1 More."]);
    expect(newJobs).toEqual([]);
  },
);

test("a job that is taken up is asked nothing", async () => {
  const { started, asked, states } = await startWith({ type: "take-up", jobId: "job_1" }, {});
  expect(started).toMatchObject({
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
  expect(started).toMatchObject({ running: { id: "job_2" } });
  expect(asked).toEqual(["message: job_1 More.", "create: More."]);
  expect(newJobs).toEqual([why]);
  // Whoever asked for this very job gets no other one.
  const followed = await startWith(FOLLOW_UP, answers);
  expect(followed.asked).toEqual(["message: job_1 More."]);
  expect(followed.started).toMatchObject({ outcome: { type: "error", request: "refused" } });
});

test("whatever the service answers: a job is started for certain, for certain not, or that is said", async () => {
  const failure: fc.Arbitrary<Failure> = fc.oneof(
    fc.constantFrom<Failure>({ type: "unreached" }, { type: "lost" }, { type: "unreadable" }),
    fc.constantFrom<Failure>({ type: "redirect" }),
    fc.integer({ min: 400, max: 599 }).map((status): Failure => ({ type: "status", status })),
  );
  await fc.assert(
    fc.asyncProperty(failure, fc.constantFrom(CREATE, FOLLOW_UP, CONTINUE), async (it, task) => {
      const error = failureOf(it);
      const { started, states } = await startWith(task, { create: error, message: error });
      if (!("outcome" in started) || started.outcome.type !== "error") throw new Error("accepted");
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
