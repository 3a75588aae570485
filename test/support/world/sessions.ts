/** Sessions of the agent, with version 1 of its interface. */

import type http from "node:http";
import { json } from "../answers.ts";
import type { Answer } from "../faulty-server.ts";
import { type Pieces, type StreamEnd, streamed } from "../streams.ts";
import { PR_LINK, WITH_JOB } from "./jobs.ts";
import type { WorldOptions } from "./world.ts";

export const CREATE_V1 = "POST service /v1/agent/acme-docs/job";
export const POLL_V1 = "GET service /v1/agent/acme-docs/job/session_1";
export const LIST_V1 = "GET service /v1/agent/acme-docs/jobs";

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

/** A session starts, and is completed at the first poll. */
export const WITH_SESSION: WorldOptions = {
  ...WITH_JOB,
  runs: { root: { inputs: { "api-version": "v1" } } },
  answers: { ...WITH_JOB.answers, [CREATE_V1]: [created()], [POLL_V1]: [json(200, HALTED_WELL)] },
};
