import { describe, expect, test } from "vitest";
import {
  AT,
  accepted,
  DECIDED,
  EMPTY,
  failedBatch,
  HALT,
  LINK,
  refusedBy,
  review,
  revision,
  runningBatch,
  task,
  UNCERTAIN,
} from "../../test/support/ledger-examples.ts";
import type { BatchValue } from "../batches/batch-program.ts";
import type { HistoryLine, Ledger } from "../batches/model/ledger.ts";
import { endedMark } from "../batches/model/names.ts";
import type { Handed } from "../batches/outcome.ts";
import type { SharedReason } from "../batches/reasons.ts";
import { requestError, requestWarnings } from "../batches/report.ts";
import { SERVICE_LIMIT } from "../job/send.ts";
import { type Delivery, notSent } from "../runtime/delivery.ts";
import type { QueueReason } from "./reasons.ts";
import { promptsText, queueOutputs, resultOf } from "./results.ts";
import { TaskList, TaskLists } from "./tasks.ts";

const QUEUE: Ledger = { ...EMPTY, action: "queue" };
const DONE: Ledger = { ...QUEUE, ended: [endedMark("a")] };
const RUNNING: Ledger = { ...QUEUE, batches: [runningBatch("b", [task("b")])] };
const UNDECIDED: Ledger = { ...DONE, batches: [failedBatch("b", [task("b")])] };

const UNREAD: Ledger = {
  ...DONE,
  reviews: [review({ changes: [task("a")], unread: { since: "2026-11-20", isPassing: true } })],
};

const ACCEPTED = accepted();
const REFUSED = refusedBy("content", "Too long");
const KEY = refusedBy("key", "No");
const LOST: Delivery<BatchValue> = { ...UNCERTAIN, error: KEY.error };
const LIMITED: Delivery<BatchValue> = { type: "limited" };
const NOT_SENT = notSent("held-back");
const BUSY = { code: "all-running", most: 3 } as const;

/** The list of the tasks with these IDs. */
function listOf(ledger: Ledger, ...ids: string[]): TaskList {
  const entries = ids.map((id) => ({ id, prompt: `Do ${id}.`, isPlain: false }));
  return new TaskList(revision(ledger), entries);
}

function handed(...deliveries: Handed["delivery"][]): Handed[] {
  return deliveries.map((delivery, nth): Handed => {
    const changes = [task(`t${nth}`)];
    const prompt = `Do t${nth}.`;
    return { act: { type: "start", id: `${nth}`, changes, prompt }, delivery };
  });
}

/** @param ids of the tasks in the file; default: those that the ledger knows */
function resultIn(
  deliveries: Handed["delivery"][],
  ledger: Ledger,
  reason: QueueReason,
  ids = [ledger.ended.length > 0 ? "a" : null, ledger.batches.length > 0 ? "b" : null].flatMap(
    (id) => id ?? [],
  ),
  changed: SharedReason | null = null,
) {
  const entries = ids.map((id) => ({ id, prompt: `Do ${id}.`, isPlain: false }));
  const outcome = {
    ...DECIDED,
    own: { reason, warnings: [] },
    reason,
    revision: revision(ledger),
    handed: handed(...deliveries),
    dashboard: null,
    warnings: [],
  };
  return resultOf(outcome, new TaskLists(entries), changed);
}

