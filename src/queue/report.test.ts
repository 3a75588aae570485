import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { stateOf, tasksOf } from "../../test/support/example-states.ts";
import type { LedgerStepResult } from "../ledger/run/step-result.ts";
import { ActionError } from "../runtime/errors.ts";
import { type QueueReport, reportQueue, tasksOutput } from "./report.ts";
import type { QueueResult } from "./step-result.ts";
import { viewTasks } from "./task-states.ts";

const LINK = "https://github.com/acme/docs/pull/9";

function report(over: {
  queueRun?: Partial<QueueReport["queueRun"]>;
  state?: QueueReport["result"]["state"];
  inputs?: Partial<QueueReport["inputs"]>;
  unwritten?: string;
  step?: Partial<LedgerStepResult<QueueResult>>;
}) {
  const dependencies = dependenciesOf();
  const { state = stateOf(), queueRun, inputs, unwritten = "", step } = over;
  reportQueue(
    {
      result: { end: { type: "nothing" }, state, finished: [], unwritten },
      queueRun: { chosen: [], stopped: null, rejected: [], ...queueRun },
      inputs: {
        ...{ tasks: tasksOf("a", "b"), dryRun: false, maxAttempts: 3 },
        ...{ perHour: 50, name: "tasks.yml", ...inputs },
      },
      ...{ dashboardUrl: "https://github.com/acme/docs/issues/7", requests: 5 },
    },
    { result: "idle", error: null, unusable: null, ...step },
    dependencies,
  );
  return { ...dependencies.outputs.values, lines: dependencies.lines };
}

test("the error of a step is in the log, the outputs and the summary, beside what is known", () => {
  const error = new ActionError("unauthorized", "The key was refused.");
  const { lines, ...outputs } = report({ step: { result: "", error } });
  expect(outputs).toMatchObject({
    ...{ result: "", errorKind: "unauthorized", errorMessage: error.message, waitingCount: "2" },
  });
  expect(lines).toEqual([
    "info: Nothing is known to have been started.",
    "info: 0 of 2 tasks done, 2 waiting.",
    expect.stringContaining("summary: ### Docs queue: unauthorized\n\n"),
    "error: The key was refused.",
  ]);
});

test("the summary tells the result, how far the tasks are, and links to the dashboard", () => {
  expect(report({}).lines).toContain(
    "summary: ### Docs queue: idle\n\nNothing to start.\n\n`tasks.yml`: 0 of 2 tasks done, 2 waiting.\n\n[Dashboard](https://github.com/acme/docs/issues/7) · 5 requests to GitHub",
  );
});

test("of a run that could not work with its ledger, only the outputs are written", () => {
  const unusable = new ActionError("github-unavailable", "GitHub does not answer.");
  const { lines, ...outputs } = report({ state: null, step: { result: "", unusable } });
  expect(lines).toEqual([]);
  expect(outputs).toMatchObject({ result: "", startedCount: "0", doneCount: "", tasks: "" });
});

test("a dashboard that could not be written is a warning", () => {
  expect(report({ unwritten: "GitHub answered 500" }).lines).toContain(
    "warning: The dashboard could not be written: GitHub answered 500. Nothing is lost: the next run writes it.",
  );
});

test("what was refused is a warning", () => {
  const { lines } = report({
    queueRun: { rejected: [{ task: { id: "a", prompt: "A" }, why: "no" }] },
  });
  expect(lines.join("\n")).toContain(
    "warning: The service refused task a, which needs a decision: no.",
  );
});

test("the output tells the state of each task, and links that are safe", () => {
  const state = stateOf({
    tasks: [
      { id: "a", prLink: LINK },
      { id: "b", prLink: "javascript:alert(1)" },
      { id: "x", state: "running" },
      { id: "y", state: "failed", attempt: 3 },
    ],
  });
  const { tasks } = report({ state, inputs: { tasks: tasksOf("a", "b", "c") } }) as {
    tasks?: string;
  };
  expect(JSON.parse(tasks ?? "")).toEqual([
    { id: "a", state: "done", jobId: "job-a", prLink: LINK },
    { id: "b", state: "done", jobId: "job-b", prLink: null },
    { id: "c", state: "waiting", jobId: null, prLink: null },
    { id: "x", state: "running", jobId: "job-x", prLink: null },
  ]);
});

test("more tasks than an output has room for: those that are done are left out, and a warning says so", () => {
  const ids = Array.from({ length: 5000 }, (_, nth) => `${nth}-${"x".repeat(90)}`);
  const tasks = tasksOf(...ids);
  const state = stateOf({ tasks: ids.slice(0, 2000).map((id) => ({ id })) });
  const { log, lines } = dependenciesOf();
  const told = tasksOutput(viewTasks(state, tasks, 3), log);
  expect(told.length).toBeLessThanOrEqual(500 * 1024);
  expect(JSON.parse(told).length).toBeGreaterThan(2500);
  expect(JSON.parse(told)[0]).toMatchObject({ id: ids[2000], state: "waiting" });
  expect(lines.join()).toContain("of 5000 tasks");
});
