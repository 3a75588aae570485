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
    statusId: "build_1",
    build: null,
    url: null,
    runUrl: null,
    took: null,
  } as const;
  expect(renderDeploy(report)).toBe("### ✅ Docs deployment: deployed\n\nBuild `build_1`");
});
