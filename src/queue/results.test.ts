import { describe, expect, test } from "vitest";
import { jobOf as recordOf } from "../../test/support/job.ts";
import {
  AT,
  EMPTY,
  failedBatch,
  LINK,
  revision,
  runningBatch,
  task,
} from "../../test/support/ledger-examples.ts";
import type { HistoryLine, Ledger } from "../batches/model/ledger.ts";
import { endedMark } from "../batches/model/names.ts";
import type { Handed } from "../batches/run-batches.ts";
import { type Delivery, SERVICE_LIMIT } from "../job/send.ts";
import type { BasicResult } from "../ledger/program.ts";
import { ActionError } from "../runtime/errors.ts";
import { deliveryWarnings, errorIn, outputsOf, promptsText, resultOf } from "./results.ts";
import { TaskList } from "./tasks.ts";

const QUEUE: Ledger = { ...EMPTY, action: "queue" };
const DONE: Ledger = { ...QUEUE, ended: [endedMark("a")] };
const RUNNING: Ledger = { ...QUEUE, batches: [runningBatch("b", [task("b")])] };
const UNDECIDED: Ledger = { ...DONE, batches: [failedBatch("b", [task("b")])] };

const error = new ActionError("bad-request", "Too long");
const ACCEPTED: Delivery = { type: "accepted", job: recordOf("active"), isFollowUp: false };
const REFUSED: Delivery = { type: "refused", by: "content", error };
const KEY: Delivery = { type: "refused", by: "key", error };
const LOST: Delivery = { type: "uncertain", reason: "lost", error };
const LIMITED: Delivery = { type: "limited" };
const WITHDRAWN: BasicResult = { type: "withdrawn" };

/** The list of the tasks with these IDs. */
function listOf(ledger: Ledger, ...ids: string[]): TaskList {
  const entries = ids.map((id) => ({ id, prompt: `Do ${id}.`, isPlain: false }));
  return new TaskList(revision(ledger), entries);
}

function handed(...results: Handed["result"][]): Handed[] {
  return results.map((result, nth): Handed => {
    const changes = [task(`t${nth}`)];
    const prompt = `Do t${nth}.`;
    return { act: { type: "hand over", id: `${nth}`, changes, jobId: null, prompt }, result };
  });
}

describe("the output result", () => {
  test.each<[string, Handed["result"][], Ledger, string | null]>([
    ["of accepted tasks", [ACCEPTED, WITHDRAWN], RUNNING, "started"],
    ["of accepted tasks, the last of which was lost", [ACCEPTED, LOST], RUNNING, "started"],
    ["of a limit at once", [LIMITED], RUNNING, "limited"],
    ["of a refused key", [KEY], RUNNING, null],
    ["of a lost answer", [LOST], DONE, null],
    ["of a task that was refused for its content", [REFUSED], RUNNING, "busy"],
    ["of nothing, while tasks run", [], RUNNING, "busy"],
    ["of nothing, when all are done", [], DONE, "finished"],
    ["of nothing, when the rest needs decisions", [], UNDECIDED, "finished"],
  ])("%s", (_, results, ledger, expected) => {
    const { views } = listOf(ledger, "a", "b");
    const known = { views: views.filter(({ state }) => state !== "waiting") };
    const decided = { handed: handed(...results), reason: "busy" } as const;
    expect(resultOf(decided, known)).toBe(expected);
  });

  test("is not finished as long as a task waits", () => {
    expect(resultOf({ handed: [], reason: "held" }, listOf(DONE, "a", "b"))).toBe("held");
  });
});

test.each<[string, Handed["result"][], ActionError | null]>([
  ["nothing", [], null],
  ["accepted tasks", [ACCEPTED], null],
  ["a refused task", [ACCEPTED, REFUSED], null],
  ["a refused key", [ACCEPTED, KEY, WITHDRAWN], error],
  ["a lost answer", [LOST], error],
])("after %s, the step fails with its error, or not at all", (_, results, expected) => {
  expect(errorIn(handed(...results))).toBe(expected);
});

describe("the outputs", () => {
  const ledger: Ledger = {
    ...QUEUE,
    ended: [endedMark("a"), endedMark("b")],
    batches: [runningBatch("x", [task("c")]), failedBatch("y", [task("d")])],
  };
  const list = listOf(ledger, "a", "b", "c", "d", "e", "f");
  const line: HistoryLine = {
    batch: "w",
    at: AT,
    state: "done",
    jobId: "job-w",
    prLink: LINK,
    attempt: 1,
    changes: [task("a")],
  };

  test("count the tasks by their states, and those that this run started", () => {
    expect(outputsOf(handed(ACCEPTED, ACCEPTED, REFUSED), list, [])).toMatchObject({
      startedCount: "2",
      runningCount: "1",
      doneCount: "2",
      waitingCount: "2",
      needsDecisionCount: "1",
    });
  });

  test("name the tasks, those that are done last, with what the history knows", () => {
    const { tasks } = outputsOf(handed(), list, [line]);
    expect(JSON.parse(tasks ?? "")).toEqual([
      { id: "c", state: "running", jobId: "job-x", prLink: null },
      { id: "d", state: "needs-decision", jobId: "job-y", prLink: null },
      { id: "e", state: "waiting", jobId: null, prLink: null },
      { id: "f", state: "waiting", jobId: null, prLink: null },
      { id: "a", state: "done", jobId: "job-w", prLink: LINK },
      { id: "b", state: "done", jobId: null, prLink: null },
    ]);
  });

  test("of a task that is started again say nothing of its earlier job", () => {
    const again = listOf({ ...QUEUE, batches: [runningBatch("x", [task("a")])] }, "a");
    const { tasks } = outputsOf(handed(), again, [{ ...line, state: "again" }]);
    expect(JSON.parse(tasks ?? "")).toEqual([
      { id: "a", state: "running", jobId: "job-x", prLink: null },
    ]);
  });

  test("are empty if the run ended before it decided", () => {
    expect(outputsOf(handed(), null, [])).toEqual({
      startedCount: "0",
      runningCount: null,
      doneCount: null,
      waitingCount: null,
      needsDecisionCount: null,
      tasks: null,
    });
  });
});

test.each<[string, Handed["result"][], string[]]>([
  ["what was accepted", [ACCEPTED], []],
  ["a refused key", [KEY], []],
  [
    "refused tasks, by their names",
    [REFUSED, ACCEPTED, REFUSED],
    [0, 2].map((nth) => `The service refused the task t${nth}: Too long. It needs a decision.`),
  ],
  ["a limit", [ACCEPTED, LIMITED], [SERVICE_LIMIT]],
])("the warnings about %s", (_, results, expected) => {
  expect(deliveryWarnings(handed(...results))).toEqual(expected);
});

test("a dry run shows the prompts of the tasks that it would start, if any", () => {
  expect(promptsText(handed(WITHDRAWN, WITHDRAWN))).toBe(
    "Would start t0:\nDo t0.\n\nWould start t1:\nDo t1.",
  );
  expect(promptsText(handed())).toBeNull();
});
