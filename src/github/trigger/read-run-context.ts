import { context as event } from "@actions/github";
import { numberOrNull, type Payload, type RunContext, runAddress } from "./run-context.ts";

/** The event is read when this module is loaded, which throws if it is not JSON. */
export function readRunContext(env: Record<string, string | undefined>): RunContext {
  const variable = (name: string) => {
    const { [name]: value = "" } = env;
    return value;
  };
  const repository = variable("GITHUB_REPOSITORY") || null;
  const runId = variable("GITHUB_RUN_ID") || null;
  const attempt = Number(env.GITHUB_RUN_ATTEMPT ?? 1) || 1;
  const { eventName = "", serverUrl } = event;
  const payload = payloadOf(event.payload);
  return {
    eventName,
    payload,
    repository,
    // Older servers do not set the variable.
    repositoryId: Number(env.GITHUB_REPOSITORY_ID) || numberOrNull(payload.repository?.id) || null,
    workflow: workflowFile(variable("GITHUB_WORKFLOW_REF")),
    job: variable("GITHUB_JOB") || null,
    sha: variable("GITHUB_SHA") || null,
    branch: /^refs\/heads\/(.+)$/.exec(variable("GITHUB_REF"))?.[1] ?? null,
    runId,
    attempt,
    step: `${variable("GITHUB_JOB")}/${variable("GITHUB_ACTION")}`,
    actionRepository: repositoryName(variable("GITHUB_ACTION_REPOSITORY")),
    serverUrl,
    runUrl: repository && runId ? runAddress(serverUrl, repository, runId, attempt) : null,
    workspace: env.GITHUB_WORKSPACE || process.cwd(),
    apiUrl: event.apiUrl,
  };
}

/** The event's payload; an empty one for what cannot be one. */
export function payloadOf(event: unknown): Payload {
  return typeof event === "object" && event !== null ? event : {};
}

/** @param ref such as `octo/docs/.github/workflows/docs.yml@refs/heads/main` @returns null if it names no file */
function workflowFile(ref: string): string | null {
  return /^[^/]+\/[^/]+\/([^@]+)@/.exec(ref)?.[1] ?? null;
}

/** Null for what is not an `owner/name`: the variable is empty for an action of the workflow's own repository. */
function repositoryName(text: string): string | null {
  return /^[\w.-]+\/[\w.-]+$/.test(text) ? text : null;
}
