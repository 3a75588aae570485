import { expect, test } from "vitest";
import {
  EMPTY,
  group,
  HOUR,
  NOW,
  revision,
  runningBatch,
  task,
} from "../../test/support/ledger-examples.ts";
import { endedMark } from "../ledger/model/names.ts";
import { TaskLists, tasksOf } from "./tasks.ts";

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
