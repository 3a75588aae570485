import {
  type RunningAction,
  type RunOptions,
  type RunResult,
  startAction,
} from "../../emulator/runner/runner.ts";
import { json } from "./answers.ts";
import { push } from "./events.ts";
import { type FaultyServer, startFaultyServer } from "./faulty-server.ts";
import { startGitHub, type TestGitHub } from "./github.ts";
import { runAction } from "./run-action.ts";
import { API_KEY, TOKEN } from "./scenario.ts";

export const UPDATE = "POST /v1/project/update/docs";
export const PREVIEW = "POST /v1/project/preview/docs";
export const BUILD = "GET /v1/project/update-status/build_1";
const DEPLOYMENTS = "/repos/octo/docs/deployments";
export const CREATE_DEPLOYMENT = `POST ${DEPLOYMENTS}`;
export const DEPLOYMENT_STATUS = `POST ${DEPLOYMENTS}/:id/statuses`;
export const PREVIEW_URL = "https://docs-preview.example/branch";

/** A build's record, as the service shows it. */
export function build(status: string, more: Record<string, unknown> = {}) {
  return {
    _id: "build_1",
    projectId: "docs",
    createdAt: "2026-08-01T12:00:00.000Z",
    endedAt: null as string | null,
    status,
    summary: "",
    logs: [] as string[],
    commit: { sha: "c".repeat(40), ref: "main", message: "Describe the webhooks" },
    ...more,
  };
}

/** A service and a GitHub for one test, and deploy, which uses both. */
export interface DeployScenario extends AsyncDisposable {
  readonly service: FaultyServer;
  readonly github: TestGitHub;
  /** Runs deploy after a push. The inputs are added to those that every run needs. */
  run(options?: RunOptions): Promise<RunResult>;
  start(options?: RunOptions): RunningAction;
  /** The statuses of each deployment, the oldest first. */
  states(): string[][];
}

/** The inputs with which a build is polled at once. */
const FAST = { "poll-interval-seconds": "0.01", "poll-max-interval-seconds": "0.01" };

/** Starts the scenario. A new build is in progress, and succeeds at the second poll. */
export async function startDeployScenario(): Promise<DeployScenario> {
  const service = await startFaultyServer();
  const github = await startGitHub();
  service.on(UPDATE, json(202, { statusId: "build_1" }));
  service.on(PREVIEW, json(202, { statusId: "build_1", previewUrl: PREVIEW_URL }));
  service.on(BUILD, json(200, build("in_progress")), json(200, build("success")));
  const complete = (options: RunOptions): RunOptions => ({
    action: "deploy",
    ...push,
    sha: github.head,
    apiUrl: github.url,
    token: TOKEN,
    ...options,
    inputs: {
      "api-key": API_KEY,
      "project-id": "docs",
      "base-url": service.url,
      ...FAST,
      ...options.inputs,
    },
  });
  return {
    service,
    github,
    run: (options = {}) => runAction(complete(options)),
    start: (options = {}) => startAction(complete(options)),
    states: () => github.deployments.map(({ statuses }) => statuses.map(({ state }) => state)),
    async [Symbol.asyncDispose]() {
      await Promise.all([service.close(), github.close()]);
    },
  };
}

/** An event of pull request #7 whose head the emulated GitHub knows. */
export function onPull(
  { github }: DeployScenario,
  inputs: Record<string, string> = {},
): RunOptions {
  const pull_request = { number: 7, head: { ref: "docs/webhooks", sha: github.head } };
  return {
    eventName: "pull_request",
    event: { action: "synchronize", number: 7, pull_request },
    sha: "f".repeat(40),
    inputs: { branch: "docs/webhooks", ...inputs },
  };
}
