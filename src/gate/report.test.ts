import { expect, test } from "vitest";
import {
  groupText,
  type PullVerdict,
  type ReportRules,
  reportText,
  verdictText,
} from "./report.ts";

const RULES: ReportRules = { ifNeeded: "fail", ignoreLabels: [], docsPatterns: ["docs/**"] };
const LINK = "https://github.com/acme/docs/pull/7";
const JOB = { jobId: "job_1", prLink: LINK, hasFailed: false };

function judged(number: number, over: Partial<PullVerdict> = {}): PullVerdict {
  const url = `https://github.com/acme/code/pull/${number}`;
  return {
    ...{ type: "judged", verdict: "needed", why: "no file matches `docs-paths`", job: null },
    ...{ number, url, notes: [], ...over },
  };
}

test("a group's summary counts those that need documentation, shows them first, and links all", () => {
  const covered = judged(1, { verdict: "covered", why: "job job_1", job: JOB });
  const all = [covered, judged(2), judged(3, { verdict: "not-needed", why: "label `@x`" })];
  expect(groupText(all, RULES).split("\n")).toEqual([
    ...["### ❌ Docs gate: 1 of 3 pull requests needs documentation", ""],
    "- ❌ [pull request #2](https://github.com/acme/code/pull/2): documentation needed (`no file matches docs-paths`)",
    `- ✅ [pull request #1](https://github.com/acme/code/pull/1): covered by [docs pull request #7](${LINK})`,
    "- ✅ [pull request #3](https://github.com/acme/code/pull/3): no documentation needed (`label @x`)",
  ]);
  expect(groupText([covered], RULES)).toContain("✅ Docs gate: 0 of 1 pull request need doc");
  expect(groupText([judged(2), judged(3)], { ...RULES, ifNeeded: "warn" })).toMatch(
    /^### ⚠️ Docs gate: 2 of 2 pull requests need documentation/,
  );
});

test("the log says the verdict in words, and names the docs pull request or the job", () => {
  const text = (over: Partial<PullVerdict>) => {
    const it = judged(1, over);
    return verdictText(it, it.why, (link) => `docs pull request ${link}`);
  };
  expect(text({ verdict: "covered", job: JOB })).toBe(`covered by docs pull request ${LINK}`);
  expect(text({ verdict: "covered", why: "job job_1", job: { ...JOB, prLink: null } })).toBe(
    "covered by a docs job (job job_1)",
  );
  expect(text({ verdict: "included", why: "docs/a.md" })).toBe(
    "documentation included (docs/a.md)",
  );
  expect(reportText(judged(1, { verdict: "included", why: "docs/a.md" }), RULES)).toBe(
    "✅ Docs gate: documentation included (`docs/a.md`)",
  );
});
