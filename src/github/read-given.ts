import { context } from "@actions/github";
import type { Given, Payload } from "./given.ts";

/**
 * What GitHub gave to this run. The event is read when this module is loaded, which fails if it is no JSON.
 *
 * @param env as `process.env` has it
 */
export function readGiven(env: Record<string, string | undefined>): Given {
  const repository = env.GITHUB_REPOSITORY ?? "";
  const runId = env.GITHUB_RUN_ID ?? "";
  const attempt = Number(env.GITHUB_RUN_ATTEMPT ?? 1) || 1;
  const serverUrl = context.serverUrl;
  const isKnown = repository !== "" && runId !== "";
  return {
    eventName: context.eventName ?? "",
    payload: context.payload as Payload,
    repository,
    runId,
    attempt,
    step: `${env.GITHUB_JOB ?? ""}/${env.GITHUB_ACTION ?? ""}`,
    serverUrl,
    runUrl: isKnown ? `${serverUrl}/${repository}/actions/runs/${runId}/attempts/${attempt}` : "",
    workspace: env.GITHUB_WORKSPACE || process.cwd(),
    apiUrl: context.apiUrl,
  };
}
