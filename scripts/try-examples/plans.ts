/** Finds what is tried with a workflow that the project shows. */

import type { Trials } from "./common.ts";
import { EXAMPLES, PAGES, RECIPES } from "./trials.ts";
import { ownAction, type Source, stepsOf, triggersOf } from "./workflow.ts";

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
  if (file === RECIPES_PAGE) {
    // A recipe has no trigger of its own: its entry says with which ones it is tried.
    const trials = RECIPES[heading];
    const missing = trials === undefined ? triggers : [];
    return { source, id: `${file}: ${heading}`, trials: trials ?? {}, missing };
  }
  const action = stepsOf(contents).map(ownAction).find(Boolean) ?? "";
  const isExample = heading === "";
  const all = (isExample ? EXAMPLES[file] : PAGES[action]) ?? {};
  const nameOf = (trial: string) => trial.split(",")[0] ?? "";
  const trials = Object.entries(all).filter(([name]) => isExample || triggers.includes(name));
  return {
    ...{ source, trials: Object.fromEntries(trials) },
    id: isExample ? file : `${file}: ${action === "." ? "docs-agent-action" : action}`,
    missing: triggers.filter((trigger) => !Object.keys(all).map(nameOf).includes(trigger)),
  };
}

/** Entries for examples and recipes that the project does not show. */
export function staleEntries(sources: readonly Source[]): string[] {
  const shown = sources.flatMap(({ file, heading }) => [file, heading]);
  return Object.keys({ ...EXAMPLES, ...RECIPES }).filter((entry) => !shown.includes(entry));
}
