import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { TEAM } from "../../scripts/release.ts";
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
  with?: Record<string, unknown>;
  secrets?: Record<string, string>;
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

/** How a workflow calls the team workflow. */
export const CALLS_TEAM = `${PROJECT}/${TEAM}@v1`;

/** The condition without `${{ }}` around it, for a part of another one. */
const conditionOf = ({ if: condition = "true" }: Job) =>
  `(${/^\s*\$\{\{([\s\S]*)\}\}\s*$/.exec(condition)?.[1] ?? condition})`;

/** The jobs of the team workflow as a calling job has them run: with its inputs, and under its condition. */
function calledJobs(caller: Job): [string, Job][] {
  const { inputs } = Object(workflow(TEAM).on).workflow_call;
  const givenTo = (name: string): unknown => caller.with?.[name] ?? inputs[name].default ?? "";
  const literal = (value: unknown) => (typeof value === "string" ? `'${value}'` : String(value));
  const text = read(TEAM)
    .replaceAll(/\binputs\.([\w-]+)/g, (_, name: string) => literal(givenTo(name)))
    // No run is cancelled here.
    .replaceAll("cancelled()", "false");
  return Object.entries((parse(text) as Workflow).jobs).map(([name, job]) => {
    return [name, { ...job, if: `${conditionOf(caller)} && ${conditionOf(job)}` }];
  });
}

/** A workflow with the jobs of the team workflow in place of those that call it. */
export function withCalledJobs(caller: Workflow): Workflow {
  const jobs = Object.entries(caller.jobs).flatMap(([name, job]): [string, Job][] =>
    job.uses === CALLS_TEAM ? calledJobs(job) : [[name, job]],
  );
  return { ...caller, jobs: Object.fromEntries(jobs) };
}

/** The YAML in the code blocks of a page. */
export function yamlBlocks(page: string): string[] {
  return [...read(page).matchAll(/^( *)```yaml\n([\s\S]*?)^\1```/gm)].map(
    ([, indent = "", text = ""]) => text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  );
}

/** Every workflow that users copy, with where it is: the examples, the templates, and those of the pages. */
const COPIED_AS_WRITTEN: [string, Workflow][] = [
  ...[...EXAMPLES, ...TEMPLATES].map((file): [string, Workflow] => [file, workflow(file)]),
  ...PAGES.flatMap((page) =>
    yamlBlocks(page)
      .map((block) => Object(parse(block)) as Workflow)
      .filter(({ on, jobs }) => on !== undefined && jobs !== undefined)
      .map((copied, index): [string, Workflow] => [`${page} (${index + 1})`, copied]),
  ),
];

/** Those that call the team workflow. */
export const CALLERS = COPIED_AS_WRITTEN.filter(([, { jobs }]) =>
  Object.values(jobs).some(({ uses }) => uses === CALLS_TEAM),
);

/** Every workflow that users copy, with the jobs of the workflow that it calls. */
export const COPIED = COPIED_AS_WRITTEN.map(([where, copied]): [string, Workflow] => [
  where,
  withCalledJobs(copied),
]);

/** Every value of the output `errorKind`. */
export const ERROR_KINDS: string[] = Object.keys(KIND_WORDS);
