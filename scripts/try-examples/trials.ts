/** Finds what is tried with a workflow that the project shows. */

import { COLLECT } from "./collect-trials.ts";
import { BY_COMMENT, DISPATCHED, QUESTION_BY_COMMENT, RELEASED } from "./common-trials.ts";
import { EXAMPLE_TRIALS } from "./example-trials.ts";
import { answer, expectSuccess, expectThat } from "./outcomes.ts";
import { QUEUE } from "./queue-trials.ts";
import { RECIPE_TRIALS } from "./recipe-trials.ts";
import { RECIPES, type Source } from "./sources.ts";
import type { Trial } from "./trial.ts";
import { FAILED_JOB, outputsOf, TrialError, type TrialSetup } from "./trial-setup.ts";
import { dispatched } from "./trigger-events.ts";
import { HANDS_OVER_STEP, UPKEEP } from "./upkeep-trials.ts";
import {
  nameOf,
  ownAction,
  type Step,
  stepsOf,
  triggersOf,
  type WorkflowFile,
} from "./workflow-file.ts";

/** For other pages, by the action that a block uses. The name `step` is for steps without a workflow. */
const PAGE_TRIALS: Record<string, Trial[]> = {
  ".": [BY_COMMENT, RELEASED, { ...DISPATCHED, name: "step" }],
  upkeep: [...UPKEEP, HANDS_OVER_STEP],
  collect: COLLECT,
  queue: QUEUE,
  assistant: [
    QUESTION_BY_COMMENT,
    { name: "step", try: async (setup) => answer(await setup.run(dispatched())) },
  ],
  jobs: ["workflow_dispatch", "step"].map((name) => ({ name, try: listsJobs })),
};

async function listsJobs(setup: TrialSetup): Promise<string> {
  const run = await setup.run(dispatched());
  expectSuccess(run);
  const { count, jobs = "" } = outputsOf(run, "jobs");
  expectThat("the output count", count, "1");
  if (!jobs.includes(FAILED_JOB)) throw new TrialError(`the output jobs lacks ${FAILED_JOB}`);
  return "1 job listed";
}

/** A workflow and what is tried with it. */
export interface Plan {
  source: Source;
  /** What the table calls it. */
  id: string;
  trials: Trial[];
  /** Triggers of the workflow that nothing is tried with. */
  missing: string[];
}

/** What is tried with a source, and what is not. */
export function planFor(source: Source): Plan {
  const { file, heading, contents } = source;
  const names = Array.isArray(contents) ? ["step"] : triggersOf(contents).map(nameOf);
  if (heading === "") {
    const trials = EXAMPLE_TRIALS[file] ?? [];
    return { source, id: file, trials, missing: namesWithout(trials, names) };
  }
  if (file === RECIPES) {
    // A recipe has no trigger of its own: its entry says with which ones it is tried.
    const trials = RECIPE_TRIALS[heading] ?? [];
    const missing = trials.length > 0 ? [] : names;
    return { source, id: `${file}: ${heading}`, trials, missing };
  }
  const steps = Array.isArray(contents) ? contents : stepsOf(contents);
  const action = steps.map(ownAction).find((one) => one !== undefined) ?? "";
  const trials = (PAGE_TRIALS[action] ?? []).filter(({ name }) => names.includes(name));
  const id = `${file}: ${action === "." ? "docs-agent-action" : action}`;
  return { source, id, trials, missing: namesWithout(trials, names) };
}

/** Entries for examples and recipes that the project does not show. */
export function staleEntries(sources: Source[]): string[] {
  const files = sources.map(({ file }) => file);
  const recipes = sources.filter(({ file }) => file === RECIPES).map(({ heading }) => heading);
  return [
    ...Object.keys(EXAMPLE_TRIALS).filter((file) => !files.includes(file)),
    ...Object.keys(RECIPE_TRIALS).filter((heading) => !recipes.includes(heading)),
  ];
}

/** The workflow that is run: what the source shows, and what a list of steps needs around it. */
export function workflowOf({ contents }: Source, { around = manually }: Trial): WorkflowFile {
  return Array.isArray(contents) ? around(contents) : contents;
}

function manually(steps: Step[]): WorkflowFile {
  const docs = { "runs-on": "ubuntu-latest", steps };
  return { on: { workflow_dispatch: null }, jobs: { docs } };
}

/** A trial's name is that of its trigger, up to a comma. */
function namesWithout(trials: Trial[], names: string[]): string[] {
  const tried = trials.map(({ name }) => name.split(",")[0]);
  return names.filter((name) => !tried.includes(name));
}
