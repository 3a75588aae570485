import { type ActionScenario, startActionScenario } from "./action-scenario.ts";
import { json } from "./answers.ts";
import { issueOpened } from "./events.ts";
import { tokenOf, WORKFLOW } from "./github.ts";
import type { runAction } from "./run-action.ts";

/** The key of every scenario. If it appears anywhere but in requests to the service, it has leaked. */
export const API_KEY = "mint_k3yOfTheScenario_5f2c9d";
/** The `github.token` of every scenario. */
export const TOKEN = tokenOf(WORKFLOW);
/** The texts that a step masks. */
export const SECRETS = [API_KEY, TOKEN];
export const PROMPT = "Document the webhooks.";
export const PR_LINK = "https://github.com/octo/docs/pull/9";

export const CREATE = "POST /v2/agent/docs/job";
export const POLL = "GET /v2/agent/docs/job/job_1";
export const MESSAGE = "POST /v2/agent/docs/job/job_1/message";

/** Inputs with a delay before the first poll that is longer than any test. */
export const LONG_DELAY = { "poll-interval-seconds": "60", "poll-max-interval-seconds": "60" };

/** A pattern for hidden markers. */
export const MARKER = /<!-- docs-agent:[\w-]+\.[\w-]+ -->/g;

/** A job's record, as in the interface document. */
export function record(status: string, more: Record<string, unknown> = {}) {
  return {
    id: "job_1",
    status,
    source: { repository: "https://github.com/octo/docs", ref: "docs-agent/webhooks" },
    model: "sonnet",
    prLink: null as string | null,
    createdAt: "2026-08-01T12:00:00.000Z",
    archivedAt: null as string | null,
    ...more,
  };
}

/** The record of a completed job with a pull request. */
export const completed = record("completed", { prLink: PR_LINK });

/** The root action on a new issue #7. */
export interface Scenario extends ActionScenario {
  /** The requests to the service, as `METHOD path`. */
  asked(): string[];
  /** The prompts that were sent to the service with version 2, in order. */
  prompts(): string[];
}

/**
 * Starts the scenario. A new job is active, and completed with a pull request at the first poll.
 *
 * @param runStep runs a step to its end
 */
export async function startScenario(runStep?: typeof runAction): Promise<Scenario> {
  const inputs = {
    "api-key": API_KEY,
    "project-id": "docs",
    prompt: PROMPT,
    "poll-interval-seconds": "0.01",
    "poll-max-interval-seconds": "0.01",
  };
  const scenario = await startActionScenario(() => ({ ...issueOpened(7), inputs }), runStep);
  const { service, github } = scenario;
  service.on(CREATE, json(201, record("active")));
  service.on(POLL, json(200, completed));
  github.server.on("GET /repos/octo/docs/pulls/:n/files", json(200, [{ filename: "docs/a.md" }]));
  return {
    ...scenario,
    asked: () => service.requests.map(({ method, path }) => `${method} ${path}`),
    prompts: () =>
      service.requests
        .filter(({ method }) => method === "POST")
        .map(({ body }) => JSON.parse(body.toString()).prompt),
    [Symbol.asyncDispose]: () => scenario[Symbol.asyncDispose](),
  };
}

/** The times between consecutive requests, in milliseconds. */
export function gaps(requests: readonly { at: number }[]): number[] {
  return requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0));
}
