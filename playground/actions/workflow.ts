/** A workflow file with one job and one step, as the project's examples are. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";

/** How the examples name an action of the project. */
const PUBLISHED = /^[\w-]+\/docs-agent-action(?:\/(\w+))?@/;

export interface Workflow {
  name: string;
  /** Relative to the repository's root. */
  file: string;
  /** Events by name, each with the activity types that count; undefined: all of them. */
  events: Record<string, string[] | undefined>;
  /** Name of the job. */
  job: string;
  /** The job's `if`. */
  condition: string | undefined;
  /** The group of which one run is at work at a time, with expressions in it. */
  group: string | undefined;
  /** Folder of the action, relative to the repository's root. */
  action: string;
  /** What is written under `with:`, with expressions in it. */
  inputs: Record<string, string>;
  timeoutMinutes: number;
}

/** What happened, as GitHub tells a workflow. */
export interface WorkflowEvent {
  /** `issue_comment`, for example. */
  name: string;
  /** Login of whoever caused it. */
  actor: string;
  /** The webhook payload. */
  payload: Record<string, unknown>;
}

/**
 * Reads a workflow of the project.
 *
 * @param file relative to the repository's root
 * @throws when it does not have one job with one step that uses an action of this repository.
 */
export function readWorkflow(file: string): Workflow {
  const source = parse(readFileSync(path.join(REPOSITORY_ROOT, file), "utf8")) as Source;
  const [named, ...otherJobs] = Object.entries(source.jobs);
  if (named === undefined || otherJobs.length > 0) throw new Error(`${file}: expected one job`);
  const [jobName, job] = named;
  const [step, ...otherSteps] = job.steps;
  const uses = PUBLISHED.exec(step?.uses ?? "");
  if (step === undefined || uses === null || otherSteps.length > 0) {
    throw new Error(`${file}: expected one step that uses an action of this repository`);
  }
  const inputs = Object.entries(step.with ?? {}).map(([name, value]) => [name, String(value)]);
  return {
    name: source.name,
    file,
    events: Object.fromEntries(
      Object.entries(source.on).map(([event, filter]) => [event, typesOf(filter)]),
    ),
    job: jobName,
    condition: job.if,
    group: (job.concurrency ?? source.concurrency)?.group,
    action: uses[1] ?? ".",
    inputs: Object.fromEntries(inputs),
    timeoutMinutes: job["timeout-minutes"] ?? 360,
  };
}

/** Whether an event starts a run of the workflow, before its `if` is looked at. */
export function isStartedBy({ events, file }: Workflow, event: WorkflowEvent): boolean {
  const { name, payload } = event;
  if (!Object.hasOwn(events, name)) return false;
  if (name === "workflow_dispatch" && payload.workflow !== file) return false;
  const types = events[name];
  return types === undefined || types.includes(String(payload.action));
}

interface Source {
  name: string;
  on: Record<string, unknown>;
  concurrency?: { group: string };
  jobs: Record<string, SourceJob>;
}

interface SourceJob {
  if?: string;
  "timeout-minutes"?: number;
  concurrency?: { group: string };
  steps: { uses?: string; with?: Record<string, unknown> }[];
}

function typesOf(filter: unknown): string[] | undefined {
  return (filter as { types?: string[] } | null)?.types;
}
