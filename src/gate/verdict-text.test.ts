import { describe, expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { parseGateInputs } from "./inputs.ts";
import type { PullVerdict } from "./verdict.ts";
import { reportVerdicts, type ShownVerdict } from "./verdict-outputs.ts";
import { groupText, neededMessage, reportText } from "./verdict-text.ts";

const LINK = "https://github.com/acme/docs/pull/7";
const COMMENT = "https://github.com/acme/code/pull/2#issuecomment-1";

const NEEDED = { "github-token": "t0ken", "docs-paths": "docs/**" };

function inputsOf(inputs: Record<string, string> = {}) {
  const all: Record<string, string> = { ...NEEDED, ...inputs };
  return parseGateInputs((name) => all[name] ?? "", contextOf("pull_request"));
}

function judged(number: number, over: Partial<PullVerdict> = {}): PullVerdict {
  return {
    verdict: "needed",
    reason: { code: "no-docs" },
    job: null,
    number,
    url: `https://github.com/acme/code/pull/${number}`,
    notes: [],
    ...over,
  };
}

const COVERED: Partial<PullVerdict> = {
  verdict: "covered",
  reason: { code: "job", jobId: "job_1" },
  job: { jobId: "job_1", prLink: LINK, ended: null },
};

describe("the comment on a pull request", () => {
  test("that is documented is one line, and its notes", () => {
    const reason = { code: "excuse", login: "writer", words: "a `test`" } as const;
    const notes = [{ code: "dashboard-closed" }] as const;
    expect(reportText(judged(2, { verdict: "excused", reason, notes }), inputsOf())).toBe(
      "✅ Docs gate: excused by `writer: a test`\n\nThere is no draft: the dashboard is closed.",
    );
  });

  test("that needs documentation has its notes, and says what to do", () => {
    const inputs = inputsOf({ "docs-paths": "docs/**\nguide/**", "ignore-labels": "skip-docs" });
    const text = reportText(
      judged(2, { notes: [{ code: "no-draft", message: "@x said no." }] }),
      inputs,
    );
    const [head, note, , ways] = text.split("\n\n");
    expect(head).toBe("### ❌ Docs gate: documentation needed (no file matches `docs-paths`)");
    expect(note).toBe("There is no draft. `@x said no.`");
    expect(ways).toContain("1. Change the documentation in this pull request");
    expect(ways).toContain("a file that matches `docs/**`, `guide/**`.");
    expect(text).toContain("2. Ask the documentation agent");
    expect(text).toContain("3. If it needs no documentation, set the label `skip-docs`, or say");
  });

  test("names no label if none is ignored", () => {
    const inputs = { ...inputsOf(), ignoreLabels: [] };
    expect(reportText(judged(2), inputs)).toContain("3. If it needs no documentation, say why");
  });

  test("is a warning with if-needed: warn", () => {
    const text = reportText(judged(2), inputsOf({ "if-needed": "warn" }));
    expect(text).toMatch(/^### ⚠️ Docs gate: documentation needed/);
  });
});

test("the log says what to do about one that needs documentation", () => {
  expect(neededMessage(judged(2))).toMatch(
    /^Pull request #2 needs documentation: no file matches `docs-paths`\. Change the docs in it, ask /,
  );
});

test("a group's summary counts those that need documentation, shows them first, and links all", () => {
  const covered = judged(1, COVERED);
  const all = [
    judged(3, { verdict: "not-needed", reason: { code: "label", label: "`@x`" } }),
    covered,
    judged(2),
  ];
  expect(groupText(all, inputsOf()).split("\n")).toEqual([
    "### ❌ Docs gate: 1 of 3 pull requests needs documentation",
    "",
    "- ❌ [pull request #2](https://github.com/acme/code/pull/2): documentation needed (no file matches `docs-paths`)",
    `- ✅ [pull request #1](https://github.com/acme/code/pull/1): covered by [docs pull request #7](${LINK})`,
    "- ✅ [pull request #3](https://github.com/acme/code/pull/3): no documentation needed (label `@x`)",
  ]);
  expect(groupText([covered], inputsOf())).toContain("✅ Docs gate: 0 of 1 pull request need doc");
  expect(groupText([judged(2), judged(3)], { ...inputsOf(), ifNeeded: "warn" })).toMatch(
    /^### ⚠️ Docs gate: 2 of 2 pull requests need documentation/,
  );
});

describe("the report", () => {
  function reported(all: ShownVerdict[], text?: string) {
    const dependencies = dependenciesOf();
    const verdicts = all.map((shown) => shown.judged);
    reportVerdicts(all, text ?? groupText(verdicts, inputsOf()), dependencies);
    const shown = dependencies.lines.find((line) => line.startsWith("summary: ")) ?? "";
    const infos = dependencies.lines.filter((line) => line.startsWith("info: "));
    return { outputs: dependencies.outputs.values, summary: shown.slice(9), infos };
  }

  test("of one pull request has its verdict, job and comment", () => {
    const verdict = judged(2, COVERED);
    const shown = { judged: verdict, commentUrl: COMMENT };
    const { outputs, summary, infos } = reported([shown], reportText(verdict, inputsOf()));
    const reason = JSON.stringify({ code: "job", text: "job job_1" });
    const expected = {
      verdict: "covered",
      reason,
      jobId: "job_1",
      prLink: LINK,
      commentUrl: COMMENT,
    };
    expect(outputs).toEqual(expected);
    expect(summary).toBe(`### ✅ Docs gate: covered by [docs pull request #7](${LINK})`);
    expect(infos).toEqual([`info: Pull request #2: covered by docs pull request ${LINK}.`]);
  });

  test("of several has the most demanding verdict in the outputs, and all in the summary", () => {
    const { outputs, summary } = reported([
      { judged: judged(1, COVERED), commentUrl: null },
      { judged: judged(2), commentUrl: COMMENT },
    ]);
    const reason = JSON.stringify({ code: "no-docs", text: "no file matches `docs-paths`" });
    const expected = { verdict: "needed", reason, jobId: "", prLink: "", commentUrl: COMMENT };
    expect(outputs).toEqual(expected);
    expect(summary).toMatch(/^### ❌ Docs gate: 1 of 2 pull requests needs documentation/);
  });

  test("of none has no verdict", () => {
    const { outputs, summary } = reported([]);
    expect(outputs).toEqual({ verdict: "", reason: "", jobId: "", prLink: "", commentUrl: "" });
    expect(summary).toMatch(/^### ✅ Docs gate: 0 of 0 pull requests need documentation/);
  });
});
