import { expect, test } from "vitest";
import { startedText } from "../batches/post-step.ts";
import { unrecordedText } from "./record-saved.ts";

test.each([
  [
    ["job-1", null, "job-2"],
    "The results of this run could not be recorded: x. Jobs that were started: job-1, job-2. The post step tries again.",
  ],
  [[null], "The results of this run could not be recorded: x. The post step tries again."],
])("a warning about results that could not be recorded names the jobs: %j", (jobIds, text) => {
  expect(unrecordedText("x", startedText(jobIds))).toBe(text);
});
