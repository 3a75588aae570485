import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { HttpInProcess, INPUTS_IN_PROCESS } from "../../test/support/http-in-process.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { ExchangeError } from "../net/exchange.ts";
import { Cancellation } from "../runtime/cancellation.ts";
import { asActionError } from "../runtime/errors.ts";
import { collect, reportSweep } from "./collect.ts";
import type { FinishedComment } from "./sweep.ts";

const LINK = "https://github.com/octo/docs/pull/9";
const FINISHED = {
  jobId: "job_1",
  status: "completed",
  prLink: LINK,
  commentUrl: "https://github.com/octo/docs/issues/7#issuecomment-5",
};

function reportOf(finished: FinishedComment[], { running = 0, left = 0 } = {}) {
  const dependencies = dependenciesOf({ title: "Docs collect" });
  reportSweep({ checked: 3, running, finished, refused: null }, left, dependencies);
  const { lines, outputs } = dependencies;
  const summary = lines.find((it) => it.startsWith("summary: ")) ?? "";
  return { values: outputs.values, lines, summary: summary.slice(9).split("\n\n") };
}

test("the summary leads with docs pull requests, then what came of the other jobs", () => {
  const none = { ...FINISHED, jobId: "job_2", prLink: null };
  const failed = { ...none, jobId: "job_3", status: "failed" };
  const { values, lines, summary } = reportOf([failed, none, FINISHED], { running: 1, left: 2 });
  expect(values).toEqual({
    checkedCount: "3",
    finishedCount: "3",
    runningCount: "1",
    finished: JSON.stringify([{ ...failed, prLink: "" }, { ...none, prLink: "" }, FINISHED]),
  });
  const others = "1 job ended without a docs pull request, 1 job failed";
  expect(lines.findLast((it) => it.startsWith("info: "))).toBe(
    `info: Docs collect: docs pull request ${LINK}, ${others}.`,
  );
  const comment = `[comment](${FINISHED.commentUrl})`;
  expect(summary).toEqual([
    `### Docs collect: [docs pull request #9](${LINK}), ${others}`,
    "**Finished with a docs pull request**",
    `- [docs pull request #9](${LINK}) · ${comment}`,
    "**Finished without one**",
    `- ${comment}`,
    "**Failed**",
    `- ${comment}`,
    "1 comment still to finish: the job is at work. 2 comments skipped: the run may still be waiting.",
  ]);
});

test("a summary shows text from outside in code alone, and not all of a long list", () => {
  const hostile = { jobId: "`@octocat`", status: "<b>", prLink: null, commentUrl: "javascript:x" };
  expect(reportOf([hostile]).summary.at(-1)).toBe("- comment · `<b>`");
  const many = reportOf(Array(150).fill(FINISHED)).summary.at(-1)?.split("\n") ?? [];
  expect(many).toHaveLength(51);
  expect(many.at(-1)).toBe("- … and 100 more");
});

test.each([
  ["a request that was interrupted", new ExchangeError("sent", "stopped", "stopped"), "cancelled"],
  ["a mistake of ours", new TypeError("x is not a function"), "internal"],
])("after a signal, %s ends the run as it should", async (_, error, kind) => {
  const cancellation = new Cancellation();
  const http = new HttpInProcess(async () => {
    cancellation.cancel();
    throw error;
  });
  const read = (name: string) => INPUTS_IN_PROCESS[name] ?? "";
  const dependencies = dependenciesOf({ cancellation, http });
  const ran = collect(read, contextOf("schedule"), dependencies);
  expect(asActionError(await ran.catch((thrown: unknown) => thrown)).kind).toBe(kind);
});
