import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { fine, sorted, unknown, verdictOf, wrong } from "./findings.ts";
import { renderFindings, report } from "./report.ts";

const ISSUES = wrong("issues", "Issues are disabled.", "Enable them.");
const TOKEN = unknown("github-token", "It is not known.");
const FORK = fine("fork", "The repository is not a fork.");

test("what is wrong comes first, and otherwise the order stays", () => {
  const other = wrong("fork", "It is a fork.", "Leave.");
  expect(sorted([FORK, TOKEN, ISSUES, other])).toEqual([ISSUES, other, TOKEN, FORK]);
});

test("only something that is wrong makes a set-up unwell", () => {
  expect(verdictOf([FORK, TOKEN])).toBe("healthy");
  expect(verdictOf([FORK, TOKEN, ISSUES])).toBe("unwell");
  expect(verdictOf([])).toBe("healthy");
});

test("the summary shows what is wrong, and folds the rest", () => {
  expect(renderFindings([ISSUES, TOKEN, FORK])).toBe(`### ❌ Docs doctor: 1 thing to correct

- ❌ **issues**: Issues are disabled.<br>→ Enable them.

<details><summary>Not known (1)</summary>

- ❔ **github-token**: It is not known.

</details>

<details><summary>Fine (1)</summary>

- ✅ **fork**: The repository is not a fork.

</details>`);
});

test("the summary of a healthy set-up says so, without empty sections", () => {
  expect(renderFindings([FORK])).toMatch(/^### ✅ Docs doctor: nothing is wrong\n\n<details>/);
  expect(renderFindings([FORK])).not.toContain("Not known");
});

test("what keeps runs from working is an error, and anything else that is wrong a warning", () => {
  const dependencies = dependenciesOf();
  const key = wrong("api-key", "It is missing.", "Save it.");
  expect(report([key, ISSUES, TOKEN, FORK], dependencies)).toBe(true);
  expect(dependencies.outputs.values).toMatchObject({ verdict: "unwell", ready: "false" });
  expect(dependencies.lines.slice(1)).toEqual([
    "error: It is missing. Save it.",
    "warning: Issues are disabled. Enable them.",
    "info: ❔ github-token: It is not known.",
    "info: ✅ fork: The repository is not a fork.",
  ]);
});
