/** A workflow as its YAML has it: the parts that are read or changed here. */

export interface WorkflowFile {
  on: Record<string, unknown>;
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
  return Object.entries(on).flatMap(([event, filter]): Trigger[] => {
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

/** An expression as a workflow has it. */
export function expression(text: string): string {
  return `\${{ ${text} }}`;
}

/** The inputs with which the project's actions reach the service. */
export const ACCESS = {
  "api-key": expression("secrets.DOCS_API_KEY"),
  "project-id": expression("vars.DOCS_PROJECT_ID"),
};
