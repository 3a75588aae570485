import type { Payload, RepositoryContext } from "../../src/github/trigger/run-context.ts";

/** The context of a run on `octo/docs`. */
export function contextOf(eventName: string, payload: unknown = {}): RepositoryContext {
  return {
    eventName,
    payload: payload as Payload,
    repository: "octo/docs",
    repositoryId: 4711,
    workflow: ".github/workflows/docs.yml",
    job: "write-docs",
    sha: "0123456789abcdef0123456789abcdef01234567",
    branch: "main",
    runId: "1001",
    attempt: 1,
    step: "write-docs/docs",
    actionRepository: null,
    serverUrl: "https://github.com",
    runUrl: "https://github.com/octo/docs/actions/runs/1001/attempts/1",
    workspace: "/work",
    apiUrl: "https://api.github.com",
  };
}
