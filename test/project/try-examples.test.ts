import { expect, test } from "vitest";
import { inputsOf } from "../../scripts/try-examples/act.ts";
import { rewrite } from "../../scripts/try-examples/rewrite.ts";
import { RECIPES, readSources } from "../../scripts/try-examples/sources.ts";
import { planFor, staleEntries, workflowOf } from "../../scripts/try-examples/trials.ts";
import { nameOf, triggersOf } from "../../scripts/try-examples/workflow-file.ts";
import { EXAMPLES, read, yamlBlocks } from "./files.ts";

const SOURCES = readSources();
const PLANS = SOURCES.map(planFor);

test("every example and every recipe is among what 'npm run try:examples' tries", () => {
  const files = SOURCES.map(({ file }) => file);
  for (const example of EXAMPLES) expect(files).toContain(example);
  const recipes = SOURCES.filter(({ file }) => file === RECIPES);
  expect(recipes).toHaveLength(yamlBlocks(RECIPES).length);
  expect(read(RECIPES).match(/^## /gm)).toHaveLength(recipes.length);
});

test.each(PLANS)("something is tried with every trigger of $id", ({ trials, missing }) => {
  // An entry belongs into one of the lists in scripts/try-examples/.
  expect(missing).toEqual([]);
  expect(trials).not.toEqual([]);
});

test("nothing is tried that the project does not show", () => {
  expect(staleEntries(SOURCES)).toEqual([]);
});

test.each(PLANS)("what $id uses of others has a stand-in", ({ source, trials }) => {
  const local = { serviceUrl: "", gitHubUrl: "", token: "" };
  for (const trial of trials) rewrite(workflowOf(source, trial), local, inputsOf);
});

test.each(PLANS)("a trial of $id has the name of a trigger", ({ source, trials }) => {
  for (const trial of trials) {
    const names = ["step", ...triggersOf(workflowOf(source, trial)).map(nameOf)];
    expect(names).toContain(trial.name.split(",")[0]);
  }
});
