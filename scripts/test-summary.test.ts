import { expect, test } from "vitest";
import { format, type Report, summarize } from "./test-summary.ts";

/** A report of one file. */
function report(tests: Record<string, string>, more: Partial<Report> = {}): Report {
  const assertionResults = Object.entries(tests).map(([fullName, status]) => ({
    ...{ fullName, status },
  }));
  const hasFailed = Object.values(tests).includes("failed");
  const file = { name: "a.test.ts", status: hasFailed ? "failed" : "passed", assertionResults };
  return { success: !hasFailed, testResults: [file], ...more };
}

test("tests of all runs are added up", () => {
  const first = report({ one: "passed", two: "failed" });
  const second = report({ three: "passed", four: "skipped", five: "todo" });
  expect(summarize([first, second])).toEqual({ passed: 2, failed: 1, skipped: 2 });
});

test("a test that ran in both runs counts once, as failed if it failed in either", () => {
  const first = report({ one: "passed", two: "failed", three: "skipped" });
  const second = report({ one: "passed", two: "passed", three: "passed", four: "failed" });
  expect(summarize([first, second])).toEqual({ passed: 2, failed: 2, skipped: 0 });
});

test("tests of the same name in one run count each", () => {
  const [file] = report({ one: "passed" }).testResults;
  const twice = { ...file, assertionResults: [0, 1].flatMap(() => file?.assertionResults ?? []) };
  expect(summarize([{ success: true, testResults: [twice as never] }]).passed).toBe(2);
});

test("a file that cannot be loaded is a failure", () => {
  const broken = { name: "b.test.ts", status: "failed", assertionResults: [] };
  const first = report({ one: "passed" }, { success: false });
  expect(summarize([{ ...first, testResults: [...first.testResults, broken] }])).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
  });
});

test("a run that failed although no test did is a failure", () => {
  const first = report({ one: "passed" }, { success: false });
  expect(summarize([first])).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

test("a run without a report is a failure", () => {
  expect(summarize([report({ one: "passed" }), null])).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
  });
});

test("the last line counts what passed and failed, and nothing else", () => {
  expect(format({ passed: 3, failed: 0, skipped: 0 })).toBe("3 passed, 0 failed");
  expect(format({ passed: 3, failed: 1, skipped: 2 })).toBe("2 skipped\n3 passed, 1 failed");
});
