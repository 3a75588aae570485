import type { RunOptions } from "../../emulator/runner/runner.ts";
import { type ActionScenario, startActionScenario } from "./action-scenario.ts";
import { json } from "./answers.ts";
import { push } from "./events.ts";
import { API_KEY } from "./scenario.ts";

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

/** Deploy after a push. */
export interface DeployScenario extends ActionScenario {
  /** The statuses of each deployment, the oldest first. */
  states(): string[][];
}

/** The inputs with which a build is polled at once. */
const FAST = { "poll-interval-seconds": "0.01", "poll-max-interval-seconds": "0.01" };

/** Starts the scenario. A new build is in progress, and succeeds at the second poll. */
export async function startDeployScenario(): Promise<DeployScenario> {
  const inputs = { "api-key": API_KEY, "project-id": "docs", ...FAST };
  const scenario = await startActionScenario(({ head: sha }) => {
    return { action: "deploy", ...push, sha, inputs };
  });
  const { service, github } = scenario;
  service.on(UPDATE, json(202, { statusId: "build_1" }));
  service.on(PREVIEW, json(202, { statusId: "build_1", previewUrl: PREVIEW_URL }));
  service.on(BUILD, json(200, build("in_progress")), json(200, build("success")));
  return {
    ...scenario,
    states: () => github.deployments.map(({ statuses }) => statuses.map(({ state }) => state)),
    [Symbol.asyncDispose]: () => scenario[Symbol.asyncDispose](),
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
