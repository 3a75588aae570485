/** Finds what is tried with a workflow that the project shows. */

import { EVENTS } from "../events.ts";
import { type Trial, type Trials, triggerOf } from "./trial.ts";
import { EXAMPLES, PAGES, RECIPES } from "./trials.ts";
import { ownAction, type Source, stepsOf, triggersOf } from "./workflow.ts";

export const RECIPES_PAGE = "docs/recipes.md";

/** What is tried with a source, and `missing`: triggers of its workflow that nothing is tried with. */
export function planFor(source: Source) {
  const { file, heading, contents } = source;
  const triggers = Array.isArray(contents) ? ["step"] : triggersOf(contents);
  const used = stepsOf(contents).flatMap((step) => ownAction(step) ?? []);
  const actions = [...new Set(used)].join("+");
  const title = file === RECIPES_PAGE ? heading : actions.replace(/^\./, "docs-agent-action");
  const id = heading === "" ? file : `${file}: ${title}`;
  const found = EXAMPLES[file] ?? RECIPES[heading] ?? PAGES[actions] ?? {};
  if (file === RECIPES_PAGE) {
    // A recipe has no trigger of its own: its entry says with which ones it is tried.
    const trials: Trials = isOne(found) ? { step: found } : found;
    return { source, id, trials, missing: RECIPES[heading] === undefined ? triggers : [] };
  }
  const { each, ...named }: Trials = isOne(found) ? { each: found } : found;
  const tried = Object.keys(named).map(triggerOf);
  const others = triggers.filter((trigger) => !tried.includes(trigger));
  const all = Object.entries(named).filter(([name]) => heading === "" || triggers.includes(name));
  for (const trigger of others) if (each !== undefined) all.push([trigger, each]);
  const missing = others.filter((it) => each === undefined || EVENTS[it] === undefined);
  return { source, id, trials: Object.fromEntries(all) as Trials, missing };
}

function isOne(found: Trials | Trial): found is Trial {
  return "expect" in found;
}

/** Entries for examples and recipes that the project does not show. */
export function staleEntries(sources: readonly Source[]): string[] {
  const shown = sources.flatMap(({ file, heading }) => [file, heading]);
  return Object.keys({ ...EXAMPLES, ...RECIPES }).filter((entry) => !shown.includes(entry));
}
