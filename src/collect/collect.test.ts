import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { renderSweep, reportSweep } from "./collect.ts";

const FINISHED = {
  jobId: "job_1",
  status: "completed",
  prLink: "https://github.com/octo/docs/pull/9",
  commentUrl: "https://github.com/octo/docs/issues/7#issuecomment-5",
};

test("outputs, one line in the log, and a summary", () => {
  const dependencies = dependenciesOf();
  reportSweep({ checked: 3, running: 1, finished: [FINISHED], refused: null }, 2, dependencies);
  expect(dependencies.outputs.values).toEqual({
    checkedCount: "3",
    finishedCount: "1",
    runningCount: "1",
    finished: JSON.stringify([FINISHED]),
  });
  expect(dependencies.lines).toEqual([
    "info: Checked 3 comments: 1 finished, 1 running, 2 skipped because their runs may still be waiting.",
    [
      "summary: ### Docs agent: 1 finished, 1 running, 2 skipped because their runs may still be waiting",
      "",
      "- Job `job_1` · `completed` · [pull request #9](https://github.com/octo/docs/pull/9) · [comment](https://github.com/octo/docs/issues/7#issuecomment-5)",
    ].join("\n"),
  ]);
});

test("a summary shows text from outside in code alone, and no more than a hundred lines", () => {
  const hostile = { jobId: "`@octocat`", status: "<b>", prLink: "", commentUrl: "javascript:x" };
  const [, , line] = renderSweep([hostile], "1 finished").split("\n");
  expect(line).toBe("- Job `` `@octocat` `` · `<b>`");
  const many = renderSweep(Array(150).fill(FINISHED), "150 finished").split("\n");
  expect(many).toHaveLength(103);
  expect(many.at(-1)).toBe("- … and 50 more");
});
