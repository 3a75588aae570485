import { expect, test } from "vitest";
import { headOf, lineOf, widthsOf } from "./table.ts";

test("columns are aligned, and a result takes one line", () => {
  const row = { workflow: "examples/on-push.yml", trigger: "push", seconds: 3.06 };
  const widths = widthsOf([row, { workflow: "a", trigger: "issues: opened" }]);
  expect(headOf(widths)).toBe("workflow              trigger            s  result");
  expect(lineOf({ ...row, isPassed: true, result: "pull request #2" }, widths)).toBe(
    "examples/on-push.yml  push             3.1  ok: pull request #2",
  );
  const failed = { ...row, isPassed: false, result: "no\n  comment" };
  expect(lineOf(failed, widths)).toContain("FAILED: no comment");
});
