import { expect, test } from "vitest";
import { readActLog } from "./act-log.ts";

function log(...lines: object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

const MAIN = { jobID: "docs", matrix: {}, stage: "Main", step: "OWNER/a@v1", stepID: ["0"] };

test("a step has its outputs and its result", () => {
  const { steps } = readActLog(
    log(
      { ...MAIN, msg: "⭐ Run Main" },
      { ...MAIN, msg: "Success", stepResult: "success" },
      { ...MAIN, command: "set-output", name: "status", arg: "completed", msg: "…" },
      { ...MAIN, command: "set-output", name: "prLink", msg: "…" },
    ),
  );
  expect(steps).toEqual([
    {
      ...{ job: "docs", matrix: {}, id: "0", name: "OWNER/a@v1", result: "success" },
      outputs: { status: "completed", prLink: "" },
    },
  ]);
});

test("the legs of a matrix are told apart, and so are jobs", () => {
  const { steps, jobs } = readActLog(
    log(
      { ...MAIN, matrix: { project: "a" } },
      { ...MAIN, matrix: { project: "b" } },
      { ...MAIN, jobID: "other" },
      { jobID: "docs", matrix: { project: "a" }, jobResult: "success" },
      { jobID: "docs", matrix: { project: "b" }, jobResult: "failure" },
    ),
  );
  expect(steps).toHaveLength(3);
  expect(jobs).toEqual([
    { job: "docs", result: "success" },
    { job: "docs", result: "failure" },
  ]);
});

test("what the post step reports is no step of its own", () => {
  expect(readActLog(log({ ...MAIN, stage: "Post", stepResult: "success" })).steps).toEqual([]);
});

test("a line that is not JSON is text of the log", () => {
  expect(readActLog(`act: no such file\n\n${log({ msg: "Hello\n" })}12`)).toEqual({
    ...{ jobs: [], steps: [] },
    log: ["act: no such file", "Hello", "12"],
  });
});
