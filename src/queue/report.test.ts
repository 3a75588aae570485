import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { stateOf, tasksOf } from "../../test/support/example-states.ts";
import type { RunEnd } from "../ledger/run-ledger.ts";
import { ActionError } from "../runtime/errors.ts";
import { type QueueReport, reportQueue, tasksOutput } from "./report.ts";
import type { TaskChange } from "./task-change.ts";
import { viewTasks } from "./task-states.ts";

const LINK = "https://github.com/acme/docs/pull/9";
const NOTHING: RunEnd<TaskChange> = { type: "nothing" };

function report(over: {
  end?: RunEnd<TaskChange>;
  session?: Partial<QueueReport["session"]>;
  state?: QueueReport["result"]["state"];
  inputs?: Partial<QueueReport["inputs"]>;
}) {
  const dependencies = dependenciesOf();
  const { end = NOTHING, state = stateOf(), session, inputs } = over;
  const fails = reportQueue(
    {
      result: { end, state, finished: [], unwritten: "" },
      session: {
        ...{
          reason: null,
          chosen: [],
          failure: null,
          stopped: null,
          uncertain: null,
          rejected: [],
        },
        ...session,
      },
      inputs: {
        ...{ tasks: tasksOf("a", "b"), dryRun: false, maxAttempts: 3 },
        ...{ perHour: 50, maxRunning: 3, name: "tasks.yml", ...inputs },
      },
      ...{ dashboardUrl: "", requests: 5, isCancelled: false },
    },
    dependencies,
  );
  return { fails, ...dependencies.outputs.values, lines: dependencies.lines };
}

const done = stateOf({ tasks: [{ id: "a" }, { id: "b", prLink: LINK }] });
const decide = stateOf({ tasks: [{ id: "a" }, { id: "b", state: "uncertain", jobId: null }] });

test.each([
  ["finished", "when every task is done", { state: done }],
  ["finished", "without any task", { inputs: { tasks: [] } }],
  [
    "idle",
    "when a task needs a decision",
    { state: decide, session: { reason: "ended" as const } },
  ],
  ["busy", "when as many tasks run as may", { session: { reason: "busy" as const } }],
  ["busy", "when another run is at work", { end: { type: "busy" as const } }],
  ["limited", "when `per-hour` is reached", { session: { reason: "limited" as const } }],
  [
    "limited",
    "when the service says so",
    { session: { stopped: { error: null, reason: "limited" as const } } },
  ],
  ["paused", "when the dashboard is closed", { end: { type: "paused" as const }, state: null }],
  ["dry-run", "in a dry run", { inputs: { dryRun: true }, state: done }],
])("the result is %s %s", (result, _, over) => {
  expect(report(over)).toMatchObject({ result, fails: false, startedCount: "0" });
});

test("an error of the key leaves the result empty and fails the step", () => {
  const error = new ActionError("unauthorized", "The key was refused.");
  expect(report({ session: { stopped: { error, reason: null } } })).toMatchObject({
    ...{ fails: true, result: "", errorKind: "unauthorized", waitingCount: "2" },
  });
});

test("what was refused is a warning", () => {
  const { lines } = report({
    session: { rejected: [{ task: { id: "a", prompt: "A" }, why: "no" }] },
  });
  expect(lines.join("\n")).toContain(
    "warning: The service refused task a: no. The task needs a decision.",
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
