/** A workflow file whose jobs use one action each, as the project's examples do. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";

/** How the examples name an action of the project. */
const PUBLISHED = /^[\w-]+\/docs-agent-action(?:\/(\w+))?@/;

/** A job of a workflow, with the fields of the workflow. */
export interface Workflow {
  name: string;
  /** Relative to the repository's root. */
  file: string;
  /** The whole file. */
  text: string;
  /** Events by name, each with its activity types and paths; all of them if undefined. */
  events: Record<string, Filter>;
  job: string;
  condition: string | undefined;
  /** The concurrency group, with expressions in it. */
  group: string | undefined;
  /** Whether all runs of the group wait (`queue: max`). Otherwise, one does, until the next one takes its place. */
  keepsWaiting: boolean;
  /** Folder of the action, relative to the repository's root. */
  action: string;
  /** Whether the repository's files are checked out before. */
  hasFiles: boolean;
  /** What is written under `with:`, with expressions in it. */
  inputs: Record<string, string>;
  timeoutMinutes: number;
}

interface Filter {
  types?: string[];
  paths?: string[];
}

interface Job {
  if?: string;
  "timeout-minutes"?: number;
  concurrency?: { group: string; queue?: "single" | "max" };
  steps: { uses?: string; with?: Record<string, unknown> }[];
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
 * @throws if a job has any step that does not use an action of this repository
 */
export function readWorkflow(file: string): Workflow[] {
  const text = readFileSync(path.join(REPOSITORY_ROOT, file), "utf8");
  const source = parse(text);
  const events = Object.entries(source.on).map(([event, filter]) => [event, filter ?? {}]);
  return Object.entries<Job>(source.jobs).map(([name, job]) => {
    const steps = job.steps.filter(({ uses }) => !uses?.startsWith("actions/checkout@"));
    const [step] = steps;
    const uses = PUBLISHED.exec(step?.uses ?? "");
    if (step === undefined || uses === null || steps.length > 1) {
      throw new Error(`${file}: expected one step that uses an action of this repository`);
    }
    const { group, queue }: NonNullable<Job["concurrency"]> =
      job.concurrency ?? source.concurrency ?? {};
    const inputs = Object.entries(step.with ?? {}).map(([input, value]) => [input, String(value)]);
    return {
      name: source.name,
      file,
      text,
      events: Object.fromEntries(events),
      job: name,
      condition: job.if,
      group,
      keepsWaiting: queue === "max",
      action: uses[1] ?? ".",
      hasFiles: steps.length < job.steps.length,
      inputs: Object.fromEntries(inputs),
      timeoutMinutes: job["timeout-minutes"] ?? 360,
    };
  });
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
  const { types = USUAL_TYPES[name], paths } = filter;
  const { changed = [] } = payload;
  return (
    (types?.includes(payload.action ?? "") ?? true) &&
    (paths?.some((pattern) => changed.some((file) => matches(pattern, file))) ?? true)
  );
}

/** @param pattern a path, or a folder with `**` after it */
function matches(pattern: string, file: string): boolean {
  return pattern.endsWith("/**") ? file.startsWith(pattern.slice(0, -2)) : file === pattern;
}

/** Whether it runs on demand or on a schedule. */
export function canBeRun({ events }: Workflow): boolean {
  return "workflow_dispatch" in events || "schedule" in events;
}
