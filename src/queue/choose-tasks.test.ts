import { describe, expect, test } from "vitest";
import { ACTION, FACTS, MOMENT, PORT } from "../../test/support/batch-port.ts";
import { jobOf as recordOf } from "../../test/support/job.ts";
import {
  EMPTY,
  failedBatch,
  group,
  polled,
  revision,
  runningBatch,
  task,
} from "../../test/support/ledger-examples.ts";
import { BatchProgram } from "../batches/batch-program.ts";
import type { Polled, Sent } from "../batches/model/batches.ts";
import type { Ledger } from "../batches/model/ledger.ts";
import { endedMark } from "../batches/model/names.ts";
import type { Delivery } from "../job/send.ts";
import { timeText, unchanged } from "../ledger/file.ts";
import type { BasicResult } from "../ledger/program.ts";
import { ActionError } from "../runtime/errors.ts";
import { chooseTasks, mayStartAnother, sentTask } from "./choose-tasks.ts";
import { TaskList } from "./tasks.ts";
import type { TaskEntry } from "./tasks-file.ts";

const QUEUE: Ledger = { ...EMPTY, action: "queue" };
const LIMITS = { maxRunning: 3, perHour: 50 };
const entriesOf = (...ids: string[]): TaskEntry[] =>
  ids.map((id) => ({ id, prompt: `Do ${id}.`, isPlain: false }));

function choose(ledger: Ledger, ids: string[], limits = LIMITS) {
  const settled = revision(ledger);
  return chooseTasks(settled, new TaskList(settled, entriesOf(...ids)), limits);
}

describe("a queue", () => {
  test("starts tasks in the order of the file, as many as may run", () => {
    const { handOvers, reason } = choose(QUEUE, ["a", "b", "c", "d"]);
    expect(handOvers.map(({ prompt }) => prompt)).toEqual(["Do a.", "Do b.", "Do c."]);
    expect(reason).toBe("idle");
  });

  test("starts no more tasks than the hour's limit has left", () => {
    const starts = [{ batch: "x", at: timeText(revision(QUEUE).now) }];
    const { handOvers } = choose({ ...QUEUE, starts }, ["a", "b", "c"], { ...LIMITS, perHour: 3 });
    expect(handOvers.map(({ prompt }) => prompt)).toEqual(["Do a.", "Do b."]);
  });

  test("starts tasks first that were started before", () => {
    const again = group(1, { changes: [task("c")], attempts: 1, source: null });
    const { handOvers } = choose({ ...QUEUE, waiting: [again] }, ["a", "b", "c"]);
    expect(handOvers.map(({ prompt, attempt }) => [prompt, attempt])).toEqual([
      ["Do c.", 2],
      ["Do a.", 1],
      ["Do b.", 1],
    ]);
  });

  test("drops tasks that left the file, if they were not started", () => {
    const gone = group(1, { changes: [task("gone")], attempts: 1, source: null });
    const running = runningBatch("b", [task("running")]);
    const { revision: after } = choose({ ...QUEUE, waiting: [gone], batches: [running] }, []);
    expect(after.ledger).toMatchObject({ waiting: [], batches: [{ id: "b" }] });
    expect(after.events).toEqual(["Drop tasks that were removed from the file"]);
  });

  const starts = [{ batch: "x", at: timeText(revision(QUEUE).now) }];
  test.each<[string, Ledger, string[], Partial<typeof LIMITS>, string]>([
    ["nothing waits", { ...QUEUE, ended: [endedMark("a")] }, ["a"], {}, "idle"],
    [
      "as many run as may",
      { ...QUEUE, batches: [runningBatch("b", [task("b")])] },
      ["a"],
      { maxRunning: 1 },
      "busy",
    ],
    ["the hour's limit is reached", { ...QUEUE, starts }, ["a"], { perHour: 1 }, "limited"],
    [
      "all but a task that needs a decision are done",
      { ...QUEUE, ended: [endedMark("a")], batches: [failedBatch("b", [task("b")])] },
      ["a", "b"],
      {},
      "idle",
    ],
  ])("starts nothing when %s", (_, ledger, ids, limits, reason) => {
    const choice = choose(ledger, ids, { ...LIMITS, ...limits });
    expect(choice).toMatchObject({ handOvers: [], reason });
  });
});

