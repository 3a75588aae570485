import type { LocalWorld } from "../../emulator/local-world/index.ts";
import type { RunOptions } from "../../emulator/runner/runner.ts";

/** The options of a run in the local world's repository, with its key and its token. */
export function optionsIn({ github, service }: LocalWorld, over: RunOptions): RunOptions {
  return {
    repository: github.repository,
    apiUrl: github.url,
    serverUrl: github.url,
    token: github.token,
    ...over,
    inputs: {
      "api-key": service.adminKey,
      "project-id": service.projectId,
      "base-url": service.url,
      ...over.inputs,
    },
  };
}
