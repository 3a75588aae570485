import { expect, test } from "vitest";
import * as yaml from "yaml";
import { workflowOf } from "./read-workflows.ts";

const triggersOf = (text: string | null) => workflowOf("docs.yml", text, yaml).triggers;
const eventsOf = (text: string) => triggersOf(text)?.events ?? null;

test.each([
  ["on: schedule", ["schedule"]],
  ["on: [push, merge_group]", ["merge_group"]],
  [
    "on:\n  schedule:\n    - cron: '1 * * * *'\n  merge_group:\njobs: {}",
    ["schedule", "merge_group"],
  ],
  ["name: A\n'on':\n- schedule\njobs: {}", ["schedule"]],
  ['"on": { schedule: [] }', ["schedule"]],
  ["on: push\njobs:\n  schedule: {}", []],
  ["on:\n  push: # schedule\n# merge_group\njobs: {}", []],
  ["on:\r\n  merge_group:\r\njobs: {}", ["merge_group"]],
  ["on: {push: {}, merge_group: {}}", ["merge_group"]],
  ["x: &events [schedule]\non: *events", ["schedule"]],
  ["on: [schedule", null],
  ["on: 3", null],
  ["schedule", null],
  ["jobs: {}", null],
  ["", null],
])("the events of %j are %j", (text, events) => {
  expect(eventsOf(text)).toEqual(events);
});

test("what starts a file is not known if GitHub does not show it, or it is too long", () => {
  expect(triggersOf(null)).toBeNull();
  expect(triggersOf(`on: push${" ".repeat(100_000)}`)).toBeNull();
});

test("a schedule has its lines, and may have a time zone", () => {
  const on = "on:\n  schedule:\n    - cron: 1 5 * * *\n    - cron: 1 17 * * *\n";
  expect(triggersOf(on)).toEqual({
    events: ["schedule"],
    crons: ["1 5 * * *", "1 17 * * *"],
    isUtc: true,
  });
  expect(triggersOf(`${on}      timezone: Europe/Paris\n`)).toMatchObject({ isUtc: false });
});

test.each([
  ["      - uses: OWNER/docs-agent-action/upkeep@v1", true],
  ["      - uses: 'acme/docs-agent-action@abc'", true],
  ["    uses: OWNER/docs-agent-action/.github/workflows/team.yml@v1", true],
  ["      - uses: acme/other-docs-agent-action@v1", false],
  ["      - run: echo docs-agent-action@v1", false],
])("whether %j is one of these actions: %s", (text, isOurs) => {
  expect(workflowOf("docs.yml", text, yaml).isOurs).toBe(isOurs);
});

test("a text of any size and form is read at once", () => {
  const begun = performance.now();
  for (const part of ["on:\n ", "on: #", " #", "[", "uses: a/", "\n- "])
    eventsOf(`on:\n${part.repeat(100_000)}`);
  expect(performance.now() - begun).toBeLessThan(3_000);
});
