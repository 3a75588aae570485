/**
 * Counts the tests in a JSON report of Vitest, for `.ci/run`.
 *
 *     node scripts/test-summary.ts REPORT
 *
 * Prints `N passed, N failed` alone on the last line, and `N skipped` on the line before it where tests were
 * skipped. Exits non-zero if a test or the run failed, the report is missing, or no test ran.
 */

import { readFileSync } from "node:fs";

/** The part of a report that is read. */
interface Report {
  success: boolean;
  testResults: { assertionResults: { status: string }[] }[];
}

function read(file: string): Report {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    console.error(`${file} is no report: ${error}`);
    return { success: false, testResults: [] };
  }
}

const { success, testResults } = read(process.argv[2] ?? "");
const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
const count = (wanted: string) => tests.filter(({ status }) => status === wanted).length;
const [skipped, passed] = [tests.length - count("passed") - count("failed"), count("passed")];
// Something else than a test may fail, such as a file that cannot be loaded.
const failed = Math.max(count("failed"), success ? 0 : 1);
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;
