/** A workflow as its YAML has it: the parts that are read or changed here. */

import type { Access, Permissions } from "../../emulator/github/site.ts";

export interface WorkflowFile {
  /** One event, several, or each with its filters. */
  on: string | string[] | Record<string, unknown>;
  jobs: Record<string, Job>;
  [key: string]: unknown;
}

export interface Job {
  steps: Step[];
  [key: string]: unknown;
}

export interface Step {
  id?: string;
  if?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  [key: string]: unknown;
}

/** What triggers a workflow. */
export interface Trigger {
  event: string;
  /** The activity type; undefined for events without one. */
  type: string | undefined;
}

const PUBLISHED = /^OWNER\/docs-agent-action(?:\/([\w-]+))?@/;

/** The folder of the project's action that a step uses, `.` for the root action; undefined for any other step. */
export function ownAction({ uses = "" }: Step): string | undefined {
  const match = PUBLISHED.exec(uses);
  return match === null ? undefined : (match[1] ?? ".");
}

export function stepsOf({ jobs }: WorkflowFile): Step[] {
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

/** Every trigger in the workflow's `on`, one for each activity type that it names. */
export function triggersOf({ on }: Pick<WorkflowFile, "on">): Trigger[] {
  const isPlain = typeof on === "string" || Array.isArray(on);
  const events = isPlain ? Object.fromEntries([on].flat().map((event) => [event, null])) : on;
  return Object.entries(events).flatMap(([event, filter]): Trigger[] => {
    const { types } = (filter ?? {}) as { types?: string[] };
    return types === undefined
      ? [{ event, type: undefined }]
      : types.map((type) => ({ event, type }));
  });
}

/** A trigger in words: `issues: labeled`. */
export function nameOf({ event, type }: Trigger): string {
  return type === undefined ? event : `${event}: ${type}`;
}

/** Scopes of the workflow's token that the emulated GitHub checks. */
const SCOPES = ["contents", "issues", "pull-requests", "checks", "statuses"] as const;

/**
 * What the workflow's token may do. Jobs share one token here, so that it has what any of them asks for.
 *
 * @returns nothing if a job has the repository's default, which the file does not tell.
 */
export function permissionsOf({ permissions, jobs }: WorkflowFile): Permissions {
  const asked = Object.values(jobs).map((job) => job.permissions ?? permissions);
  if (asked.includes(undefined)) return {};
  const held = SCOPES.map((scope): [string, Access] => {
    const levels = asked.map((one) => (one as Record<string, Access>)[scope] ?? "none");
    return [scope.replace("-", "_"), levels.toSorted((a, b) => RANK[b] - RANK[a])[0] ?? "none"];
  });
  return Object.fromEntries(held);
}

const RANK: Record<Access, number> = { none: 0, read: 1, write: 2 };

/** An expression as a workflow has it. */
export function expression(text: string): string {
  return `\${{ ${text} }}`;
}

/** The inputs with which the project's actions reach the service. */
export const ACCESS = {
  "api-key": expression("secrets.DOCS_API_KEY"),
  "project-id": expression("vars.DOCS_PROJECT_ID"),
};
