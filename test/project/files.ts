import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
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
export const PAGES = files("*.md", "docs/**/*.md", ".github/**/*.md", "examples/**/*.md");

/** Name of this project in workflows that use it. */
export const PROJECT = "OWNER/docs-agent-action";

export interface Step {
  id?: string;
  if?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
}

export interface Workflow {
  on?: unknown;
  permissions?: unknown;
  concurrency?: unknown;
  jobs: Record<string, Job>;
}

export interface Job {
  if?: string;
  uses?: string;
  steps?: Step[];
  "timeout-minutes"?: number;
  permissions?: Record<string, string>;
  concurrency?: unknown;
}

export function workflow(file: string): Workflow {
  return parse(read(file)) as Workflow;
}

export function steps({ jobs }: Workflow): Step[] {
  return Object.values(jobs).flatMap((job) => job.steps ?? []);
}

/** The YAML in the code blocks of a page. */
export function yamlBlocks(page: string): string[] {
  return [...read(page).matchAll(/^( *)```yaml\n([\s\S]*?)^\1```/gm)].map(
    ([, indent = "", text = ""]) => text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  );
}

/** Every workflow that users copy, with where it is: the examples, and those of the pages. */
export const COPIED: [string, Workflow][] = [
  ...EXAMPLES.map((file): [string, Workflow] => [file, workflow(file)]),
  ...PAGES.flatMap((page) =>
    yamlBlocks(page)
      .map((block) => Object(parse(block)) as Workflow)
      .filter(({ on, jobs }) => on !== undefined && jobs !== undefined)
      .map((copied, index): [string, Workflow] => [`${page} (${index + 1})`, copied]),
  ),
];

/** Every value of the output `errorKind`. */
export const ERROR_KINDS: string[] = Object.keys(KIND_WORDS);
