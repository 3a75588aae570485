/** A step of a workflow in the local world, for `npm start` and the pictures. */

import type { LocalWorld } from "../emulator/local-world/index.ts";
import type { RunOptions } from "../emulator/runner/runner.ts";

/** The options of a step with the world's keys and addresses, as far as those given do not say otherwise. */
export function localStep({ github, service }: LocalWorld, options: RunOptions): RunOptions {
  // The assistant's key and its documentation are the caller's to give.
  const agent = { "api-key": service.adminKey, "project-id": service.projectId };
  return {
    ...{ repository: github.repository, token: github.token },
    ...{ apiUrl: github.url, serverUrl: github.url, event: {} },
    ...options,
    inputs: {
      ...(options.action === "assistant" ? {} : agent),
      ...{ "base-url": service.url, ...options.inputs },
    },
  };
}
