import fc from "fast-check";
import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { answered, failureOf, jobOf } from "../../test/support/job.ts";
import type { JobTask } from "../job/send.ts";
import type { Job } from "../service/agent.ts";
import { type Failure, ServiceError } from "../service/errors.ts";
import type { SavedRun } from "./reporter.ts";
import { askedBy, beginningText, messageObstacle, pollTakenUp, start } from "./root.ts";

type Answer = Job | ServiceError;

/**
 * Starts a task with an agent that gives these answers.
 *
 * @returns the result, the requests, the saved states and the notes
 */
async function startWith(
  task: Parameters<typeof start>[0],
  answers: { create?: Answer; message?: Answer },
) {
  const requests: string[] = [];
  const states: string[] = [];
  const notes: string[] = [];
  const answer = async (to: "create" | "message", text: string) => {
    requests.push(`${to}: ${text}`);
    const next = answers[to];
    if (next === undefined) throw new Error(`no ${to} was expected`);
    if (next instanceof ServiceError) throw next;
    return next;
  };
  const parts = {
    agent: {
      send: (id: string | null, prompt: string) =>
        id === null ? answer("create", prompt) : answer("message", `${id} ${prompt}`),
      get: async () => {
        throw answered(404);
      },
    },
    // Nothing is repeated: job/send.ts decides that.
    inputs: { pace: { initial: 1_000, max: 8_000 }, policy: { wait: true } },
    deadline: 0,
    reporter: {
      save: ({ progress }: Partial<SavedRun>) => {
        if (progress) states.push(progress.request + (progress.jobId ? ` ${progress.jobId}` : ""));
      },
      note: (text: string) => void notes.push(text),
    },
    dependencies: dependenciesOf(),
  };
  const started = await start(task, parts);
  return { started, requests, states, notes };
}

const CREATE = { type: "create", prompt: "Explain." } as const;
const FOLLOW_UP = { type: "follow-up", jobId: "job_1", prompt: "More." } as const;
const CONTINUE = { ...FOLLOW_UP, type: "continue" } as const;

test("a job that is created has the ID of the service's answer", async () => {
  const job = jobOf("active", { id: "job_7" });
  const { started, requests } = await startWith(CREATE, { create: job });
  expect(started).toMatchObject({ id: "job_7", job });
  expect(requests).toEqual(["create: Explain."]);
});

test.each([FOLLOW_UP, CONTINUE])(
  "a message that is accepted continues its job: $type",
  async (task) => {
    const { started, requests, notes } = await startWith(task, { message: jobOf("active") });
    expect(started).toMatchObject({ id: "job_1", polls: 0 });
    expect(requests).toEqual(["message: job_1 More."]);
    expect(notes).toEqual([]);
  },
);

test.each([
  [400, "did not accept another message"],
  [404, "is no longer known to the service"],
  [410, "is no longer known to the service"],
])("a conversation's job that answers %i is replaced by a new one: %s", async (status, why) => {
  const answers = { message: answered(status), create: jobOf("active", { id: "job_2" }) };
  const { started, requests, states, notes } = await startWith(CONTINUE, answers);
  expect(started).toMatchObject({ id: "job_2", polls: 0 });
  expect(requests).toEqual(["message: job_1 More.", "create: More."]);
  expect(states).toEqual(["refused job_1", "uncertain job_1", "refused", "uncertain"]);
  expect(notes).toEqual([`The job of this conversation ${why}, so a new job was started.`]);
  // A follow-up to a job that the workflow names never starts another one.
  const followed = await startWith(FOLLOW_UP, answers);
  expect(followed.requests).toEqual(["message: job_1 More."]);
  expect(followed.started).toMatchObject({ type: "error", request: "refused" });
});

test("after any failure, the request is refused or uncertain, and the error says which", async () => {
  const failures: fc.Arbitrary<Failure> = fc.oneof(
    fc.constantFrom<Failure>({ type: "unreached" }, { type: "lost" }, { type: "unreadable" }),
    fc
      .integer({ min: 300, max: 599 })
      .map((status): Failure => ({ type: "status", status, body: "error" })),
  );
  await fc.assert(
    fc.asyncProperty(
      failures,
      fc.constantFrom(CREATE, FOLLOW_UP, CONTINUE),
      async (failure, task) => {
        const error = failureOf(failure);
        const { started, states } = await startWith(task, { create: error, message: error });
        if (!("type" in started) || started.type !== "error") throw new Error("accepted");
        const { request, error: reported } = started;
        const isCertain =
          failure.type === "unreached" ||
          (failure.type === "status" &&
            failure.status < 500 &&
            ![408, 425].includes(failure.status));
        expect(request).toBe(isCertain ? "refused" : "uncertain");
        expect(reported.kind === "create-uncertain").toBe(
          !isCertain && failure.type !== "unreadable",
        );
        expect(states[1]).toMatch(/^uncertain/);
      },
    ),
  );
});

test.each<[Failure, string | null]>([
  [answered(400).failure, "did not accept another message"],
  [answered(404).failure, "is no longer known to the service"],
  [answered(409).failure, null],
  [answered(410).failure, "is no longer known to the service"],
  [answered(413).failure, "did not accept another message"],
  [answered(422).failure, "did not accept another message"],
  [{ type: "status", status: 422, body: "page" }, null],
  [answered(401).failure, null],
  [answered(429).failure, null],
  [answered(500).failure, null],
  [{ type: "unreached" }, null],
  [{ type: "lost" }, null],
  [{ type: "unreadable" }, null],
])("after %j, the obstacle to a message is %s", (failure, obstacle) => {
  expect(messageObstacle(failure)).toBe(obstacle);
});

test.each<[JobTask, [string | null, string | null]]>([
  [CREATE, ["Explain.", null]],
  [FOLLOW_UP, ["More.", "job_1"]],
  [CONTINUE, ["More.", "job_1"]],
  [{ type: "take-up", jobId: "job_1", oldEndSince: null }, [null, "job_1"]],
])("the task %j asks for %j, by which its comments are recognised", (task, asked) => {
  expect(askedBy(task)).toEqual(asked);
});

test.each([
  ["create", null, "Started job job_1."],
  ["create", jobOf("active"), "Started job job_1. It is active."],
  ["follow-up", jobOf(null), "Sent a follow-up to job job_1."],
  ["continue", jobOf("active"), "Sent a follow-up to job job_1. It is active."],
  ["take-up", null, "Waiting for job job_1."],
] as const)("the log line of a task %s", (type, job, expected) => {
  expect(beginningText(type, "job_1", job)).toBe(expected);
});

test.each([
  ["no message", null, null],
  ["a message a minute ago", 940_000, { since: 440_000, record: null }],
  ["a message two minutes ago", 880_000, null],
  ["a message of a clock that is ahead", 1_005_000, { since: 500_000, record: null }],
])("after %s, the end of a job that is taken up may be old", (_, oldEndSince, stale) => {
  const clock = { now: () => 500_000, timeOfDay: () => 1_000_000 };
  const task = { type: "take-up", jobId: "job_1", oldEndSince } as const;
  expect(pollTakenUp(task, clock)).toMatchObject({ id: "job_1", job: null, stale });
});
