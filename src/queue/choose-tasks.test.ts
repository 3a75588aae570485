import { describe, expect, test } from "vitest";
import { jobOf as recordOf } from "../../test/support/job.ts";
import { EMPTY, group, revision, runningBatch, task } from "../../test/support/ledger-examples.ts";
import type { TaskEntry } from "../inputs/tasks-file.ts";
import type { Delivery } from "../job/send.ts";
import { timeText } from "../ledger/model/file.ts";
import type { Ledger } from "../ledger/model/ledger.ts";
import { endedMark } from "../ledger/model/names.ts";
import type { BasicResult } from "../ledger/program.ts";
import { ActionError } from "../runtime/errors.ts";
import { chooseTasks, mayStartAnother } from "./choose-tasks.ts";
import { TaskList } from "./tasks.ts";

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
  ])("starts nothing when %s", (_, ledger, ids, limits, reason) => {
    const choice = choose(ledger, ids, { ...LIMITS, ...limits });
    expect(choice).toMatchObject({ handOvers: [], reason });
  });
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
