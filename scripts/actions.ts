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
  /** What its post step does if the main step was killed, of the type PostStep there. */
  postStep: Exported | undefined;
  /** Its page for users. */
  page: string;
}

const RECOVER = { name: "recover", file: "src/run/recover.ts" };
const RECORD_LAND = { name: "recordKilledLand", file: "src/land/run.ts" };
const RECORD_RUN = { name: "recordKilledRun", file: "src/ledger/run/post-step.ts" };

/**
 * To add an action, add its name: its files are then NAME/action.yml, src/NAME/, docs/NAME.md, and it begins with the
 * function NAME in src/NAME/NAME.ts.
 */
export const ACTIONS: Action[] = [
  named("main", { folder: "", source: "run", page: "root-action", postStep: RECOVER }),
  named("upkeep", { postStep: RECORD_RUN }),
  named("gate", { postStep: RECORD_RUN }),
  named("land", { postStep: RECORD_LAND }),
  named("collect"),
  named("queue", { postStep: RECORD_RUN }),
  named("assistant", { begins: "askAssistant" }),
  named("jobs", { source: "job-list", begins: "listJobs" }),
];

interface Names {
  folder?: string;
  source?: string;
  page?: string;
  begins?: string;
  postStep?: Exported;
}

function named(
  name: string,
  { folder = name, source = name, page = name, begins = source, postStep }: Names = {},
): Action {
  const metadata = path.posix.join(folder, "action.yml");
  const exported = { name: begins, file: `src/${source}/${source}.ts` };
  return { name, metadata, source, begins: exported, postStep, page: `docs/${page}.md` };
}

/** The code that a bundle starts with. */
export function startOf(entry: string): string {
  const { begins, postStep } = ACTIONS.find(({ name }) => name === entry) ?? {};
  const runEntrypoint = { name: "runEntrypoint", file: "src/entrypoints/run-entrypoint.ts" };
  const used = [runEntrypoint, begins, postStep].filter((it) => it !== undefined);
  const imports = used.map(({ name, file }) => `import { ${name} } from "./${file}";\n`);
  return `${imports.join("")}void runEntrypoint(${used.slice(1).map(({ name }) => name)});`;
}

/** What an `action.yml` declares: its inputs, and whether it has a post step. */
export function metadataOf({ metadata }: Action) {
  const { inputs, runs } = parse(readFileSync(path.join(ROOT, metadata), "utf8"));
  return {
    inputs: (inputs ?? {}) as Record<string, { default?: unknown } | null>,
    hasPostStep: runs.post !== undefined,
  };
}