describe("a plan of a queue", () => {
  const program = new BatchProgram(PORT, {
    ...ACTION,
    choose: (settled) => {
      return chooseTasks(settled, new TaskList(settled, entriesOf("a", "b", "c")), LIMITS);
    },
  });
  const work: Ledger = { ...QUEUE, batches: ["a", "b"].map((id) => runningBatch(id, [task(id)])) };
  const full: Ledger = { ...work, batches: [...work.batches, runningBatch("x", [task("x")])] };
  const retried: Ledger = { ...full, batches: full.batches.map((it) => ({ ...it, attempt: 3 })) };

  test.each<[string, Ledger, Record<string, Polled>, string[], string]>([
    ["a place that is free", work, {}, ["c"], "idle"],
    ["no place", full, {}, [], "busy"],
    ["the place of a job that has ended", full, { a: polled("done") }, ["c"], "idle"],
    [
      "the place of a job that failed, and its task first",
      full,
      { a: polled("failed") },
      ["a"],
      "idle",
    ],
    ["the place of a task that failed too often", retried, { b: polled("failed") }, ["c"], "idle"],
    ["the place of a task that left the file", full, { x: polled("done") }, ["c"], "idle"],
    ["no place, after a poll without news", full, { a: polled("running") }, [], "busy"],
    ["nothing after too many failures", halted(work), {}, [], "held"],
  ])("takes %s", (_, ledger, polls, started, reason) => {
    const facts = {
      ...FACTS,
      batches: { ...FACTS.batches, polls: new Map(Object.entries(polls)) },
    };
    const plan = program.decide(unchanged(ledger), facts, MOMENT);
    expect(plan.acts.flatMap(({ changes }) => changes.map(({ key }) => key))).toEqual(started);
    expect(plan.notes.reason).toBe(reason);
    const intended = plan.ledger.batches.filter(({ state }) => state === "intended");
    expect(intended.flatMap(({ changes }) => changes.map(({ key }) => key))).toEqual(started);
  });

  function halted(ledger: Ledger): Ledger {
    const halt = { type: "refused", id: "halt b", count: 3 } as const;
    return { ...ledger, failures: { jobs: 0, refusals: 3, halt } };
  }
});

const error = new ActionError("bad-request", "Too long");
const ACCEPTED: Delivery = { type: "accepted", job: recordOf("active"), isFollowUp: false };
const REFUSED: Delivery = { type: "refused", by: "content", error };
const KEY: Delivery = { type: "refused", by: "key", error };

test.each<[string, (Delivery | BasicResult)[], boolean, before?: number]>([
  ["nothing", [], true],
  ["accepted tasks", [ACCEPTED, ACCEPTED], true],
  ["two refused tasks", [REFUSED, REFUSED], true],
  ["three refused tasks in a row", [REFUSED, REFUSED, REFUSED], false],
  ["three refused tasks with one between", [REFUSED, ACCEPTED, REFUSED, REFUSED], true],
  ["a refused task, after two in earlier runs", [REFUSED], false, 2],
  ["an accepted and a refused task, after two in earlier runs", [ACCEPTED, REFUSED], true, 2],
  ["nothing, after two in earlier runs", [], true, 2],
  ["a refused key", [ACCEPTED, KEY], false],
  ["a limit", [{ type: "limited" }], false],
  ["a request whose answer was lost", [{ type: "uncertain", reason: "lost" }], false],
  ["what was not begun", [{ type: "withdrawn" }], false],
])("after %s, another task is started: %s", (_, deliveries, isStarted, before = 0) => {
  expect(mayStartAnother(deliveries, before)).toBe(isStarted);
});

test.each<[Delivery | BasicResult, Sent]>([
  [REFUSED, { type: "rejected", reason: "Too long" }],
  [KEY, { type: "key refused" }],
  [ACCEPTED, { type: "accepted", jobId: "job_1", isFollowUp: false }],
  [{ type: "withdrawn" }, { type: "withdrawn" }],
])("the ledger records of %j: %j", (delivery, sent) => {
  expect(sentTask(delivery)).toEqual(sent);
});
