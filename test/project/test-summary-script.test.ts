import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";

type Report = { success: boolean; tests: [name: string, status: string][] } | null;

/** What the script prints, and its exit code. @param reports null: the run left none */
function summaryOf(...reports: Report[]): [lines: string, code: number | null] {
  const folder = mkdtempSync(path.join(tmpdir(), "docs-agent-summary-"));
  const files = reports.map((report, nth) => {
    const file = path.join(folder, `${nth}.json`);
    if (report === null) return file;
    const assertionResults = report.tests.map(([fullName, status]) => ({ fullName, status }));
    const testResults = [{ name: "a.test.ts", assertionResults }];
    writeFileSync(file, JSON.stringify({ success: report.success, testResults }));
    return file;
  });
  const script = path.join(REPOSITORY_ROOT, "scripts/test-summary.ts");
  const ran = spawnSync(process.execPath, [script, ...files], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return [ran.stdout.trim(), ran.status];
}

test.each<[string, Report[], string, number]>([
  [
    "a test of two runs counts once, as failed if it failed in either",
    [
      {
        success: false,
        tests: [
          ["one", "passed"],
          ["two", "failed"],
          ["three", "skipped"],
        ],
      },
      {
        success: true,
        tests: [
          ["two", "passed"],
          ["three", "passed"],
          ["four", "todo"],
        ],
      },
    ],
    "1 skipped\n2 passed, 1 failed",
    1,
  ],
  [
    "tests of the same name in one run count each",
    [
      {
        success: true,
        tests: [
          ["one", "passed"],
          ["one", "passed"],
        ],
      },
    ],
    "2 passed, 0 failed",
    0,
  ],
  [
    "a run that failed although no test did is a failure",
    [{ success: false, tests: [["one", "passed"]] }],
    "1 passed, 1 failed",
    1,
  ],
  [
    "a run without a report is a failure",
    [{ success: true, tests: [["one", "passed"]] }, null],
    "1 passed, 1 failed",
    1,
  ],
  ["no test is a failure", [{ success: true, tests: [] }], "0 passed, 0 failed", 1],
])("%s", (_, reports, lines, code) => {
  expect(summaryOf(...reports)).toEqual([lines, code]);
});
