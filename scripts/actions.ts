/**
 * Every action of the project, in the order of the README. Whatever lists them reads them here: the build, the
 * tables of the docs, `npm run size`, the layers of the source, and the test of all inputs.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";

const ROOT = path.join(import.meta.dirname, "..");

/** A function, and the file in src/ that exports it. */
interface Exported {
  name: string;
  file: string;
}

export interface Action {
  /** As its folder in dist/ is called. */
  name: string;
  /** The file that declares it. */
  metadata: string;
  /** Its folder in src/. */
  source: string;
  /** The function that it begins with, of the type Action of src/entrypoints/run-entrypoint.ts. */
  begins: Exported;
  /** Its page for users. */
  page: string;
}

/**
 * To add an action, add its name: its files are then NAME/action.yml, src/NAME/, docs/NAME.md, and it begins with the
 * function NAME in src/NAME/NAME.ts.
 */
export const ACTIONS: Action[] = [
  named("main", { folder: "", source: "run", page: "root-action" }),
  named("upkeep"),
  named("gate"),
  named("land"),
  named("collect"),
  named("queue"),
  named("assistant", { begins: "askAssistant" }),
  named("jobs", { source: "job-list", begins: "listJobs" }),
];

/** What the bundles of post steps run if their main step has left something, as src/entrypoints/run-post-step.ts takes it. */
const POST_STEPS: Record<string, Exported> = {
  post: { name: "recover", file: "src/run/recover.ts" },
  "land-post": { name: "recordKilledLand", file: "src/land/land.ts" },
  "ledger-post": { name: "recordKilledRun", file: "src/ledger/run/post-step.ts" },
};

function named(
  name: string,
  { folder = name, source = name, page = name, begins = "" } = {},
): Action {
  const metadata = path.posix.join(folder, "action.yml");
  const file = `src/${source}/${source}.ts`;
  const exported = { name: begins || source, file };
  return { name, metadata, source, begins: exported, page: `docs/${page}.md` };
}

/** The code that a bundle starts with: it imports and runs one action or post step. */
export function startOf(entry: string): string {
  const post = POST_STEPS[entry];
  if (post !== undefined) {
    return `import { runPostStep } from "./src/entrypoints/run-post-step.ts";
void runPostStep(async () => (await import("./${post.file}")).${post.name});`;
  }
  const begins = ACTIONS.find(({ name }) => name === entry)?.begins;
  if (begins === undefined) throw new Error(`${entry} is neither an action nor a post step`);
  return `import { runEntrypoint } from "./src/entrypoints/run-entrypoint.ts";
import { ${begins.name} } from "./${begins.file}";
void runEntrypoint(${begins.name});`;
}

/** What an `action.yml` declares: its inputs, and the entrypoints of its main and post steps. */
export function metadataOf({ metadata }: Action) {
  const { inputs, runs } = parse(readFileSync(path.join(ROOT, metadata), "utf8"));
  const bundles: string[] = [runs.main, runs.post].filter((file) => file !== undefined);
  return {
    inputs: (inputs ?? {}) as Record<string, { default?: unknown } | null>,
    entrypoints: bundles.map((file) => path.basename(path.dirname(file))),
  };
}

/** What headings and annotations call the action of a bundle; upkeep and queue have the same post step. */
export function titleOf(entry: string): string {
  const users = ACTIONS.filter((action) => metadataOf(action).entrypoints.includes(entry));
  const name = users.length === 1 ? users[0]?.name : "ledger";
  return `Docs ${name === "main" ? "agent" : name}`;
}

/** The names of the bundles that runners load. */
export function entrypoints(): string[] {
  return [...new Set(ACTIONS.flatMap((action) => metadataOf(action).entrypoints))];
}
