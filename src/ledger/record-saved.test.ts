import { expect, test } from "vitest";
import { unrecordedText } from "./record-saved.ts";

test.each([
  [
    "Jobs that were started: job-1.",
    "x. Jobs that were started: job-1. The post step tries again.",
  ],
  [null, "x. The post step tries again."],
])("a warning about results that could not be recorded has the details %j", (details, end) => {
  const text = `The results of this run could not be recorded: ${end}`;
  expect(unrecordedText("x", details)).toBe(text);
});
