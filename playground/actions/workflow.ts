/** A workflow file as its jobs, those of a workflow of the project that it calls among them. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";

/** How the examples name an action of the project, and a workflow of it. */
const PUBLISHED = /^[\w-]+\/docs-agent-action(?:\/(\w+))?@/;
const CALLED = /^[\w-]+\/docs-agent-action\/(\.github\/workflows\/[\w-]+\.yml)@/;

/** A job of a workflow, with the fields of the workflow. */
export interface Workflow {
  name: string;
  /** Relative to the repository's root. */
  file: string;
  /** The whole file. */
  text: string;
  /** Events by name, each with its activity types and paths; all of them if undefined. */
  events: Record<string, Filter>;
  /** Its schedule, or the first of several; undefined if it has none. */
  cron: string | undefined;
  job: string;
  condition: string | undefined;
  /** The concurrency group, with expressions in it. */
  group: string | undefined;
  /** Whether all runs of the group wait (`queue: max`). Otherwise, one does, until the next one takes its place. */
  keepsWaiting: boolean;
  /** Variables of the job's steps, with expressions in them. */
  env: Values;
  steps: Step[];
  /** Whether the repository's files are checked out before. */
  hasFiles: boolean;
  timeoutMinutes: number;
  /** Null for a job of the file itself. */
  call: Call | null;
}

/** By name, with expressions in them. */
type Values = Record<string, string>;

/** How a job of the file calls the workflow that this job is in. */
interface Call {
  condition: string | undefined;
  /** What the called workflow gets: what the job gives, or the default. */
  inputs: Record<string, { type: string; value: string }>;
  secrets: Values;
}

/** A step of a job. */
export type Step = {
  id: string | undefined;
  condition: string | undefined;
  /** Whether the job goes on if it fails. */
  mayFail: boolean;
} & (
  | {
      type: "action";
      /** Folder, relative to the repository's root. */
      action: string;
      /** What is written under `with:`. */
      inputs: Values;
    }
  | { type: "script"; script: string; env: Values }
  /** An action of others, which does not run here. */
  | { type: "foreign"; uses: string }
);

interface Filter {
  types?: string[];
  paths?: string[];
  /** Names of workflows, of `workflow_run`. */
  workflows?: string[];
}

interface Job {
  if?: string;
  uses?: string;
  with?: Record<string, unknown>;
  secrets?: Record<string, unknown>;
  env?: Record<string, unknown>;
  "timeout-minutes"?: number;
  concurrency?: { group: string; queue?: "single" | "max" };
  steps?: WrittenStep[];
}

interface WrittenStep {
  id?: string;
  if?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, unknown>;
  "continue-on-error"?: boolean;
}

/** A webhook payload. Of all its fields, those that are named here are read. */
export interface EventPayload {
  [field: string]: unknown;
  /** The activity type. */
  action?: string | undefined;
  issue?: EventSubject;
  pull_request?: EventSubject & { head: { sha: string } };
  comment?: { id: number; html_url: string };
  /** Paths of the changed files. On GitHub, they are not in the payload: it compares the commits. */
  changed?: string[];
  /** Another workflow's run that has ended. */
  workflow_run?: { name: string; conclusion: string };
  /** File of the workflow that was dispatched. */
  workflow?: string | undefined;
}

/** An issue or pull request in a payload. */
export interface EventSubject {
  number: number;
  title: string;
}

/** The event that starts a workflow. */
export interface WorkflowEvent {
  /** `issue_comment`, for example. */
  name: string;
  /** Login of the person or app that caused it. */
  actor: string;
  /** The webhook payload. */
  payload: EventPayload;
}

/**
 * Reads a workflow of the project, as its jobs.
 *
 * @param file relative to the repository's root
 */
