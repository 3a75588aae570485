/** The workflows and steps that the project shows, and the changes with which they run on this machine. */

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse, stringify } from "yaml";
import type { Access, Permissions } from "../../emulator/github/site.ts";

export const ROOT = path.join(import.meta.dirname, "../..");

/** A parsed workflow: the parts that are read or changed here. */
export interface WorkflowFile {
  /** One event, several, or each with its filters. */
  on: string | string[] | Record<string, unknown>;
  jobs: Record<string, WorkflowJob>;
  [key: string]: unknown;
}

export interface WorkflowJob {
  /** The workflow that it calls, in place of steps. */
  uses?: string;
  steps?: Step[];
  with?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface Step {
  id?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  [key: string]: unknown;
}

/** An expression in a workflow. */
export const expression = (text: string): string => `\${{ ${text} }}`;

/** The inputs with which the examples reach the service. */
const ACCESS = {
  "api-key": expression("secrets.DOCS_API_KEY"),
  "project-id": expression("vars.DOCS_PROJECT_ID"),
};

/** A step that uses an action of the project. @param path of the action, with a slash before */
export function ownStep(path: string, inputs: object = {}): Step {
  const uses = `OWNER/docs-agent-action${path}@v1`;
  return { id: "agent", uses, with: { ...ACCESS, ...inputs } };
}

/** Something that a reader may copy. */
export interface Source {
  /** From the root, with `/` on every system. */
  file: string;
  /** Heading of the section that it is in; empty for a file of its own. */
  heading: string;
  contents: WorkflowFile | Step[];
}

/** The examples, and the code blocks of pages that use the project's actions. */
export function readSources(): Source[] {
  const filesLike = (pattern: string) =>
    globSync(pattern, { cwd: ROOT })
      .map((file) => file.replaceAll(path.sep, "/"))
      .sort();
  const examples = filesLike("examples/*.yml").map(
    (file): Source => ({ file, heading: "", contents: parse(read(file)) }),
  );
  const pages = filesLike("{README.md,{docs,examples}/*.md}");
  return [...examples, ...pages.flatMap((file) => blocksOf(file, read(file)))];
}

/** The text of a file of the project. */
export function read(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}

/** The code blocks of a page that use an action of the project. */
function blocksOf(file: string, page: string): Source[] {
  const pattern = /^#+ +(.+)$|^( *)```ya?ml\n([\s\S]*?)^\2```/gm;
  const sources: Source[] = [];
  let heading = "";
  for (const [, title, indent = "", text = ""] of page.matchAll(pattern)) {
    heading = title ?? heading;
    if (title !== undefined || !/uses: [\w-]+\/docs-agent-action/.test(text)) continue;
    const contents = parse(text.replaceAll(new RegExp(`^${indent}`, "gm"), ""));
    sources.push({ file, heading, contents });
  }
  return sources;
}

/** The folder of the project's action that a step uses, `.` for the root action; undefined for any other step. */
function ownAction({ uses = "" }: Step): string | undefined {
  const match = /^[\w-]+\/docs-agent-action(?:\/([\w-]+))?@/.exec(uses);
  return match === null ? undefined : (match[1] ?? ".");
}

/** The file of the project's workflow that a job calls; undefined for a job with steps. */
function calledFile({ uses = "" }: WorkflowJob): string | undefined {
  return /^[\w-]+\/docs-agent-action\/(\.github\/workflows\/[\w-]+\.yml)@/.exec(uses)?.[1];
}

export function stepsOf(contents: WorkflowFile | Step[]): Step[] {
  if (Array.isArray(contents)) return contents;
  return Object.values(contents.jobs).flatMap(({ steps = [] }) => steps);
}

/** What a workflow or its steps use of the project, once each: folders of actions, and the names of called files. */
export function usedOf(contents: WorkflowFile | Step[]): string[] {
  const jobs = Array.isArray(contents) ? [] : Object.values(contents.jobs);
  const called = jobs.flatMap((job) => calledFile(job) ?? []).map((file) => path.basename(file));
  return [...new Set([...stepsOf(contents).flatMap((step) => ownAction(step) ?? []), ...called])];
}

/** Every trigger in the workflow's `on`, one for each activity type that it names, such as `issues: labeled`. */
export function triggersOf({ on }: Pick<WorkflowFile, "on">): string[] {
  if (typeof on === "string" || Array.isArray(on)) return [on].flat();
  return Object.entries(on).flatMap(([event, filter]) => {
    const { types } = (filter ?? {}) as { types?: string[] };
    return types?.map((type) => `${event}: ${type}`) ?? [event];
  });
}

/** Scopes of the workflow's token that the emulated GitHub checks. */
const SCOPES = ["contents", "issues", "pull-requests", "checks", "statuses"] as const;
const RANK: Record<Access, number> = { none: 0, read: 1, write: 2 };

/**
 * The permissions of the workflow's token. Jobs share one token here, so that it has those of all jobs.
 *
 * @returns no restrictions if a job has the repository's default, which is not in the file
 */
export function permissionsOf({ permissions, jobs }: WorkflowFile): Permissions {
  const asked = Object.values(jobs).map((job) => job.permissions ?? permissions);
  if (asked.includes(undefined)) return {};
  const held = SCOPES.map((scope): [string, Access] => {
    const levels = asked.map((job) => (job as Record<string, Access>)[scope] ?? "none");
    return [scope.replace("-", "_"), levels.toSorted((a, b) => RANK[b] - RANK[a])[0] ?? "none"];
  });
  return Object.fromEntries(held);
}

/** Where the emulated services are. */
interface Local {
  serviceUrl: string;
  gitHubUrl: string;
  token: string;
}

/**
 * The workflow with the emulated services' URLs in each step of the project, and with the local token in place of steps
 * that create one. A job that calls the project's workflow calls the local file. Everything else stays as it is; for a
 * checkout, act copies the files. Groups are left out: act has none, and refuses a file with `queue`.
 *
 * @throws for an action of others that has no replacement here
 */
export function localWorkflow(workflow: WorkflowFile, local: Local): WorkflowFile {
  const changed = structuredClone(workflow);
  for (const part of [changed, ...Object.values(changed.jobs)]) delete part.concurrency;
  for (const job of Object.values(changed.jobs)) {
    const file = calledFile(job);
    if (file === undefined) continue;
    job.uses = `./${file}`;
    job.with = { ...job.with, "base-url": local.serviceUrl };
  }
  for (const step of stepsOf(changed)) {
    const [name = ""] = (step.uses ?? "").split("@");
    if (ownAction(step) !== undefined) {
      // Under this tag, act has the working copy.
      step.uses = `${name}@v1`;
      step.with = { ...step.with, "base-url": local.serviceUrl, "github-api-url": local.gitHubUrl };
    } else if (name === "actions/create-github-app-token") {
      delete step.uses;
      delete step.with;
      step.run = `echo "token=${local.token}" >> "$GITHUB_OUTPUT"`;
    } else if (name !== "" && name !== "actions/checkout") {
      throw new Error(
        `There is no replacement for ${name}: add one to scripts/try-examples/workflow.ts.`,
      );
    }
  }
  return changed;
}

/** The project's workflows that a workflow calls, as they run here: texts by their paths. */
export function localCalled({ jobs }: WorkflowFile, local: Local): Record<string, string> {
  const files = Object.values(jobs).flatMap((job) => calledFile(job) ?? []);
  // The caller says where the service is.
  const inside = { ...local, serviceUrl: expression("inputs.base-url") };
  const texts = files.map((file) => [file, stringify(localWorkflow(parse(read(file)), inside))]);
  return Object.fromEntries(texts);
}
