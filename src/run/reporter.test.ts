import { expect, test } from "vitest";
import type { StepResult } from "../job/step-result.ts";
import { annotationsOf } from "./reporter.ts";

const TEXT = {
  headline: "completed with a pull request",
  detail: "It is done.",
  quote: null,
  advice: "",
};
const DONE: StepResult = { ...TEXT, severity: "ok", kind: null };
const FAILED: StepResult = { ...TEXT, severity: "error", kind: "job-failed" };
const LINK = "https://github.com/octo/docs/pull/1";

test.each<[string, StepResult, string | null, string, [string, string][]]>([
  [
    "success without a pull request",
    DONE,
    null,
    "job_1",
    [["info", "Completed with a pull request. It is done."]],
  ],
  [
    "success without a text",
    { ...DONE, detail: "" },
    null,
    "job_1",
    [["info", "Completed with a pull request."]],
  ],
  ["success with a pull request", DONE, LINK, "job_1", [["notice", `Pull request: ${LINK}`]]],
  [
    "a warning",
    { ...DONE, severity: "warning" },
    null,
    "job_1",
    [["warning", "It is done. Job: job_1"]],
  ],
  ["an error without a job", FAILED, null, "", [["error", "It is done."]]],
  [
    "an error with a pull request",
    { ...FAILED, quote: "No disk", advice: "Try again." },
    LINK,
    "job_1",
    [
      ["error", "No disk. It is done. Try again. Job: job_1"],
      ["notice", `Pull request: ${LINK}`],
    ],
  ],
])("the log about %s", (_, result, link, id, expected) => {
  const annotations = annotationsOf(result, link, id);
  expect(annotations.map(({ level, text }) => [level, text])).toEqual(expected);
  for (const { title } of annotations) expect(title).toBe(TEXT.headline);
});
