import { expect, test } from "vitest";
import {
  EMPTY,
  failedBatch,
  group,
  HOUR,
  intendedBatch,
  NOW,
  revision,
  runningBatch,
  task,
} from "../../test/support/ledger-examples.ts";
import { endedMark } from "../batches/model/names.ts";
import { TaskList, TaskLists, tasksOf } from "./tasks.ts";

const entry = (...paths: string[]) => [{ paths, perTask: 2, prompt: "Check {files}." }];
const idsOf = (ledger: typeof EMPTY, ...paths: string[]) =>
  tasksOf(ledger, entry(...paths)).map(({ id }) => id);
const BOTH = task("a.md\nb.md");

test("a file whose task was sent is in no other, also when another file of that task is deleted", () => {
  const ledger = { ...EMPTY, batches: [runningBatch("b", [BOTH])] };
  expect(idsOf(ledger, "a.md", "b.md", "c.md")).toEqual(["a.md\nb.md", "c.md"]);
  expect(idsOf(ledger, "a.md", "c.md", "d.md")).toEqual(["c.md\nd.md"]);
});

test("a file whose task waits for another attempt is divided anew once another file of it is deleted", () => {
  const again = group(1, { changes: [BOTH], attempts: 1, source: null });
  const ledger = { ...EMPTY, waiting: [again], ended: [endedMark("d.md")] };
  expect(idsOf(ledger, "a.md", "b.md", "d.md")).toEqual(["a.md\nb.md", "d.md"]);
  expect(idsOf(ledger, "a.md", "c.md", "d.md")).toEqual(["d.md", "a.md\nc.md"]);
});

test("a path with the patterns of a replacement is in the prompt as it is", () => {
  for (const path of ["docs/$&.md", "docs/$$.md", "docs/$`.md", "docs/$1.md"]) {
    expect(tasksOf(EMPTY, entry(path))).toMatchObject([{ id: path, prompt: `Check ${path}.` }]);
  }
});

test("a run makes a list again only if it depends on what has changed", () => {
  const lists = new TaskLists([{ id: "a", prompt: "Do a.", isPlain: false }]);
  const begun = { ...EMPTY, batches: [runningBatch("b", [task("a")])] };
  const ofRun = [
    revision(begun, { now: NOW + 1 }),
    revision(begun, { now: NOW + 2 }),
    revision({ ...begun, writes: 1 }, { now: NOW + 24 * HOUR }),
  ].map((later) => lists.of(later));
  expect(new Set(ofRun).size).toBe(1);
  expect(ofRun[0]?.views).toMatchObject([{ state: "running" }]);
  const late = lists.of(revision(begun, { now: NOW + 25 * HOUR }));
  expect(late.views).toMatchObject([{ state: "needs-decision" }]);
  const ended = lists.of(revision({ ...EMPTY, ended: [endedMark("a")] }));
  expect(ended.views).toMatchObject([{ state: "done" }]);
});

test("a task has the state that the ledger knows, its attempts, and the job of its batch", () => {
  const ledger = {
    ...EMPTY,
    waiting: [group(1, { changes: [task("again")], attempts: 2, source: null })],
    batches: [
      runningBatch("r", [task("runs")]),
      failedBatch("f", [task("failed")]),
      failedBatch("n", [task("refused")], null),
      intendedBatch("i", [task("sent")]),
    ],
    ended: [endedMark("over"), endedMark("again")],
  };
  const ids = ["new", "runs", "failed", "refused", "sent", "over", "again"];
  const entries = ids.map((id) => ({ id, prompt: `Do ${id}.`, isPlain: false }));
  const { views, waiting, progress } = new TaskList(revision(ledger), entries);
  const shown = views.map(({ task: { key }, state, jobId, attempts }) => {
    return [key, state, jobId, attempts];
  });
  expect(shown).toEqual([
    ["new", "waiting", null, 0],
    ["runs", "running", "job-r", 0],
    ["failed", "needs-decision", "job-f", 0],
    ["refused", "needs-decision", null, 0],
    ["sent", "running", null, 0],
    ["over", "done", null, 0],
    // It was done once, and a person had it started again.
    ["again", "waiting", null, 2],
  ]);
  expect(waiting.map(({ task: { key } }) => key)).toEqual(["again", "new"]);
  expect(progress).toEqual({ Done: 1, Running: 2, Waiting: 2, "Needs a decision": 2 });
});

test("a task for several files is done when each of them is", () => {
  const stateWith = (...done: string[]) => {
    const ledger = { ...EMPTY, ended: done.map(endedMark) };
    const list = new TaskList(revision(ledger), [{ id: BOTH.key, prompt: "", isPlain: false }]);
    return list.views[0]?.state;
  };
  expect(stateWith("a.md", "b.md")).toBe("done");
  expect(stateWith("a.md")).toBe("waiting");
});

test("a running task that left the file is listed, and one that needs a decision is not", () => {
  const batches = [runningBatch("r", [task("runs")]), failedBatch("f", [task("failed")])];
  const { views, ids } = new TaskList(revision({ ...EMPTY, batches }), []);
  expect(views.map(({ task: { key } }) => key)).toEqual(["runs"]);
  expect(ids.size).toBe(0);
});

test("the title of a task is the first line of its prompt, cut to 80 characters", () => {
  const titleOf = (prompt: string) => {
    const list = new TaskList(revision(EMPTY), [{ id: "a", prompt, isPlain: true }]);
    return list.groups[0]?.changes[0]?.title;
  };
  expect(titleOf("\n Improve it.\r\nWith care.")).toBe("Improve it.");
  expect(titleOf("x".repeat(200))?.length).toBeLessThanOrEqual(80);
});

test("new files become new tasks, as many files a task as the entry says", () => {
  expect(idsOf(EMPTY, "a", "b", "c", "d", "e")).toEqual(["a\nb", "c\nd", "e"]);
});
