import { expect, test } from "vitest";
import { progressText, renderPie } from "./progress.ts";

test.each([
  [{ Documented: 1 }, "1 of 1 change documented"],
  [{ Documented: 0, "In review": 2 }, "2 changes: 2 in review"],
  [{ Documented: 0, "In review": 1, Waiting: 2 }, "3 changes: 1 in review, 2 waiting"],
  [{ Documented: 0, "In review": 0 }, "no changes"],
  [{ Documented: 4, "In review": 0 }, "4 of 4 changes documented"],
  [{ Done: 1, "Needs a decision": 1 }, "1 of 2 changes done, 1 needs a decision"],
  [{ Done: 1, "Needs a decision": 2 }, "1 of 3 changes done, 2 need a decision"],
])("%j: %s", (counts, text) => {
  expect(progressText(counts, "change")).toBe(text);
});

test("a chart has a slice for each count above zero, and no chart has only one slice", () => {
  const slices = renderPie({ Done: 4, Running: 0, Waiting: 2 }).split("\n").slice(3, -1);
  expect(slices).toEqual([`  "Done" : 4`, `  "Waiting" : 2`]);
  expect(renderPie({ Done: 4, Running: 0 })).toBe("");
});
