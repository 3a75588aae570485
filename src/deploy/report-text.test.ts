import { expect, test } from "vitest";
import { renderDeploy } from "./report-text.ts";

test("a report leaves no gap for what a result does not have", () => {
  const result = {
    severity: "ok",
    kind: null,
    headline: "deployed",
    detail: null,
    quote: null,
    advice: null,
  } as const;
  const report = {
    target: { type: "deployment" },
    severity: "ok",
    result,
    commit: null,
    url: null,
    runUrl: null,
    took: null,
  } as const;
  expect(renderDeploy(report, true)).toBe("### ✅ Docs deployment: deployed");
});

test("only the summary has the end of a build's log", () => {
  const result = {
    severity: "error",
    kind: "build-failed",
    headline: "the build failed",
    detail: null,
    quote: "secret",
    advice: null,
  } as const;
  const report = {
    target: { type: "deployment" },
    severity: "error",
    result,
    commit: null,
    url: null,
    runUrl: "https://github.com/run",
    took: null,
  } as const;
  expect(renderDeploy(report, true)).toContain("secret");
  expect(renderDeploy(report, false)).not.toContain("secret");
  expect(renderDeploy(report, false)).toContain("[Workflow run](https://github.com/run)");
});
