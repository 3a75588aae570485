import type http from "node:http";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { json } from "./answers.ts";
import type { Answer } from "./faulty-server.ts";
import { PR_LINK, type Scenario, startScenario } from "./scenario.ts";
import { type Pieces, type StreamEnd, streamed } from "./streams.ts";

export const CREATE_V1 = "POST /v1/agent/docs/job";
export const POLL_V1 = "GET /v1/agent/docs/job/session_1";
export const LIST_V1 = "GET /v1/agent/docs/jobs";

/** The branch of the first attempt when the inputs name none. */
export const BRANCH = "docs-agent/run-1001-1";

/** The record of a running session, as in the interface document. */
export function session(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    sessionId: "session_1",
    subdomain: "docs",
    branch: BRANCH,
    haulted: false,
    haultReason: "processing",
    pullRequestLink: null,
    messageToUser: null,
    todos: [],
    userId: "user_1",
    title: "Document the webhooks",
    createdAt: "2026-08-01T12:00:00.000Z",
    ...more,
  };
}

/** The record of a session that has ended. */
export function halted(haultReason: unknown, more: Record<string, unknown> = {}) {
  return session({ haulted: true, haultReason, ...more });
}

export const HALTED_WELL = halted("completed", {
  pullRequestLink: PR_LINK,
  messageToUser: "I have described the webhooks.",
});

/** The answer to a create request: a stream, by default of `session_1`. */
export function created(
  pieces: Pieces = ["Reading the repository\n"],
  end: StreamEnd = "end",
  headers: http.OutgoingHttpHeaders = { "x-session-id": "session_1", "x-branch-name": BRANCH },
): Answer {
  return streamed(pieces, headers, end);
}

/** Starts the scenario for version 1. A session starts, and is completed at the first poll. */
export async function startScenarioV1(): Promise<Scenario> {
  const scenario = await startScenario();
  scenario.service.on(CREATE_V1, created()).on(POLL_V1, json(200, HALTED_WELL));
  const asV1 = (options: RunOptions = {}): RunOptions => ({
    ...options,
    inputs: { "api-version": "v1", ...options.inputs },
  });
  return {
    ...scenario,
    run: (options) => scenario.run(asV1(options)),
    start: (options) => scenario.start(asV1(options)),
    [Symbol.asyncDispose]: () => scenario[Symbol.asyncDispose](),
  };
}
