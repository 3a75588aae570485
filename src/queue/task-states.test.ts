import { describe, expect, test } from "vitest";
import { stateOf, tasksOf } from "../../test/support/example-states.ts";
import { countTasks, viewTasks } from "./task-states.ts";

const LINK = "https://github.com/acme/docs/pull/9";
const MINUTE = 60_000;

function view(state: ReturnType<typeof stateOf>, ...ids: string[]) {
  return viewTasks(state, tasksOf(...ids), 3).map(({ change, state, jobId, prLink }) => ({
    ...{ id: change.id, state, jobId, prLink },
  }));
}

describe("a task of the file", () => {
  test("waits when it was never handed over", () => {
    expect(view(stateOf(), "a")).toEqual([
      { id: "a", state: "waiting", jobId: null, prLink: null },
    ]);
  });

  test("is done, with its job and its pull request", () => {
    expect(view(stateOf({ tasks: [{ id: "a", prLink: LINK }] }), "a")).toEqual([
      { id: "a", state: "done", jobId: "job-a", prLink: LINK },
    ]);
  });

  test("runs from when it is claimed", () => {
    const state = stateOf(
      { tasks: [{ id: "a", state: "running" }] },
      { tasks: [{ id: "b", state: "intended", jobId: null }], age: MINUTE },
    );
    expect(view(state, "a", "b").map(({ state, jobId }) => [state, jobId])).toEqual([
      ["running", "job-a"],
      ["running", null],
    ]);
  });

  test.each([
    ["waiting", "its job failed and there are attempts left", { state: "failed", attempt: 2 }],
    ["needs-decision", "it failed as often as allowed", { state: "failed", attempt: 3 }],
    ["needs-decision", "the service refused it", { state: "failed", retry: false, jobId: null }],
    ["needs-decision", "the service may have received it", { state: "uncertain", jobId: null }],
    ["waiting", "it was withdrawn", { state: "withdrawn", jobId: null }],
  ] as const)("is %s when %s", (state, _, handed) => {
    expect(view(stateOf({ tasks: [{ id: "a", ...handed }] }), "a")).toMatchObject([{ state }]);
  });

  test("has the state of the last time it was handed over", () => {
    const state = stateOf(
      { tasks: [{ id: "a", state: "failed" }] },
      { tasks: [{ id: "a", attempt: 2, prLink: LINK }] },
    );
    expect(view(state, "a")).toMatchObject([{ state: "done", prLink: LINK }]);
  });
});

test("tasks come in the order of the file, then those that run although the file has lost them", () => {
  const state = stateOf({
    tasks: [
      { id: "lost", state: "running" },
      { id: "failed", state: "failed" },
      { id: "b", state: "running" },
      { id: "done" },
    ],
  });
  expect(view(state, "c", "b").map(({ id, state }) => `${id}: ${state}`)).toEqual([
    "c: waiting",
    "b: running",
    "lost: running",
  ]);
});

test("tasks are counted by their state", () => {
  const state = stateOf({
    tasks: [{ id: "a" }, { id: "b" }, { id: "c", state: "uncertain", jobId: null }],
  });
  expect(countTasks(viewTasks(state, tasksOf("a", "b", "c", "d"), 3))).toEqual({
    ...{ waiting: 1, running: 0, done: 2, "needs-decision": 1 },
  });
});
