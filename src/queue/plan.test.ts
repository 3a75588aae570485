import { describe, expect, test } from "vitest";
import { MOMENT, readsOf, SETTINGS } from "../../test/support/batch-reads.ts";
import {
  EMPTY,
  failedBatch,
  group,
  HALTED,
  NOW,
  polled,
  runningBatch,
  task,
  unread,
} from "../../test/support/ledger-examples.ts";
import type { Ledger } from "../batches/model/ledger.ts";
import { endedMark } from "../batches/model/names.ts";
import type { Polled } from "../batches/model/polls.ts";
import { timeText, unchanged } from "../ledger/file.ts";
import type { Fact } from "../runtime/fact.ts";
import { planQueue } from "./plan.ts";
import { TaskLists } from "./tasks.ts";
import type { TaskEntry } from "./tasks-file.ts";

const QUEUE: Ledger = { ...EMPTY, action: "queue" };
const LIMITS = { maxRunning: 3, maxJobsPerHour: 50 };
const entriesOf = (...ids: string[]): TaskEntry[] =>
  ids.map((id) => ({ id, prompt: `Do ${id}.`, isPlain: false }));

/** Plans a run of a queue with these tasks. @param polls by batch; the others cannot be polled */
async function plan(
  ledger: Ledger,
  ids: string[],
  limits = LIMITS,
  polls: Record<string, Fact<Polled>> = {},
) {
  const lists = new TaskLists(entriesOf(...ids));
  const reads = readsOf({ poll: async ({ id }) => polls[id] ?? unread("unanswered") });
  const settings = { ...SETTINGS, lists, dryRun: false, ...limits };
  const planned = await planQueue(unchanged(ledger), reads, MOMENT, settings);
  if (planned.type !== "plan") throw new Error(planned.type);
  const { acts, notes, events, ledger: after } = planned.plan;
  if (notes.type !== "decided") throw new Error(notes.type);
  const handOvers = acts.flatMap((act) => ("prompt" in act ? [act] : []));
  return { handOvers, reason: notes.own.reason, events, ledger: after };
}

describe("a queue", () => {
  test("starts tasks in the order of the file, as many as may run", async () => {
    const { handOvers, reason } = await plan(QUEUE, ["a", "b", "c", "d"]);
    expect(handOvers.map(({ prompt }) => prompt)).toEqual(["Do a.", "Do b.", "Do c."]);
    expect(reason).toEqual({ code: "nothing-waits" });
  });

  test("starts no more tasks than the hour's limit has left", async () => {
    const starts = [{ batch: "x", at: timeText(NOW) }];
    const { handOvers } = await plan({ ...QUEUE, starts }, ["a", "b", "c"], {
      ...LIMITS,
      maxJobsPerHour: 3,
    });
    expect(handOvers.map(({ prompt }) => prompt)).toEqual(["Do a.", "Do b."]);
  });

  test("starts tasks first that were started before", async () => {
    const again = group(1, { changes: [task("c")], attempts: 1, source: null });
    const { handOvers, ledger } = await plan({ ...QUEUE, waiting: [again] }, ["a", "b", "c"]);
    expect(handOvers.map(({ prompt }) => prompt)).toEqual(["Do c.", "Do a.", "Do b."]);
    expect(ledger.batches.map(({ attempt }) => attempt)).toEqual([2, 1, 1]);
  });

  test("drops tasks that left the file, if they were not started", async () => {
    const gone = group(1, { changes: [task("gone")], attempts: 1, source: null });
    const running = runningBatch("b", [task("running")]);
    const after = await plan({ ...QUEUE, waiting: [gone], batches: [running] }, []);
    expect(after.ledger).toMatchObject({ waiting: [], batches: [{ id: "b" }] });
    expect(after.events).toEqual(["Drop tasks that were removed from the file"]);
  });

  const starts = [{ batch: "x", at: timeText(NOW) }];
  test.each<[string, Ledger, string[], Partial<typeof LIMITS>, object]>([
    ["nothing waits", { ...QUEUE, ended: [endedMark("a")] }, ["a"], {}, { code: "nothing-waits" }],
    [
      "as many run as may",
      { ...QUEUE, batches: [runningBatch("b", [task("b")])] },
      ["a"],
      { maxRunning: 1 },
      { code: "all-running", most: 1 },
    ],
    [
      "the hour's limit is reached",
      { ...QUEUE, starts },
      ["a"],
      { maxJobsPerHour: 1 },
      { code: "hourly-limit", most: 1 },
    ],
    [
      "all but a task that needs a decision are done",
      { ...QUEUE, ended: [endedMark("a")], batches: [failedBatch("b", [task("b")])] },
      ["a", "b"],
      {},
      { code: "nothing-waits" },
    ],
  ])("starts nothing when %s", async (_, ledger, ids, limits, reason) => {
    const choice = await plan(ledger, ids, { ...LIMITS, ...limits });
    expect(choice).toMatchObject({ handOvers: [], reason });
  });
});

describe("a plan of a queue", () => {
  const work: Ledger = { ...QUEUE, batches: ["a", "b"].map((id) => runningBatch(id, [task(id)])) };
  const full: Ledger = { ...work, batches: [...work.batches, runningBatch("x", [task("x")])] };
  const retried: Ledger = { ...full, batches: full.batches.map((it) => ({ ...it, attempt: 3 })) };

  test.each<[string, Ledger, Record<string, Fact<Polled>>, string[], string]>([
    ["a place that is free", work, {}, ["c"], "nothing-waits"],
    ["no place", full, {}, [], "all-running"],
    ["the place of a job that has ended", full, { a: polled("completed") }, ["c"], "nothing-waits"],
    [
      "the place of a job that failed, and its task first",
      full,
      { a: polled("failed") },
      ["a"],
      "nothing-waits",
    ],
    [
      "the place of a task that failed too often",
      retried,
      { b: polled("failed") },
      ["c"],
      "nothing-waits",
    ],
    [
      "the place of a task that left the file",
      full,
      { x: polled("completed") },
      ["c"],
      "nothing-waits",
    ],
    ["no place, after a poll without news", full, { a: polled("running") }, [], "all-running"],
    ["nothing after too many failures", halted(work), {}, [], "halted"],
  ])("takes %s", async (_, ledger, polls, started, code) => {
    const planned = await plan(ledger, ["a", "b", "c"], LIMITS, polls);
    expect(planned.handOvers.flatMap(({ changes }) => changes.map(({ key }) => key))).toEqual(
      started,
    );
    expect(planned.reason.code).toBe(code);
    const intended = planned.ledger.batches.filter(({ state }) => state === "intended");
    expect(intended.flatMap(({ changes }) => changes.map(({ key }) => key))).toEqual(started);
  });

  function halted(ledger: Ledger): Ledger {
    return { ...ledger, failures: HALTED };
  }
});
