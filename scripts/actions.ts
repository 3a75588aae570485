/**
 * Every action of the project, in the order of the README. The build, the tables of the docs, the layers of the source
 * and the test of all inputs read this list.
 */

import { readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(import.meta.dirname, "..");

/** A function, and the file in src/ that exports it. */
interface Exported {
  name: string;
  file: string;
}

export interface Action {
  /** As its folders in src/ and dist/ are called. */
  name: string;
  /** The file that declares it. */
  metadata: string;
  /** The function that it begins with, of the type Action of src/entrypoints/run-entrypoint.ts. */
  begins: Exported;
  /** The function of its post step, for a main step that was killed, as `runEntrypoint` takes it. */
  postStep: Exported | undefined;
  /** Its page for users. */
  page: string;
}

const RECORD_RUN = { name: "recordKilledRun", file: "src/batches/post-step.ts" };

/**
 * To add an action, add its name: its files are then NAME/action.yml, src/NAME/, docs/NAME.md, and it begins with the
 * function NAME in src/NAME/NAME.ts.
 */
export const ACTIONS: Action[] = [
  named("root", {
    metadata: "action.yml",
    page: "docs/root-action.md",
    postStep: { name: "recover", file: "src/root/recover.ts" },
  }),
  named("upkeep", { postStep: RECORD_RUN }),
  named("gate", { postStep: RECORD_RUN }),
  named("land", { postStep: { name: "recordKilledLand", file: "src/land/land.ts" } }),
  named("deploy", { postStep: { name: "recordKilledDeploy", file: "src/deploy/deploy.ts" } }),
  named("doctor", { postStep: { name: "removeTrialRef", file: "src/doctor/doctor.ts" } }),
  named("collect", { page: "docs/by-comment.md" }),
  named("queue", { postStep: RECORD_RUN }),
  named("assistant", { page: "docs/assistant-and-jobs.md" }),
  named("jobs", { page: "docs/assistant-and-jobs.md" }),
];

function named(name: string, special: Partial<Action> = {}): Action {
  const begins = { name, file: `src/${name}/${name}.ts` };
  const [metadata, page] = [`${name}/action.yml`, `docs/${name}.md`];
  return { name, metadata, begins, postStep: undefined, page, ...special };
}

/** The code that a bundle starts with. */
export function startOf(entry: string): string {
  const { begins, postStep } = ACTIONS.find(({ name }) => name === entry) ?? {};
  const runEntrypoint = { name: "runEntrypoint", file: "src/entrypoints/run-entrypoint.ts" };
  const used = [runEntrypoint, begins, postStep].filter((exported) => exported !== undefined);
  const imports = used.map(({ name, file }) => `import { ${name} } from "./${file}";\n`);
  return `${imports.join("")}void runEntrypoint(${used.slice(1).map(({ name }) => name)});`;
}

/** Version and title of a bundle, for its log. @param entry the bundle's folder in dist/ */
export function buildInfoOf(entry: string): { version: string; title: string } {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  return { version, title: `Docs ${entry === "root" ? "agent" : entry}` };
}
