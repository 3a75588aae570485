/** Finds the trials of a workflow that the project shows. */

import { EVENTS } from "../events.ts";
import { type Trial, type Trials, triggerOf } from "./trial.ts";
import { EXAMPLES, PAGES, RECIPES } from "./trials.ts";
import { type Source, triggersOf, usedOf } from "./workflow.ts";

/** Its blocks of steps are recipes. */
export const RECIPES_PAGE = "docs/root-action.md";

export interface Plan {
  source: Source;
  /** Name of the source. */
  id: string;
  trials: Trials;
  /** Triggers of its workflow without a trial. */
  missing: string[];
}

/** The trials of a source. */
export function planFor(source: Source): Plan {
  const { file, heading, contents } = source;
  const triggers = Array.isArray(contents) ? ["step"] : triggersOf(contents);
  const actions = usedOf(contents).join("+");
  const isRecipe = file === RECIPES_PAGE && Array.isArray(contents);
  const title = isRecipe ? heading : actions.replace(/^\./, "docs-agent-action");
  const id = heading === "" ? file : `${file}: ${title}`;
  const entry = EXAMPLES[file] ?? RECIPES[heading] ?? PAGES[actions] ?? {};
  if (isRecipe) {
    // A recipe has no trigger of its own: its entry names those of its trials.
    const trials: Trials = isTrial(entry) ? { step: entry } : entry;
    return { source, id, trials, missing: RECIPES[heading] === undefined ? triggers : [] };
  }
  const { each, ...named }: Trials = isTrial(entry) ? { each: entry } : entry;
  const tried = Object.keys(named).map(triggerOf);
  const others = triggers.filter((trigger) => !tried.includes(trigger));
  const isShown = (name: string) => heading === "" || triggers.includes(triggerOf(name));
  const all = Object.entries(named).filter(([name]) => isShown(name));
  for (const trigger of others) if (each !== undefined) all.push([trigger, each]);
  const missing = others.filter((trigger) => each === undefined || EVENTS[trigger] === undefined);
  return { source, id, trials: Object.fromEntries(all), missing };
}

function isTrial(entry: Trials | Trial): entry is Trial {
  return "expect" in entry;
}

/** Entries for examples and recipes that the project does not show. */
export function staleEntries(sources: readonly Source[]): string[] {
  const shown = sources.flatMap(({ file, heading }) => [file, heading]);
  return Object.keys({ ...EXAMPLES, ...RECIPES }).filter((name) => !shown.includes(name));
}
