import { describe, expect, test } from "vitest";
import { nameOf, ownAction, permissionsOf, triggersOf } from "./workflow-file.ts";

test("a workflow has a trigger for each event, and for each activity type that it names", () => {
  const on = {
    issues: { types: ["opened", "labeled"] },
    push: { branches: ["main"] },
    schedule: [{ cron: "0 0 * * *" }],
    workflow_dispatch: null,
  };
  expect(triggersOf({ on }).map(nameOf)).toEqual([
    "issues: opened",
    "issues: labeled",
    "push",
    "schedule",
    "workflow_dispatch",
  ]);
});

test("events may be named without filters", () => {
  expect(triggersOf({ on: "push" }).map(nameOf)).toEqual(["push"]);
  expect(triggersOf({ on: ["push", "release"] }).map(nameOf)).toEqual(["push", "release"]);
});

test.each([
  ["OWNER/docs-agent-action@v1", "."],
  ["OWNER/docs-agent-action/upkeep@v1", "upkeep"],
  ["actions/checkout@v7", undefined],
  ["other/docs-agent-action@v1", undefined],
])("%s is the project's action in the folder %s", (uses, folder) => {
  expect(ownAction({ uses })).toBe(folder);
});

describe("the workflow's token may do", () => {
  const job = (permissions?: object) => ({ steps: [], ...(permissions ? { permissions } : {}) });
  const others = { checks: "none", statuses: "none" };
  const none = { contents: "none", issues: "none", pull_requests: "none", ...others };

  test("what the job asks for, and nothing else", () => {
    const jobs = { docs: job({ issues: "write", contents: "read" }) };
    const held = permissionsOf({ on: {}, permissions: { "pull-requests": "write" }, jobs });
    expect(held).toEqual({ contents: "read", issues: "write", pull_requests: "none", ...others });
  });

  test("what the workflow asks for, where a job does not", () => {
    expect(permissionsOf({ on: {}, permissions: {}, jobs: { docs: job() } })).toEqual(none);
    expect(
      permissionsOf({ on: {}, permissions: { issues: "read" }, jobs: { docs: job() } }),
    ).toEqual({ ...none, issues: "read" });
  });

  test("what any of its jobs asks for", () => {
    const jobs = { a: job({ issues: "read" }), b: job({ issues: "write" }), c: job({}) };
    expect(permissionsOf({ on: {}, jobs })).toEqual({ ...none, issues: "write" });
  });

  test("anything, where the file does not tell", () => {
    expect(permissionsOf({ on: {}, jobs: { a: job({ issues: "read" }), b: job() } })).toEqual({});
  });
});
