/** Finds what is tried with a workflow that the project shows. */

import { around } from "./later-runs.ts";
import type { Trial } from "./trial.ts";
import { EXAMPLES, PAGES, RECIPES, type Trials } from "./trials.ts";
import { ownAction, type Source, stepsOf, triggersOf, type WorkflowFile } from "./workflow.ts";

export const RECIPES_PAGE = "docs/recipes.md";

/** A workflow and what is tried with it. */
export interface Plan {
  source: Source;
  /** What the table calls it. */
  id: string;
  trials: Trials;
  /** Triggers of the workflow that nothing is tried with. */
  missing: string[];
}

/** What is tried with a source, and what is not. */
export function planFor(source: Source): Plan {
  const { file, heading, contents } = source;
  const triggers = Array.isArray(contents) ? ["step"] : triggersOf(contents);
  const missingIn = (trials: Trials) => {
    const tried = Object.keys(trials).map((name) => name.split(",")[0]);
    return triggers.filter((trigger) => !tried.includes(trigger));
  };
  if (heading === "") {
    const trials = EXAMPLES[file] ?? {};
    return { source, id: file, trials, missing: missingIn(trials) };
  }
  if (file === RECIPES_PAGE) {
    // A recipe has no trigger of its own: its entry says with which ones it is tried.
    const trials = RECIPES[heading];
    const missing = trials === undefined ? triggers : [];
    return { source, id: `${file}: ${heading}`, trials: trials ?? {}, missing };
  }
  const actions = new Set(
    stepsOf(contents)
      .map(ownAction)
      .filter((it) => it !== undefined),
  );
  const all = PAGES[[...actions].join("+")] ?? {};
  const id = `${file}: ${[...actions].join(", ").replace(/^\./, "docs-agent-action")}`;
  const own = Object.entries(all).filter(([name]) => triggers.includes(name));
  return { source, id, trials: Object.fromEntries(own), missing: missingIn(all) };
}

/** Entries for examples and recipes that the project does not show. */
export function staleEntries(sources: readonly Source[]): string[] {
  const shown = sources.flatMap(({ file, heading }) => [file, heading]);
  return Object.keys({ ...EXAMPLES, ...RECIPES }).filter((entry) => !shown.includes(entry));
}

/** The workflow that is run: what the source shows, and what a list of steps needs around it. */
export function workflowOf({ contents }: Source, trial: Trial): WorkflowFile {
  if (!Array.isArray(contents)) return contents;
  return (trial.around ?? around({ workflow_dispatch: null }))(contents);
}
