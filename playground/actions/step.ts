/** A step of a job: its inputs, its files and its environment, in the local world. */

import path from "node:path";
import { filesIn } from "../../emulator/github/git/trees.ts";
import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { readActionMetadata } from "../../emulator/runner/prepare-step.ts";
import {
  REPOSITORY_ROOT,
  type RunningAction,
  type RunOptions,
} from "../../emulator/runner/runner.ts";
import { type Contexts, expand, isTrue } from "./expression.ts";
import type { Step, Workflow, WorkflowEvent } from "./workflow.ts";

/** Inputs that the emulated services need, in place of those of a workflow on GitHub, if the action has them. */
const LOCAL_INPUTS: Record<string, string> = {
  // The emulated job takes seconds, not minutes.
  "poll-interval-seconds": "1",
  "poll-max-interval-seconds": "2",
};

/** Starts a step of a run, by default as a process. */
export type StartStep = (options: RunOptions) => Pick<RunningAction, "result" | "signal">;

export type Run = { id: number; event: WorkflowEvent; workflow: Workflow };

/** A step as it is started. @throws if it is not of this project, or an expression of it cannot be read */
export function stepOf(world: LocalWorld, run: Run, step: Step, contexts: Contexts): RunOptions {
  const { github } = world;
  const { workflow, event } = run;
  if (step.type === "foreign") throw new Error(`The playground cannot run '${step.uses}'.`);
  const expanded = (values: Record<string, string>) => expandAll(values, contexts);
  const env = step.type === "script" ? expanded(step.env) : {};
  const own =
    step.type === "script"
      ? { script: step.script }
      : { action: step.action, inputs: inputsOf(world, step.action, expanded(step.inputs)) };
  return {
    ...own,
    eventName: event.name,
    event: event.payload,
    runId: String(run.id),
    repository: github.repository,
    sha: github.home.tip(),
    token: github.token,
    apiUrl: github.url,
    serverUrl: github.url,
    workspaceFiles: workflow.hasFiles ? filesOf(world) : {},
    limitMs: workflow.timeoutMinutes * 60_000,
    env: {
      ...expanded(workflow.env),
      ...env,
      GITHUB_ACTOR: event.actor,
      GITHUB_TRIGGERING_ACTOR: event.actor,
      GITHUB_JOB: workflow.job,
      GITHUB_WORKFLOW: workflow.name,
    },
  };
}

/** The inputs of an action, with those that the local world needs. */
function inputsOf({ service }: LocalWorld, action: string, inputs: Record<string, string>) {
  const known = readActionMetadata(path.join(REPOSITORY_ROOT, action)).inputs;
  const local = Object.entries(LOCAL_INPUTS).filter(([name]) => Object.hasOwn(known, name));
  return { ...Object.fromEntries(local), ...inputs, "base-url": service.url };
}

/** Values with their expressions evaluated. */
export function expandAll(
  values: Record<string, string>,
  contexts: Contexts,
): Record<string, string> {
  const pairs = Object.entries(values).map(([name, value]) => [name, expand(value, contexts)]);
  return Object.fromEntries(pairs);
}

/** The files of the default branch. */
function filesOf({ github: { home } }: LocalWorld): Record<string, string> {
  const { objects } = home;
  const files = filesIn(objects, home.find(home.tip())?.tree ?? "");
  return Object.fromEntries(
    files.map(({ path: name, sha }) => [name, String(objects.blobs.get(sha) ?? "")]),
  );
}

/** Whether a run's job runs, by its condition and that of the job that calls its workflow. @throws if one is wrong */
export function meetsConditions(world: LocalWorld, run: Run): boolean {
  const { condition = "true", call } = run.workflow;
  const isCalled = isTrue(call?.condition ?? "true", ownContexts(world, run));
  return isCalled && isTrue(condition, contextsOf(world, run));
}

/** The contexts of a job's expressions. */
export function contextsOf(world: LocalWorld, run: Run): Contexts {
  const own = ownContexts(world, run);
  const { call } = run.workflow;
  if (call === null) return own;
  const inputs = Object.entries(call.inputs).map(([name, { type, value }]) => [
    name,
    typed(expand(value, own), type),
  ]);
  const secrets = expandAll(call.secrets, own);
  return { ...own, inputs: Object.fromEntries(inputs), secrets };
}

/** A value of an input, as its workflow declares it. */
function typed(text: string, type: string): string | number | boolean {
  if (type === "boolean") return text === "true";
  return type === "number" ? Number(text) : text;
}

/** The contexts of the file that an event starts. */
function ownContexts({ github, service }: LocalWorld, { id, event, workflow }: Run): Contexts {
  return {
    github: {
      event: event.payload,
      event_name: event.name,
      actor: event.actor,
      repository: github.repository,
      run_id: String(id),
      workflow: workflow.name,
      token: github.token,
    },
    secrets: { DOCS_API_KEY: service.adminKey, DOCS_ASSISTANT_KEY: service.assistantKey },
    vars: { DOCS_PROJECT_ID: service.projectId, DOCS_DOMAIN: service.domain },
    // The playground's forms give no inputs of a run by hand.
    inputs: {},
  };
}
