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
interface Report {
  success: boolean;
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
}

/** A failure counts over a pass, and a pass over a test that was skipped. */
const ORDER = ["failed", "passed", "skipped"];

const statuses = new Map<string, string>();

function take(test: string, status: string): void {
  const known = ORDER.includes(status) ? status : "skipped";
  const before = statuses.get(test);
  if (before === undefined || ORDER.indexOf(known) < ORDER.indexOf(before))
    statuses.set(test, known);
}

for (const file of process.argv.slice(2)) {
  let report: Report = { success: false, testResults: [] };
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    console.error(`${file} is no report: ${error}`);
  }
  for (const { name, assertionResults } of report.testResults) {
    const seen = new Map<string, number>();
    for (const { fullName, status } of assertionResults) {
      // Two tests of the same name are still two.
      const nth = (seen.get(fullName) ?? 0) + 1;
      seen.set(fullName, nth);
      take(`${name} ${fullName} ${nth}`, status);
    }
  }
  // What failed besides the tests, such as a file that cannot be loaded.
  const all = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  if (!report.success && all.every(({ status }) => status !== "failed")) take(file, "failed");
}

const count = (status: string) => [...statuses.values()].filter((it) => it === status).length;
const [failed, passed, skipped] = ORDER.map(count);
if (skipped) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${failed} failed`);
if (failed !== 0 || passed === 0) process.exitCode = 1;
