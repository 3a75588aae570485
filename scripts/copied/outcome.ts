/** What a workflow does when something happens: which of its jobs get a runner, and where its runs wait. */

import { type Contexts, expand, isTrue } from "../../playground/actions/expression.ts";
import { parsePathPattern } from "../../src/text/path-filter.ts";
import type { Happening } from "./happening.ts";
import { type Job, PROJECT, type Step, type Workflow } from "./workflows.ts";

/** A job that gets a runner. */
export interface Started {
  name: string;
  /** Those of its steps that can run. */
  steps: Step[];
}

export interface Group {
  name: string;
  queue: string | undefined;
}

interface Filter {
  types?: string[];
  paths?: string[];
  workflows?: string[];
  inputs?: object;
}

/** GitHub's activity types of an event without `types`. */
const DEFAULT_TYPES: Record<string, string[]> = {
  pull_request: ["opened", "synchronize", "reopened"],
};

/** The filters of an event in a workflow; undefined if it does not run on it. */
export function filterOf({ on }: Workflow, event: string): Filter | undefined {
  if (typeof on === "string" || Array.isArray(on))
    return [on].flat().includes(event) ? {} : undefined;
  const filters = Object(on);
  return Object.hasOwn(filters, event) ? (filters[event] ?? {}) : undefined;
}

/** Whether something starts a run of a workflow. Its jobs may all be skipped. */
export function isTriggered(
  workflow: Workflow,
  { event, action, files, payload }: Happening,
): boolean {
  const filter = filterOf(workflow, event);
  if (filter === undefined) return false;
  const types = filter.types ?? DEFAULT_TYPES[event];
  if (types !== undefined && action !== "" && !types.includes(action)) return false;
  const { paths, workflows } = filter;
  if (workflows !== undefined && !workflows.includes(payload.workflow_run.name)) return false;
  return paths === undefined || files.some((file) => paths.some((path) => isMatch(path, file)));
}

function isMatch(pattern: string, file: string): boolean {
  const parsed = parsePathPattern(pattern);
  if ("problem" in parsed) throw new Error(`${pattern}: ${parsed.problem}`);
  return parsed.matches(file);
}

/** The contexts of a run, of which conditions and groups are made. @param run_id number of the run */
function contextsOf(
  { name = "Docs" }: Workflow,
  { event, payload, ref }: Happening,
  run_id: number,
): Contexts {
  const actor = payload.sender?.login;
  const repository = "acme/app";
  const github = {
    event_name: event,
    event: payload,
    workflow: name,
    repository,
    actor,
    ref,
    run_id,
  };
  // As on github.com: a field that the event does not have is empty.
  return { github, inputs: payload.inputs ?? {} };
}

/** Functions that say how earlier steps and jobs ended: here, all end well. */
const settled = (condition: string) =>
  condition
    .replaceAll(/\b(cancelled|failure)\(\)/g, "false")
    .replaceAll(/\b(success|always)\(\)/g, "true");

function holds(condition: string | undefined, contexts: Contexts): boolean {
  return condition === undefined || isTrue(settled(condition), contexts);
}

/** Contexts that only a run on GitHub has. */
const UNKNOWN = /\b(steps|env|needs|job|runner|matrix)\./;

/** The jobs that get a runner. */
export function startedBy(workflow: Workflow, happening: Happening): Started[] {
  if (!isTriggered(workflow, happening)) return [];
  const contexts = contextsOf(workflow, happening, 1);
  const canRun = ({ if: condition, needs = [] }: Job): boolean =>
    holds(condition, contexts) &&
    [needs].flat().every((name) => {
      const needed = workflow.jobs[name];
      return needed === undefined || canRun(needed);
    });
  return Object.entries(workflow.jobs)
    .filter(([, job]) => canRun(job))
    .map(([name, { steps = [] }]) => ({
      name,
      steps: steps.filter(
        ({ if: condition = "true" }) => UNKNOWN.test(condition) || holds(condition, contexts),
      ),
    }));
}

/** The groups of a run and of its jobs, in which it waits even if it then does nothing. */
export function groupsOf(workflow: Workflow, happening: Happening, runId: number): Group[] {
  const contexts = contextsOf(workflow, happening, runId);
  return [workflow, ...Object.values(workflow.jobs)]
    .map(({ concurrency }) => concurrency)
    .filter((value) => value !== undefined)
    .map((value) => {
      const { group, queue } =
        typeof value === "string" ? { group: value, queue: undefined } : Object(value);
      // GitHub ignores the case of a group's name.
      return { name: expand(group, contexts).toLowerCase(), queue };
    });
}

/** The project's action of a step, `root` for that without a folder; undefined for any other step. */
export function actionOf({ uses = "" }: Step): string | undefined {
  const match = /^(?:\/(?<folder>[a-z]+))?@/.exec(
    uses.startsWith(PROJECT) ? uses.slice(PROJECT.length) : "",
  );
  return match === null ? undefined : (match.groups?.folder ?? "root");
}
