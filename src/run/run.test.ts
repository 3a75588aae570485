import fc from "fast-check";
import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { answered, failureOf, jobOf } from "../../test/support/job.ts";
import { pollContinued, pollExisting } from "../job/poll.ts";
import type { Job } from "../service/agent.ts";
import { type Failure, ServiceError } from "../service/errors.ts";
import { RunReporter, type RunReporterOptions } from "./reporter.ts";
import type { RunParts } from "./resolve-task.ts";
import { start } from "./run.ts";

type Answer = Job | ServiceError;

/** An agent whose answers to creates and to messages are given, and what became of a task. */
async function startWith(
  task: Parameters<typeof start>[0],
  answers: { create?: Answer; message?: Answer },
) {
  const asked: string[] = [];
  const states: string[] = [];
  const notes: string[] = [];
  const answer = async (to: "create" | "message", text: string) => {
    asked.push(`${to}: ${text}`);
    const given = answers[to];
    if (given === undefined) throw new Error(`no ${to} was expected`);
    if (given instanceof ServiceError) throw given;
    return given;
  };
  const parts = {
    agent: {
      send: (id: string | null, prompt: string) =>
        id === null ? answer("create", prompt) : answer("message", `${id} ${prompt}`),
    },
    // Nothing is tried again: that is decided, and tested, elsewhere.
    inputs: { pace: { initial: 1_000, max: 8_000 } },
    deadline: 0,
    reporter: {
      save: ({ jobId, request }: { jobId?: string; request: string }) =>
        states.push(jobId === undefined ? request : `${request} ${jobId}`),
      note: (text: string) => notes.push(text),
    },
    dependencies: dependenciesOf(),
  };
  const started = await start(task, parts as unknown as RunParts);
  return { started, asked, states, notes };
}

const CREATE = { type: "create", prompt: "Explain." } as const;
const FOLLOW_UP = { type: "follow-up", jobId: "job_1", prompt: "More." } as const;
const CONTINUE = { ...FOLLOW_UP, type: "continue" } as const;

test("a job that is created is known by the id that the service gave it", async () => {
  const job = jobOf("active", { id: "job_7" });
  const { started, asked } = await startWith(CREATE, { create: job });
  expect(started).toMatchObject({ id: "job_7", job });
  expect(asked).toEqual(["create: Explain."]);
});

test.each([FOLLOW_UP, CONTINUE])(
  "a message that is taken goes on with its job: $type",
  async (task) => {
    const { started, asked, notes } = await startWith(task, { message: jobOf("active") });
    expect(started).toMatchObject({ id: "job_1", polls: 0 });
    expect(asked).toEqual(["message: job_1 More."]);
    expect(notes).toEqual([]);
  },
);

test.each([
  [400, "did not accept another message"],
  [404, "is no longer known to the service"],
  [409, "was still busy with the previous request"],
  [410, "is no longer known to the service"],
])("a conversation's job that answers %i is replaced by a new one: %s", async (status, why) => {
  const answers = { message: answered(status), create: jobOf("active", { id: "job_2" }) };
  const { started, asked, states, notes } = await startWith(CONTINUE, answers);
  expect(started).toMatchObject({ id: "job_2", polls: 0 });
  expect(asked).toEqual(["message: job_1 More.", "create: More."]);
  expect(states).toEqual(["refused job_1", "uncertain", "refused ", "uncertain"]);
  expect(notes).toEqual([`The job of this conversation ${why}, so a new job was started.`]);
  // Whoever asked for this very job gets no other one.
  const followed = await startWith(FOLLOW_UP, answers);
  expect(followed.asked).toEqual(["message: job_1 More."]);
  expect(followed.started).toMatchObject({ type: "error", request: "refused" });
});

test("whatever the service answers: a job is started for certain, for certain not, or that is said", async () => {
  const failure: fc.Arbitrary<Failure> = fc.oneof(
    fc.constantFrom<Failure>({ type: "unreached" }, { type: "lost" }, { type: "unreadable" }),
    fc.integer({ min: 300, max: 599 }).map((status): Failure => ({ type: "status", status })),
  );
  await fc.assert(
    fc.asyncProperty(failure, fc.constantFrom(CREATE, FOLLOW_UP, CONTINUE), async (it, task) => {
      const error = failureOf(it);
      const { started, states } = await startWith(task, { create: error, message: error });
      if (!("type" in started) || started.type !== "error") throw new Error("accepted");
      const { request, error: told } = started;
      const isCertain =
        it.type === "unreached" ||
        (it.type === "status" && it.status < 500 && ![408, 425].includes(it.status));
      expect(request).toBe(isCertain ? "refused" : "uncertain");
      expect(told.kind === "create-uncertain").toBe(!isCertain && it.type !== "unreadable");
      expect(states[1]).toBe("uncertain");
    }),
  );
});

test.each([
  ["without a status", "", true],
  ["with a status that may be the old one", "completed", true],
  ["with a status that is unknown", "queued", true],
  ["by a job that is at work", "active", false],
])(
  "a follow-up that was answered %s: the post step knows whether an end may be old",
  (_, status, mayBeOld) => {
    const dependencies = dependenciesOf();
    const feedback = { place: null, reactionTarget: null };
    const settings = { policy: { wait: true, timeout: 0 }, feedback, step: {}, phrase: null };
    const patience = { withoutEnd: () => {} };
    const options = { settings, context: {}, patience, dependencies };
    const reporter = new RunReporter(options as unknown as RunReporterOptions);
    reporter.running(pollContinued(jobOf(status), 0));
    const oldEndSince = mayBeOld ? dependencies.clock.timeOfDay() : null;
    expect(dependencies.outputs.states.at(-1)).toMatchObject({ request: "accepted", oldEndSince });
    reporter.polled(pollExisting("job_1"));
    expect(dependencies.outputs.states.at(-1)).toMatchObject({ oldEndSince: null });
  },
);
