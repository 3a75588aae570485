import { expect, test } from "vitest";
import { nameOf, ownAction, triggersOf } from "./workflow-file.ts";

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

test.each([
  ["OWNER/docs-agent-action@v1", "."],
  ["OWNER/docs-agent-action/upkeep@v1", "upkeep"],
  ["actions/checkout@v7", undefined],
  ["other/docs-agent-action@v1", undefined],
])("%s is the project's action in the folder %s", (uses, folder) => {
  expect(ownAction({ uses })).toBe(folder);
});
