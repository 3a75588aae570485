/**
 * Adds up the JSON reports of several runs of Vitest, for `.ci/run`. What several runs ran counts once.
 *
 *     node scripts/test-summary.ts REPORT...
 *
 * Prints `N passed, N failed` alone on the last line, and `N skipped` on the line before it where tests were
 * skipped. Exits non-zero when a test or a run failed, a report is missing, or no test ran.
 */

import { readFileSync } from "node:fs";

/** The part of a report that is read. */
export interface Report {
  success: boolean;
  testResults: {
    /** Path of the test file. */
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

export interface Summary {
  passed: number;
  failed: number;
  skipped: number;
}

type Status = keyof Summary;

/** @param reports null for a run that left no report: it counts as a failure */
export function summarize(reports: readonly (Report | null)[]): Summary {
  const statuses = new Map<string, Status>();
  for (const [nth, report] of reports.entries()) {
    for (const [test, status] of testsOf(report, `run ${nth + 1}`)) {
      statuses.set(test, worse(statuses.get(test), status));
    }
  }
  const summary: Summary = { passed: 0, failed: 0, skipped: 0 };
  for (const status of statuses.values()) summary[status] += 1;
  return summary;
}

/** The tests of a run by name. What failed besides them, such as a file that cannot be loaded, is one more. */
function testsOf(report: Report | null, run: string): Map<string, Status> {
  const tests = new Map<string, Status>();
  for (const { name: file, status, assertionResults } of report?.testResults ?? []) {
    for (const { fullName, status } of assertionResults) {
      let test = `${file} ${fullName}`;
      // Two tests of the same name are still two.
      while (tests.has(test)) test += " (again)";
      tests.set(test, statusOf(status));
    }
    if (status === "failed" && !assertionResults.some((it) => it.status === "failed")) {
      tests.set(`${file} itself`, "failed");
    }
  }
  const isFailed = report?.success !== true;
  if (isFailed && ![...tests.values()].includes("failed")) tests.set(`${run} itself`, "failed");
  return tests;
}

function statusOf(status: string): Status {
  return status === "passed" || status === "failed" ? status : "skipped";
}

/** A failure counts over a pass, and a pass over a test that was skipped. */
function worse(one: Status | undefined, other: Status): Status {
  const order: (Status | undefined)[] = ["failed", "passed", "skipped"];
  return order.find((status) => status === one || status === other) ?? other;
}

/** `N passed, N failed` as the last line; if any were skipped, a line before it says so. */
export function format({ passed, failed, skipped }: Summary): string {
  return `${skipped > 0 ? `${skipped} skipped\n` : ""}${passed} passed, ${failed} failed`;
}

function read(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    console.error(`${file} is no report: ${error}`);
    return null;
  }
}

if (import.meta.main) {
  const summary = summarize(process.argv.slice(2).map(read));
  console.log(format(summary));
  if (summary.failed > 0 || summary.passed === 0) process.exitCode = 1;
}
