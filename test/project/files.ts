import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import {
  CALLS_TEAM,
  readCopied,
  type Step,
  type Workflow,
} from "../../scripts/copied/workflows.ts";
import { KIND_WORDS } from "../../src/runtime/errors.ts";

/** The project's own files that match, by their path from its root, with `/` on every system. */
export function files(...patterns: string[]): string[] {
  const paths = globSync(patterns, {
    cwd: REPOSITORY_ROOT,
    exclude: (name) => ["node_modules", "dist", "build", ".git"].includes(path.basename(name)),
  });
  return paths.map((file) => file.replaceAll(path.sep, "/")).sort();
}

export function read(file: string): string {
  return readFileSync(path.join(REPOSITORY_ROOT, file), "utf8");
}

/** Each `action.yml`: the root's, and one in a folder for each other action. */
export const METADATA = files("action.yml", "*/action.yml");
export const WORKFLOWS = files(".github/workflows/*.yml");
export const EXAMPLES = files("examples/*.yml");
/** What organizations offer on the page for new workflows. */
export const TEMPLATES = files("workflow-templates/*.yml");
export const PAGES = files("*.md", "docs/**/*.md", ".github/**/*.md", "examples/**/*.md");

export function workflow(file: string): Workflow {
  return parse(read(file)) as Workflow;
}

export function steps({ jobs }: Workflow): Step[] {
  return Object.values(jobs).flatMap((job) => job.steps ?? []);
}

/** Every workflow that users copy. */
export const COPIED = readCopied(REPOSITORY_ROOT);

/** One of them, with the jobs of the workflow that it calls. */
export function copiedFrom(file: string): Workflow {
  const found = COPIED.find(({ where }) => where === file);
  if (found === undefined) throw new Error(`${file} is no workflow that users copy`);
  return found.workflow;
}

/** Those that call the team workflow. */
export const CALLERS = COPIED.filter(({ asWritten }) =>
  Object.values(asWritten.jobs).some(({ uses }) => uses === CALLS_TEAM),
);

/** Every value of the output `errorKind`. */
export const ERROR_KINDS: string[] = Object.keys(KIND_WORDS);
