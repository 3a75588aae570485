/** How each action is run in a world, unless a test says otherwise. */

import type { RunOptions } from "../../../emulator/runner/runner.ts";
import { issueComment, issueOpened, schedule } from "../events.ts";
import { TASKS_FILE } from "./tasks.ts";
import type { World } from "./world.ts";

export type ActionName =
  | "root"
  | "assistant"
  | "collect"
  | "deploy"
  | "doctor"
  | "gate"
  | "jobs"
  | "land"
  | "queue"
  | "upkeep";

export const PROMPT = "Document the webhooks.";
export const QUESTION = "How do I rotate a key?";

/** Inputs with which jobs and builds are polled at once. */
const FAST = { "poll-interval-seconds": "0.01", "poll-max-interval-seconds": "0.01" };

const SCHEDULE: RunOptions = { eventName: "schedule", event: {} };

/** @param pull the pull request of the event, if it is about one */
export function usualRun(action: ActionName, world: World, pull: EventPull | null): RunOptions {
  const project = { "api-key": world.service.adminKey, "project-id": world.service.projectId };
  const run = USUAL[action](world);
  return {
    ...run,
    ...(pull === null ? {} : onPull(pull)),
    inputs: {
      "base-url": world.service.url,
      ...(action === "assistant" ? {} : project),
      ...(action === "deploy" && pull !== null ? { branch: pull.head.ref } : {}),
      ...run.inputs,
    },
  };
}

/** A pull request in an event's payload. */
export interface EventPull {
  number: number;
  head: { ref: string };
}

function onPull(pull_request: EventPull): RunOptions {
  const { number } = pull_request;
  return {
    eventName: "pull_request",
    event: { action: "synchronize", number, pull_request },
  };
}

const USUAL: Record<ActionName, (world: World) => RunOptions> = {
  root: () => ({ ...issueOpened(7), inputs: { prompt: PROMPT, ...FAST } }),
  assistant: ({ service }) => ({
    ...issueComment(7, 70),
    inputs: { "api-key": service.assistantKey, domain: service.domain, question: QUESTION },
  }),
  collect: () => ({ ...schedule, runId: "2002", inputs: { "trigger-phrase": "/docs" } }),
  deploy: ({ github }) => ({
    eventName: "push",
    event: { ref: "refs/heads/main" },
    sha: github.home.tip(),
    inputs: FAST,
  }),
  doctor: () => ({ eventName: "workflow_dispatch", event: {} }),
  gate: () => ({ ...SCHEDULE, inputs: { paths: "src/**" } }),
  jobs: () => ({}),
  land: () => SCHEDULE,
  queue: ({ tasks }) => ({
    ...SCHEDULE,
    workspaceFiles: { [TASKS_FILE]: tasks },
    inputs: { "tasks-file": TASKS_FILE },
  }),
  upkeep: ({ since }) => ({ ...SCHEDULE, inputs: { since } }),
};
