/** A job's step: its inputs, its files and its environment, in the local world. */

import path from "node:path";
import { filesIn } from "../../emulator/github/git/trees.ts";
import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { readActionMetadata } from "../../emulator/runner/prepare-step.ts";
import {
  REPOSITORY_ROOT,
  type RunningAction,
  type RunOptions,
} from "../../emulator/runner/runner.ts";
import { type Contexts, expand } from "./expression.ts";
import type { Workflow, WorkflowEvent } from "./workflow.ts";

/** Inputs that the emulated services need, in place of those of a workflow on GitHub, if the action has them. */
const LOCAL_INPUTS: Record<string, string> = {
  // The emulated job takes seconds, not minutes.
  "poll-interval-seconds": "1",
  "poll-max-interval-seconds": "2",
};

/** Starts a step of a run, by default as a process. */
export type StartStep = (options: RunOptions) => Pick<RunningAction, "result" | "signal">;

type Run = { id: number; event: WorkflowEvent; workflow: Workflow };

/** The step of a run. @throws if an expression of the workflow cannot be read */
export function stepOf(world: LocalWorld, run: Run): RunOptions {
  const { github, service } = world;
  const { workflow, event } = run;
  const contexts = contextsOf(world, run);
  const inputs = Object.entries(workflow.inputs).map(([name, value]) => [
    name,
    expand(value, contexts),
  ]);
  const known = readActionMetadata(path.join(REPOSITORY_ROOT, workflow.action)).inputs;
  const local = Object.entries(LOCAL_INPUTS).filter(([name]) => Object.hasOwn(known, name));
  return {
    action: workflow.action,
    inputs: { "base-url": service.url, ...Object.fromEntries([...local, ...inputs]) },
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
      GITHUB_ACTOR: event.actor,
      GITHUB_TRIGGERING_ACTOR: event.actor,
      GITHUB_JOB: workflow.job,
      GITHUB_WORKFLOW: workflow.name,
    },
  };
}

/** The files of the default branch. */
function filesOf({ github: { home } }: LocalWorld): Record<string, string> {
  const { objects } = home;
  const files = filesIn(objects, home.find(home.tip())?.tree ?? "");
  return Object.fromEntries(
    files.map(({ path: name, sha }) => [name, String(objects.blobs.get(sha) ?? "")]),
  );
}

/** The contexts of a run's expressions. */
export function contextsOf(
  { github, service }: LocalWorld,
  { id, event, workflow }: Run,
): Contexts {
  return {
    github: {
      event: event.payload,
      event_name: event.name,
      actor: event.actor,
      repository: github.repository,
      run_id: String(id),
      workflow: workflow.name,
    },
    secrets: { DOCS_API_KEY: service.adminKey, DOCS_ASSISTANT_KEY: service.assistantKey },
    vars: { DOCS_PROJECT_ID: service.projectId, DOCS_DOMAIN: service.domain },
    // The playground's forms give no inputs of a run by hand.
    inputs: {},
  };
}
