// A step of a workflow in the local world, for a picture.
import type { LocalWorld } from "../../../emulator/local-world/index.ts";
import { type RunOptions, type RunResult, runAction } from "../../../emulator/runner/runner.ts";

/** After this much real time, in milliseconds, a step is stuck. */
const STEP_LIMIT = 120_000;

/**
 * Runs the main entry of an action, with the world's keys and addresses.
 *
 * @throws when the step fails though it is not `expectFailure`, or the other way round.
 */
export async function runStep(
  { github, service }: LocalWorld,
  options: RunOptions,
  { expectFailure = false } = {},
): Promise<RunResult> {
  // The assistant's key and its documentation are the caller's to give.
  const agent =
    options.action === "assistant"
      ? {}
      : { "api-key": service.adminKey, "project-id": service.projectId };
  const step = await runAction({
    repository: github.repository,
    token: github.token,
    apiUrl: github.url,
    serverUrl: github.url,
    limitMs: STEP_LIMIT,
    ...options,
    inputs: { ...agent, "base-url": service.url, ...options.inputs },
  });
  if ((step.exitCode !== 0) !== expectFailure) {
    throw new Error(`A step ended with ${step.exitCode}:\n${step.visible.join("\n")}`);
  }
  return step;
}
