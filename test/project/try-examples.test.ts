import { expect, test } from "vitest";
import { parse } from "yaml";
import { yamlBlocks } from "../../scripts/copied/workflows.ts";
import { planFor, RECIPES_PAGE, staleEntries } from "../../scripts/try-examples/plans.ts";
import { workflowOf } from "../../scripts/try-examples/trial.ts";
import {
  expression,
  localCalled,
  localWorkflow,
  permissionsOf,
  readSources,
  stepsOf,
  triggersOf,
} from "../../scripts/try-examples/workflow.ts";
import { EXAMPLES, read } from "./files.ts";

const SOURCES = readSources();
const PLANS = SOURCES.map(planFor);

test("'npm run try:examples' tries every example and every recipe", () => {
  const files = SOURCES.map(({ file }) => file);
  for (const example of EXAMPLES) expect(files).toContain(example);
  const [, below = ""] = read(RECIPES_PAGE).split("\n## Recipes\n");
  const [recipes = ""] = below.split("\n## ");
  const headings = [...recipes.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
  expect(headings.length).toBeGreaterThan(3);
  expect(yamlBlocks(recipes)).toHaveLength(headings.length);
  const tried = SOURCES.filter(
    ({ file, contents }) => file === RECIPES_PAGE && Array.isArray(contents),
  );
  expect(tried.map(({ heading }) => heading)).toEqual(headings);
});

test.each(PLANS)("$id has a trial for every trigger", ({ trials, missing }) => {
  // If it fails, add an entry to one of the lists in scripts/try-examples/.
  expect(missing).toEqual([]);
  expect(trials).not.toEqual({});
});

test("every trial is of something that the project shows", () => {
  expect(staleEntries(SOURCES)).toEqual([]);
});

test.each(PLANS)("every action of others in $id has a replacement", ({ source, trials }) => {
  const local = { serviceUrl: "", gitHubUrl: "", token: "" };
  for (const trial of Object.values(trials))
    localWorkflow(workflowOf(source.contents, trial), local);
});

const WORKFLOWS = PLANS.filter(({ source }) => !Array.isArray(source.contents));
test.each(WORKFLOWS)("a trial of $id has the name of a trigger", ({ source, trials }) => {
  for (const [name, trial] of Object.entries(trials)) {
    expect(triggersOf(workflowOf(source.contents, trial))).toContain(name.split(",")[0]);
  }
});

test("a trial's token has the permissions of all jobs of the workflow, and no others", () => {
  const job = (permissions?: object) => ({ steps: [], ...(permissions ? { permissions } : {}) });
  const none = { contents: "none", issues: "none", pull_requests: "none" };
  const others = { checks: "none", statuses: "none" };
  const jobs = { a: job({ issues: "read" }), b: job({ issues: "write" }), c: job() };
  const permissions = { "pull-requests": "write" };
  const most = { ...none, ...others, issues: "write", pull_requests: "write" };
  expect(permissionsOf({ on: {}, permissions, jobs })).toEqual(most);
  expect(permissionsOf({ on: {}, permissions: {}, jobs: { a: job() } })).toEqual({
    ...none,
    ...others,
  });
  // The file does not contain the repository's default.
  expect(permissionsOf({ on: {}, jobs })).toEqual({});
});

test("a call of the team workflow runs the local file, which has the service's URL from its caller", () => {
  const local = { serviceUrl: "http://service", gitHubUrl: "http://github", token: "" };
  const caller = parse(read("examples/team.yml"));
  expect(localWorkflow(caller, local).jobs.docs).toMatchObject({
    uses: "./.github/workflows/team.yml",
    with: { "base-url": "http://service" },
  });
  const called = localCalled(caller, local);
  expect(Object.keys(called)).toEqual([".github/workflows/team.yml"]);
  const steps = stepsOf(parse(Object.values(called).join("")));
  const inputs = steps.filter(({ uses }) => uses !== undefined).map((step) => step.with);
  expect(inputs).toHaveLength(5);
  for (const given of inputs) {
    expect(given).toMatchObject({
      "base-url": expression("inputs.base-url"),
      "github-api-url": "http://github",
    });
  }
  expect(localCalled(parse(read("examples/team-long.yml")), local)).toEqual({});
});