describe("the output result", () => {
  test.each<[string, Handed["delivery"][], Ledger, string | null]>([
    ["of accepted tasks", [ACCEPTED, NOT_SENT], RUNNING, "started"],
    ["of accepted tasks, the last of which was lost", [ACCEPTED, LOST], RUNNING, "started"],
    ["of a limit at once", [LIMITED], RUNNING, "limited"],
    ["of a refused key", [KEY], RUNNING, null],
    ["of credits that are used up", [refusedBy("credits")], RUNNING, "limited"],
    ["of a lost answer", [LOST], DONE, null],
    ["of a task that was refused for its content", [REFUSED], RUNNING, "busy"],
    ["of nothing, while tasks run", [], RUNNING, "busy"],
    ["of nothing, when all are done", [], DONE, "finished"],
    ["of nothing, when the rest needs decisions", [], UNDECIDED, "idle"],
    ["of nothing, when a docs pull request needs one", [], UNREAD, "idle"],
  ])("%s", (_, deliveries, ledger, expected) => {
    expect(resultIn(deliveries, ledger, BUSY).result).toBe(expected);
  });

  test("is not finished as long as a task that left the file needs a decision", () => {
    expect(resultIn([], UNDECIDED, BUSY, ["a"]).result).toBe("idle");
  });

  test("is not finished as long as a task waits", () => {
    const held = resultIn([], DONE, { code: "halted", halt: HALT, hasBoxes: true }, ["a", "b"]);
    expect(held.result).toBe("held");
  });

  test("says why no more was started", () => {
    expect(resultIn([], RUNNING, BUSY).explanation).toMatch(/`max-running` allows: 3/);
    expect(resultIn([LIMITED], RUNNING, BUSY).explanation).toBe(SERVICE_LIMIT);
    expect(resultIn([ACCEPTED], RUNNING, BUSY).explanation).toBeNull();
  });

  test("of a dashboard that was closed meanwhile is paused, unless a task was started", () => {
    const paused = { code: "paused", by: "octocat", at: null } as const;
    const changed = notSent("changed");
    const none = resultIn([changed], DONE, BUSY, ["a", "b"], paused);
    expect(none).toMatchObject({
      result: "paused",
      explanation: expect.stringContaining("closed by `octocat`"),
    });
    const some = resultIn([ACCEPTED, changed], RUNNING, BUSY, ["b"], paused);
    expect(some).toMatchObject({
      result: "started",
      explanation: expect.stringContaining("closed by `octocat`"),
    });
  });
});

test.each<[string, Handed["delivery"][], string | null]>([
  ["nothing", [], null],
  ["accepted tasks", [ACCEPTED], null],
  ["a refused task", [ACCEPTED, REFUSED], null],
  ["a refused key", [ACCEPTED, KEY, NOT_SENT], "No"],
  ["a lost answer", [LOST], "No"],
])("after %s, the step fails with its error, or not at all", (_, deliveries, expected) => {
  expect(requestError(handed(...deliveries), revision(QUEUE), null)?.problem ?? null).toBe(
    expected,
  );
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
    expect(queueOutputs(handed(ACCEPTED, ACCEPTED, REFUSED), list, [])).toMatchObject({
      startedCount: "2",
      runningCount: "1",
      doneCount: "2",
      waitingCount: "2",
      needsDecisionCount: "1",
    });
  });

  test("name the tasks, those that are done last, with what the history knows", () => {
    const { tasks } = queueOutputs(handed(), list, [line]);
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
    const { tasks } = queueOutputs(handed(), again, [{ ...line, state: "again" }]);
    expect(JSON.parse(tasks ?? "")).toEqual([
      { id: "a", state: "running", jobId: "job-x", prLink: null },
    ]);
  });

  test("are empty if the run ended before it decided", () => {
    expect(queueOutputs(handed(), null, [])).toEqual({
      startedCount: "0",
      runningCount: null,
      doneCount: null,
      waitingCount: null,
      needsDecisionCount: null,
      tasks: null,
    });
  });
});

test.each<[string, Handed["delivery"][], string[]]>([
  ["what was accepted", [ACCEPTED], []],
  ["a refused key", [KEY], []],
  [
    "refused tasks, by their names",
    [REFUSED, ACCEPTED, REFUSED],
    [0, 2].map((nth) => `The service refused the task t${nth}: Too long. It needs a decision.`),
  ],
  ["a limit", [ACCEPTED, LIMITED], [SERVICE_LIMIT]],
])("the warnings about %s", (_, results, expected) => {
  expect(requestWarnings(handed(...results))).toEqual(expected);
});

test("a dry run shows the prompts of the tasks that it would start, if any", () => {
  expect(promptsText(handed(null, null))).toBe(
    "Would start t0:\nDo t0.\n\nWould start t1:\nDo t1.",
  );
  expect(promptsText(handed())).toBeNull();
});
