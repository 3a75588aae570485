import { expect, test } from "vitest";
import { EMPTY, group, runningBatch, task } from "../../test/support/ledger-examples.ts";
import { endedMark } from "../ledger/model/names.ts";
import { tasksOf } from "./tasks.ts";

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
