/** Jobs of the agent, with version 2 of its interface. */

import { json } from "../answers.ts";
import { CONVERSATION } from "./conversation.ts";
import type { WorldOptions } from "./world.ts";

export const PR_LINK = "https://github.com/octo/docs/pull/9";

export const CREATE = "POST service /v2/agent/acme-docs/job";
export const POLL = "GET service /v2/agent/acme-docs/job/job_1";
export const MESSAGE = "POST service /v2/agent/acme-docs/job/job_1/message";

/** Inputs with a delay before the first poll that is longer than any test. */
export const LONG_DELAY = { "poll-interval-seconds": "60", "poll-max-interval-seconds": "60" };

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

/** A new job is active, and completed with a pull request at the first poll. */
export const WITH_JOB: WorldOptions = {
  ...CONVERSATION,
  answers: {
    ...CONVERSATION.answers,
    [CREATE]: [json(201, record("active"))],
    [POLL]: [json(200, completed)],
    "GET /repos/octo/docs/pulls/:n/files": [
      json(200, [{ filename: "docs/a.md", additions: 1, deletions: 0 }]),
    ],
  },
};

/** The times between consecutive requests, in milliseconds. */
export function gaps(requests: readonly { at: number }[]): number[] {
  return requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0));
}
