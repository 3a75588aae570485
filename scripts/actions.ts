/**
 * Every action of the project, in the order of the README. Whatever lists them reads them here: the build, the
 * tables of the docs, `npm run size`, the layers of the source, and the test of all inputs.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";

const ROOT = path.join(import.meta.dirname, "..");

export interface Action {
  /** As its file in src/entrypoints/ and its folder in dist/ are called. */
  name: string;
  /** The file that declares it. */
  metadata: string;
  /** Its folder in src/. */
  source: string;
  /** Its page for users. */
  page: string;
}

/** To add an action, add its name: its files are then NAME/action.yml, src/NAME/, docs/NAME.md. */
export const ACTIONS: Action[] = [
  named("main", { folder: "", source: "run", page: "root-action" }),
  named("upkeep"),
  named("gate"),
  named("land"),
  named("collect"),
  named("queue"),
  named("assistant"),
  named("jobs", { source: "job-list" }),
];

function named(name: string, { folder = name, source = name, page = name } = {}): Action {
  const metadata = path.posix.join(folder, "action.yml");
  return { name, metadata, source, page: `docs/${page}.md` };
}

/** The function with which an action begins, as its entrypoint imports it: its name, and its file. */
export function beginningOf({ name }: Pick<Action, "name">): { name: string; file: string } {
  const entrypoint = readFileSync(path.join(ROOT, `src/entrypoints/${name}.ts`), "utf8");
  const [, started = ""] = /runEntrypoint\((\w+)/.exec(entrypoint) ?? [];
  const [, from] = new RegExp(`{.*\\b${started}\\b.*} from "../(.+)";`).exec(entrypoint) ?? [];
  if (from === undefined) throw new Error(`src/entrypoints/${name}.ts imports no action`);
  return { name: started, file: `src/${from}` };
}

/** What an `action.yml` declares: its inputs, and whether it has a post step. */
export function metadataOf({ metadata }: Action) {
  const { inputs, runs } = parse(readFileSync(path.join(ROOT, metadata), "utf8"));
  return {
    inputs: (inputs ?? {}) as Record<string, { default?: unknown } | null>,
    hasPostStep: runs.post !== undefined,
  };
}
