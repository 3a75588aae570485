import { describe, expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { parseGateInputs } from "./inputs.ts";
import type { PullVerdict } from "./verdict.ts";
import { reportVerdicts, type ShownVerdict } from "./verdict-outputs.ts";
import { groupText, neededMessage, reportText } from "./verdict-text.ts";

const LINK = "https://github.com/acme/docs/pull/7";
const NEW_PAGE = "https://github.com/acme/code/new/work?filename=docs/new-page.md";
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
  reason: { code: "job" },
  job: { jobId: "job_1", prLink: LINK, ended: null },
};

describe("the comment on a pull request", () => {
  test("that is documented is one line, and its notes", () => {
    const reason = { code: "excuse", login: "writer", words: "a `test`" } as const;
    const notes = [{ code: "dashboard-closed" }] as const;
    expect(reportText(judged(2, { verdict: "excused", reason, notes }), inputsOf(), NEW_PAGE)).toBe(
      "✅ Docs gate: excused by `writer: a test`\n\nThere is no draft: the dashboard is closed.",
    );
  });

  test("that needs documentation says what to do, and folds what a request came to", () => {
    const inputs = inputsOf({ "docs-paths": "docs/**\nguide/**", "ignore-labels": "skip-docs" });
    const text = reportText(
      judged(2, { notes: [{ code: "no-draft", message: "@x said no." }] }),
      inputs,
      NEW_PAGE,
    );
    const [head, why, ways] = text.split("\n\n");
    expect(head).toBe("### ❌ This change needs documentation");
    expect(why).toBe("It changes no documentation. Do one of these:");
    expect(ways).toContain(
      `1. Document it here: [create a page](${NEW_PAGE}), or change a file that matches \`docs/**\`, \`guide/**\`.`,
    );
    expect(text).toMatch(
      /<details><summary>There is no draft: it could not be requested<\/summary>\n\n`@x said no\.`\n\n<\/details>$/,
    );
    expect(text).toContain("2. Ask the documentation agent");
    expect(text).toContain("3. If it needs no documentation, set the label `skip-docs`, or write");
  });

  test("links no new page if none can be created", () => {
    const text = reportText(judged(2), inputsOf(), null);
    expect(text).toContain("1. Document it here: change a file that matches `docs/**`.");
  });

  test("names no label if none is ignored", () => {
    const inputs = { ...inputsOf(), ignoreLabels: [] };
    expect(reportText(judged(2), inputs, null)).toContain("3. If it needs no documentation, write");
  });

  test("is a warning with if-needed: warn", () => {
    const text = reportText(judged(2), inputsOf({ "if-needed": "warn" }), null);
    expect(text).toMatch(/^### ⚠️ This change needs documentation/);
  });
});

test("the log says what to do about one that needs documentation", () => {
  expect(neededMessage(judged(2))).toMatch(
    /^Pull request #2 needs documentation: it changes no documentation\. Change the docs in it, ask /,
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
    "- ❌ [pull request #2](https://github.com/acme/code/pull/2): documentation needed (it changes no documentation)",
    `- ✅ [pull request #1](https://github.com/acme/code/pull/1): covered by [docs pull request #7](${LINK})`,
    "- ✅ [pull request #3](https://github.com/acme/code/pull/3): no documentation needed (label `@x`)",
  ]);
  expect(groupText([covered], inputsOf())).toBe(
    `### ✅ Docs gate: no pull request needs documentation\n\n- ✅ [pull request #1](https://github.com/acme/code/pull/1): covered by [docs pull request #7](${LINK})`,
  );
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
    const { outputs, summary, infos } = reported([shown], reportText(verdict, inputsOf(), null));
    const reason = JSON.stringify({ code: "job", text: "a docs job" });
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
    const reason = JSON.stringify({ code: "no-docs", text: "it changes no documentation" });
    const expected = { verdict: "needed", reason, jobId: "", prLink: "", commentUrl: COMMENT };
    expect(outputs).toEqual(expected);
    expect(summary).toMatch(/^### ❌ Docs gate: 1 of 2 pull requests needs documentation/);
  });

  test("of none has no verdict", () => {
    const { outputs, summary } = reported([]);
    expect(outputs).toEqual({ verdict: "", reason: "", jobId: "", prLink: "", commentUrl: "" });
    expect(summary).toMatch(/^### ✅ Docs gate: no pull request needs documentation/);
  });
});
