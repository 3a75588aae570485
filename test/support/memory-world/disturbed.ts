import { REPOSITORY } from "../../../emulator/local-world/memory-servers.ts";
import { collect } from "../../../src/collect/collect.ts";
import type { Payload } from "../../../src/github/trigger/run-context.ts";
import { root } from "../../../src/root/root.ts";
import { contextOf } from "../run-context.ts";
import type { FaultyServers } from "./faulty-servers.ts";
import { type Ran, type RunOptions, runInMemory } from "./runs.ts";

/** How a run is disturbed that has no post step. */
export type DisturbedRun = Omit<RunOptions, "post">;

/** What a comment asks for. */
export const REQUEST = "/docs Describe them.";

const PHRASE = { "trigger-phrase": "/docs" };

/** A sweep of collect. */
export function runCollect(servers: FaultyServers, options: DisturbedRun): Promise<Ran> {
  return runInMemory(
    servers,
    { main: collect, inputs: PHRASE, context: { runId: "2002" } },
    options,
  );
}

/** A run of the root action for a comment on an issue: by its id, asks by phrase. */
export function runRequest(
  servers: FaultyServers,
  { issue, id, ...options }: DisturbedRun & { issue: number; id: number },
): Promise<Ran> {
  const payload: Payload = {
    action: "created",
    issue: { number: issue, title: "Webhooks", body: "" },
    comment: { id, body: REQUEST, user: { login: "writer", type: "User" } },
  };
  const runId = String(id);
  const runUrl = `https://github.com/${REPOSITORY}/actions/runs/${runId}/attempts/1`;
  const context = { ...contextOf("issue_comment", payload), repository: REPOSITORY, runId, runUrl };
  const inputs = { ...PHRASE, "allowed-users": "writer", "include-context": "false" };
  return runInMemory(servers, { main: root, inputs, context }, options);
}
