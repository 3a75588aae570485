import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../../test/support/arbitrary.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { DOCS, factsOf, OWN, pullOf } from "../../test/support/doctor-facts.ts";
import { ABSENT, known } from "../runtime/fact.ts";
import type { Facts, Schedule } from "./facts.ts";
import { judge } from "./judge.ts";
import { renderFindings, report } from "./report.ts";

/** What must not reach a reader outside of code. */
const HOSTILE = [
  "@octocat",
  "<img src=x onerror=alert(1)>",
  "</details>",
  "<!-- docs-agent:x.y -->",
  "\n::error::owned",
  "[x](javascript:alert(1))",
  "``",
  "fixes #1",
];

const hostile = fc
  .tuple(fc.constantFrom(...HOSTILE), anyText(), fc.nat(3_000))
  .map(([text, around, times]) => `${around}${text}${around}${text.repeat(times)}`);

/** Facts in which everything that GitHub or an input says is the same text. */
function hostileFacts(text: string): Facts {
  const invalid = { type: "invalid", problem: text } as const;
  const explained = { kind: "unauthorized", problem: text, advice: "Check it." } as const;
  const pull = pullOf({ url: text, checks: [text], heldRuns: 1 });
  const schedule: Schedule = {
    path: text,
    crons: [text],
    isUtc: true,
    state: null,
    since: 0,
    runs: known({ newestAt: 0, concluded: { isFailed: true, conclusion: text, url: text } }),
  };
  return {
    ...factsOf(
      {
        own: known({ ...OWN, defaultBranch: text }),
        workflows: known([{ path: text, triggers: null, isOurs: true }]),
        trial: { type: "refused", reason: text },
        schedules: known({
          named: [
            { ...schedule, state: text },
            { ...schedule, state: "active" },
            ...Array.from({ length: 500 }, () => schedule),
          ],
          unreadFiles: [text, text],
        }),
        ledgers: known({
          ages: [{ ref: text, writtenAt: 0, isBehind: known(true), closedDashboard: ABSENT }],
          unread: 1,
        }),
        docs: {
          ...DOCS,
          rules: known({
            requiredChecks: Array.from({ length: 500 }, (_, nth) => `${nth}${text}`),
            hasMergeQueue: true,
          }),
          newestPull: known(pull),
          agentPull: known(pull),
        },
      },
      { projectId: invalid, assistantApiKey: invalid, domain: invalid },
    ),
    workflow: text,
    service: {
      project: {
        type: "failed",
        failure: { type: "status", status: 401, body: "error" },
        explained,
      },
      isProjectTried: true,
      assistant: null,
    },
  };
}

test("texts from outside are only shown as code, on one line, and cut", () => {
  fc.assert(
    fc.property(hostile, (outside) => {
      const findings = judge(hostileFacts(outside));
      const summary = renderFindings(findings);
      for (const { what, advice } of findings) {
        const text = advice === null ? what : `${what} ${advice}`;
        const prose = text.replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, "");
        expect(prose).not.toMatch(/octocat|<img|details|docs-agent:|owned|javascript:|fixes/);
        expect(text).not.toMatch(/[\r\n]/);
      }
      expect(summary).not.toContain("<!--");
      expect(summary.length).toBeLessThan(30_000);
    }),
  );
});

test("everything that is wrong comes with what to do", () => {
  const findings = judge(hostileFacts("x"));
  expect(findings.filter(({ state }) => state === "wrong").length).toBeGreaterThan(5);
  for (const { state, advice } of findings) if (state === "wrong") expect(advice).toMatch(/\S/);
});

test("the output is the findings, and the log has an error or a warning for each that is wrong", () => {
  const findings = judge(hostileFacts("x"));
  const dependencies = dependenciesOf();
  expect(report(findings, dependencies)).toBe(true);
  expect(JSON.parse(dependencies.outputs.values.findings ?? "")).toEqual(
    findings.map((finding) => ({ ...finding, advice: finding.advice ?? "" })),
  );
  const countOf = (level: string) =>
    dependencies.lines.filter((line) => line.startsWith(`${level}: `)).length;
  const wrong = findings.filter(({ state }) => state === "wrong");
  expect(countOf("error")).toBe(2);
  expect(countOf("warning")).toBe(wrong.length - 2);
});
