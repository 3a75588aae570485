import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";

/** What the tests of a run ended as; null if it wrote no report. */
type Report = { success: boolean; statuses: string[] } | null;

/** The output of the script, and its exit code. */
function summaryOf(report: Report): [lines: string, code: number | null] {
  const folder = mkdtempSync(path.join(tmpdir(), "docs-agent-summary-"));
  const file = path.join(folder, "report.json");
  if (report !== null) {
    const assertionResults = report.statuses.map((status) => ({ status }));
    const testResults = [{ assertionResults }, { assertionResults: [] }];
    writeFileSync(file, JSON.stringify({ success: report.success, testResults }));
  }
  const script = path.join(REPOSITORY_ROOT, "scripts/test-summary.ts");
  const { stdout, status } = spawnSync(process.execPath, [script, file], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return [stdout.trim(), status];
}

test.each<[string, Report, string, number]>([
  ["tests that pass", { success: true, statuses: ["passed", "passed"] }, "2 passed, 0 failed", 0],
  [
    "a test that fails, and tests that do not run",
    { success: false, statuses: ["passed", "failed", "skipped", "todo"] },
    "2 skipped\n1 passed, 1 failed",
    1,
  ],
  [
    "a run that failed although no test did is a failure",
    { success: false, statuses: ["passed"] },
    "1 passed, 1 failed",
    1,
  ],
  ["a run without a report is a failure", null, "0 passed, 1 failed", 1],
  ["no test is a failure", { success: true, statuses: [] }, "0 passed, 0 failed", 1],
])("%s", (_, report, lines, code) => {
  expect(summaryOf(report)).toEqual([lines, code]);
});