export function readWorkflow(file: string): Workflow[] {
  const text = read(file);
  const source = parse(text);
  const events = Object.entries(source.on).map(([event, filter]) => [event, filter ?? {}]);
  const common = {
    name: source.name,
    file,
    text,
    events: Object.fromEntries(events),
    cron: source.on.schedule?.[0]?.cron,
  };
  return Object.entries<Job>(source.jobs).flatMap(([name, job]): Workflow[] => {
    const [, called] = CALLED.exec(job.uses ?? "") ?? [];
    if (called === undefined)
      return [
        { ...common, ...jobOf(name, { concurrency: source.concurrency, ...job }), call: null },
      ];
    const { on, jobs } = parse(read(called));
    const call = callOf(job, on.workflow_call.inputs);
    return Object.entries<Job>(jobs).map(([inner, own]) => ({
      ...common,
      ...jobOf(inner, own),
      call,
    }));
  });
}

function read(file: string): string {
  return readFileSync(path.join(REPOSITORY_ROOT, file), "utf8");
}

/** @param declared inputs of the called workflow */
function callOf(job: Job, declared: Record<string, { type: string; default?: unknown }>): Call {
  const inputs = Object.entries(declared).map(([name, { type, default: usual = "" }]) => [
    name,
    { type, value: String(job.with?.[name] ?? usual) },
  ]);
  return {
    condition: job.if,
    inputs: Object.fromEntries(inputs),
    secrets: asTexts(job.secrets),
  };
}

function jobOf(name: string, job: Job) {
  const written = job.steps ?? [];
  const steps = written.filter(({ uses }) => !uses?.startsWith("actions/checkout@"));
  return {
    job: name,
    condition: job.if,
    group: job.concurrency?.group,
    keepsWaiting: job.concurrency?.queue === "max",
    env: asTexts(job.env),
    steps: steps.map(readStep),
    hasFiles: steps.length < written.length,
    timeoutMinutes: job["timeout-minutes"] ?? 360,
  };
}

function readStep(step: WrittenStep): Step {
  const { uses = "", run } = step;
  const common = {
    id: step.id,
    condition: step.if,
    mayFail: step["continue-on-error"] === true,
  };
  if (run !== undefined) return { ...common, type: "script", script: run, env: asTexts(step.env) };
  const [published, action = "."] = PUBLISHED.exec(uses) ?? [];
  if (published === undefined) return { ...common, type: "foreign", uses };
  return { ...common, type: "action", action, inputs: asTexts(step.with) };
}

function asTexts(values: Record<string, unknown> = {}): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** The folder of the only action of a job; undefined if it uses none, or several. */
export function actionOf({ steps }: Pick<Workflow, "steps">): string | undefined {
  const actions = steps.flatMap((step) => (step.type === "action" ? [step.action] : []));
  return actions.length === 1 ? actions[0] : undefined;
}

/** The activity types that start a workflow which names none; all of them for any other event. */
const USUAL_TYPES: Record<string, string[]> = {
  pull_request: ["opened", "synchronize", "reopened"],
};

/** Whether an event starts a run of the workflow, without its job's `if`. */
export function isStartedBy({ events, file }: Workflow, { name, payload }: WorkflowEvent): boolean {
  const filter = Object.hasOwn(events, name) ? events[name] : undefined;
  if (filter === undefined) return false;
  // A dispatch and a schedule start one workflow.
  if ((payload.workflow ?? file) !== file) return false;
  const { types = USUAL_TYPES[name], paths, workflows } = filter;
  const { changed = [], workflow_run: ended } = payload;
  return (
    (workflows?.includes(ended?.name ?? "") ?? true) &&
    (types?.includes(payload.action ?? "") ?? true) &&
    (paths?.some((pattern) => changed.some((file) => matches(pattern, file))) ?? true)
  );
}

/** @param pattern a path, or a folder with `**` after it */
function matches(pattern: string, file: string): boolean {
  return pattern.endsWith("/**") ? file.startsWith(pattern.slice(0, -2)) : file === pattern;
}

/** Whether it runs on demand or on a schedule by itself. */
export function canBeRun({ events, call }: Workflow): boolean {
  return call === null && ("workflow_dispatch" in events || "schedule" in events);
}
