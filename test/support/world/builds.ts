/** Builds of the documentation, and the deployments that show them on GitHub. */

import { WORKFLOW } from "../../../emulator/github/people.ts";
import { json } from "../answers.ts";
import { CONVERSATION, GRAPHQL } from "./conversation.ts";
import type { World, WorldOptions, WorldRun } from "./world.ts";

export const UPDATE = "POST service /v1/project/update/acme-docs";
export const PREVIEW = "POST service /v1/project/preview/acme-docs";
export const BUILD = "GET service /v1/project/update-status/build_1";
const DEPLOYMENTS = "/repos/octo/docs/deployments";
export const CREATE_DEPLOYMENT = `POST ${DEPLOYMENTS}`;
export const DEPLOYMENT_STATUS = `POST ${DEPLOYMENTS}/:id/statuses`;
export const PREVIEW_URL = "https://docs-preview.example/branch";

/** A build's record, as the service shows it. */
export function build(status: string, more: Record<string, unknown> = {}) {
  return {
    _id: "build_1",
    projectId: "acme-docs",
    createdAt: "2026-08-01T12:00:00.000Z",
    endedAt: null as string | null,
    status,
    summary: "",
    logs: [] as string[],
    commit: { sha: "c".repeat(40), ref: "main", message: "Describe the webhooks" },
    ...more,
  };
}

/** A new build is in progress, and succeeds at the second poll. */
export const WITH_BUILD: WorldOptions = {
  ...CONVERSATION,
  answers: {
    ...CONVERSATION.answers,
    [GRAPHQL]: [json(200, { data: { viewer: { login: WORKFLOW } } })],
    [UPDATE]: [json(202, { statusId: "build_1" })],
    [PREVIEW]: [json(202, { statusId: "build_1", previewUrl: PREVIEW_URL })],
    [BUILD]: [json(200, build("in_progress")), json(200, build("success"))],
  },
};

/** An event of pull request #7, whose head the emulated GitHub knows. */
export function onPull(world: World, inputs: Record<string, string> = {}): WorldRun {
  const head = { ref: "docs/webhooks", sha: world.github.home.tip() };
  world.on("GET /repos/octo/docs/pulls/7", json(200, { head }));
  const pull_request = { number: 7, head };
  return {
    eventName: "pull_request",
    event: { action: "synchronize", number: 7, pull_request },
    sha: "f".repeat(40),
    inputs: { branch: "docs/webhooks", ...inputs },
  };
}
