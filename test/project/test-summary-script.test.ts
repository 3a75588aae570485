import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";

/** Results of tests by name, or names of tests that passed; undefined if the run wrote no report. */
type Report = { success: boolean; tests: Record<string, string> | string[] } | undefined;

/** The output of the script, and its exit code. */
function summaryOf(...reports: Report[]): [lines: string, code: number | null] {
  const folder = mkdtempSync(path.join(tmpdir(), "docs-agent-summary-"));
  const files = reports.map((report, nth) => {
    const file = path.join(folder, `${nth}.json`);
    if (report === undefined) return file;
    const { success, tests } = report;
    const pairs = Array.isArray(tests)
      ? tests.map((name) => [name, "passed"])
      : Object.entries(tests);
    const assertionResults = pairs.map(([fullName, status]) => ({ fullName, status }));
    const testResults = [{ name: "a.test.ts", assertionResults }];
    writeFileSync(file, JSON.stringify({ success, testResults }));
    return file;
  });
  const script = path.join(REPOSITORY_ROOT, "scripts/test-summary.ts");
  const { stdout, status } = spawnSync(process.execPath, [script, ...files], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return [stdout.trim(), status];
}

const FIRST = { one: "passed", two: "failed", three: "skipped" };
const SECOND = { two: "passed", three: "passed", four: "todo" };

test.each<[string, Report[], string, number]>([
  [
    "a test in two runs counts once, as failed if it failed in either",
    [
      { success: false, tests: FIRST },
      { success: true, tests: SECOND },
    ],
    "1 skipped\n2 passed, 1 failed",
    1,
  ],
  [
    "tests with the same name in one run count separately",
    [{ success: true, tests: ["one", "one"] }],
    "2 passed, 0 failed",
    0,
  ],
  [
    "a run that failed although no test did is a failure",
    [{ success: false, tests: ["one"] }],
    "1 passed, 1 failed",
    1,
  ],
  [
    "a run without a report is a failure",
    [{ success: true, tests: ["one"] }, undefined],
    "1 passed, 1 failed",
    1,
  ],
  ["no test is a failure", [{ success: true, tests: [] }], "0 passed, 0 failed", 1],
])("%s", (_, reports, lines, code) => {
  expect(summaryOf(...reports)).toEqual([lines, code]);
});
