/** Every workflow that users copy: the examples, the templates, and those in the code blocks of pages. */

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { TEAM } from "../release.ts";

export interface Step {
  id?: string;
  if?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
}

export interface Job {
  if?: string;
  needs?: string | string[];
  uses?: string;
  with?: Record<string, unknown>;
  secrets?: Record<string, string>;
  steps?: Step[];
  "timeout-minutes"?: number;
  permissions?: Record<string, string>;
  concurrency?: unknown;
}

export interface Workflow {
  name?: string;
  on?: unknown;
  permissions?: unknown;
  concurrency?: unknown;
  jobs: Record<string, Job>;
}

export interface CopiedWorkflow {
  /** Its file; of one in a page, with its number there. */
  where: string;
  /** The text of the file or of the code block. */
  text: string;
  asWritten: Workflow;
  /** With the jobs of the team workflow in place of those that call it. */
  workflow: Workflow;
}

/** Name of this project in workflows that use it. */
export const PROJECT = "OWNER/docs-agent-action";

/** How a workflow calls the team workflow. */
export const CALLS_TEAM = `${PROJECT}/${TEAM}@v1`;

/** The YAML in the code blocks of a page. */
export function yamlBlocks(page: string): string[] {
  return [...page.matchAll(/^( *)```yaml\n([\s\S]*?)^\1```/gm)].map(([, indent = "", text = ""]) =>
    text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  );
}

/** @param root folder of the project */
export function readCopied(root: string): CopiedWorkflow[] {
  const read = (file: string) => readFileSync(path.join(root, file), "utf8");
  const named = (...patterns: string[]) =>
    globSync(patterns, { cwd: root })
      .map((file) => file.replaceAll(path.sep, "/"))
      .sort();
  const team = read(TEAM);
  const files = named("examples/*.yml", "workflow-templates/*.yml").map((where) => ({
    where,
    text: read(where),
  }));
  const blocks = named("*.md", "docs/**/*.md", "examples/**/*.md").flatMap((page) =>
    yamlBlocks(read(page))
      .filter((text) => isWorkflow(parse(text)))
      .map((text, index) => ({ where: `${page} (${index + 1})`, text })),
  );
  return [...files, ...blocks].map(({ where, text }) => {
    const asWritten: Workflow = parse(text);
    return { where, text, asWritten, workflow: withCalledJobs(asWritten, team) };
  });
}

/** Whether YAML is a whole workflow, not a part of one. */
function isWorkflow(contents: unknown): boolean {
  const { on, jobs } = Object(contents);
  return on !== undefined && jobs !== undefined;
}

/** A condition or value without `${{ }}` around it, for a part of another expression. */
const bare = (text: string) => /^\s*\$\{\{([\s\S]*)\}\}\s*$/.exec(text)?.[1] ?? text;

/** A workflow with the jobs of the team workflow in place of those that call it. @param team text of that workflow */
export function withCalledJobs(caller: Workflow, team: string): Workflow {
  const jobs = Object.entries(caller.jobs).flatMap(([name, job]): [string, Job][] =>
    job.uses === CALLS_TEAM ? calledJobs(job, team) : [[name, job]],
  );
  return { ...caller, jobs: Object.fromEntries(jobs) };
}

/** The jobs of the team workflow as a calling job has them run: with its inputs, and under its condition. */
function calledJobs(caller: Job, team: string): [string, Job][] {
  const { inputs } = Object(parse(team).on).workflow_call;
  const givenTo = (name: string): string => {
    const value: unknown = caller.with?.[name] ?? inputs[name].default ?? "";
    if (typeof value !== "string") return String(value);
    return value.startsWith("${{") ? `(${bare(value).trim()})` : `'${value.replaceAll("'", "''")}'`;
  };
  const { jobs }: Workflow = JSON.parse(JSON.stringify(parse(team)), (_, value) =>
    typeof value === "string"
      ? value.replaceAll(/\binputs\.([\w-]+)/g, (_whole, name: string) => givenTo(name))
      : value,
  );
  const condition = `(${bare(caller.if ?? "true")})`;
  return Object.entries(jobs).map(([name, job]) => [
    name,
    { ...job, if: `${condition} && (${bare(job.if ?? "true")})` },
  ]);
}
