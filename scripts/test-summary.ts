/**
 * Adds up the JSON reports of several runs of Vitest, for `.ci/run`. A test in several runs counts once.
 *
 *     node scripts/test-summary.ts REPORT...
 *
 * Prints `N passed, N failed` alone on the last line, and `N skipped` on the line before it where tests were
 * skipped. Exits non-zero if a test or a run failed, a report is missing, or no test ran.
 */

import { readFileSync } from "node:fs";

/** The part of a report that is read. */
interface Report {
  success: boolean;
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
}

/** A failure counts over a pass, and a pass over a test that was skipped. */
const ORDER = ["skipped", "passed", "failed"];

/** For each test, the index of its result in this order. */
const ranks = new Map<string, number>();
const take = (test: string, rank: number) =>
  ranks.set(test, Math.max(rank, ranks.get(test) ?? 0, 0));

for (const file of process.argv.slice(2)) {
  let report: Report = { success: false, testResults: [] };
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    console.error(`${file} is no report: ${error}`);
  }
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({ test: `${name} ${fullName}`, status })),
  );
  for (const [test, runs] of Map.groupBy(tests, (result) => result.test)) {
    // Two tests of the same name are still two.
    for (const [nth, { status }] of runs.entries()) take(`${test} ${nth}`, ORDER.indexOf(status));
  }
  // Something else than a test failed, such as a file that cannot be loaded.
  const hasFailedTest = tests.some(({ status }) => status === "failed");
  if (!report.success && !hasFailedTest) take(file, ORDER.indexOf("failed"));
}

const count = (status: string) =>
  [...ranks.values()].filter((rank) => ORDER[rank] === status).length;
const [skipped, passed, failed] = ORDER.map(count);
if (skipped) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${failed} failed`);
if (failed !== 0 || passed === 0) process.exitCode = 1;
