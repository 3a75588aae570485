import { expect, test } from "vitest";
import type { StepResult } from "../job/step-result.ts";
import { annotationsOf } from "./reporter.ts";

const RESULT: StepResult = {
  severity: "ok",
  kind: "",
  headline: "completed with a pull request",
  what: "It is done.",
  quote: "",
  advice: "",
};
const LINK = "https://github.com/octo/docs/pull/1";

test.each<[string, Partial<StepResult>, string | null, string, [string, string][]]>([
  [
    "success without a pull request",
    {},
    null,
    "job_1",
    [["info", "Completed with a pull request. It is done."]],
  ],
  [
    "success without a text",
    { what: "" },
    null,
    "job_1",
    [["info", "Completed with a pull request."]],
  ],
  ["success with a pull request", {}, LINK, "job_1", [["notice", `Pull request: ${LINK}`]]],
  ["a warning", { severity: "warning" }, null, "job_1", [["warning", "It is done. Job: job_1"]]],
  ["an error without a job", { severity: "error" }, null, "", [["error", "It is done."]]],
  [
    "an error with a pull request",
    { severity: "error", quote: "No disk", advice: "Try again." },
    LINK,
    "job_1",
    [
      ["error", "No disk. It is done. Try again. Job: job_1"],
      ["notice", `Pull request: ${LINK}`],
    ],
  ],
])("the log about %s", (_, change, link, id, expected) => {
  const annotations = annotationsOf({ ...RESULT, ...change }, link, id);
  expect(annotations.map(({ level, text }) => [level, text])).toEqual(expected);
  for (const { title } of annotations) expect(title).toBe(RESULT.headline);
});
