/** A step of a workflow in the local world, as the scenes of `npm start` run it. */

import type { LocalWorld } from "../../emulator/local-world/index.ts";
import type { RunOptions, RunResult } from "../../emulator/runner/runner.ts";
import { log } from "./console.ts";
import { StartError } from "./requirements.ts";

export interface StepRun {
  main: RunResult;
  post: RunResult;
}

/** Runs the main and the post entry of a step, with the world's keys and addresses, and shows the log. */
export async function runStep(
  { github, service }: LocalWorld,
  options: RunOptions,
): Promise<StepRun> {
  // Loaded here, so that a missing package is reported as what it is.
  const { runAction } = await import("../../emulator/runner/runner.ts");
  const step: RunOptions = {
    repository: github.repository,
    token: github.token,
    apiUrl: github.url,
    serverUrl: github.url,
    onLine: log(),
    ...options,
    inputs: {
      "api-key": service.adminKey,
      "project-id": service.projectId,
      "base-url": service.url,
      ...options.inputs,
    },
  };
  const main = await runAction(step);
  const post = await runAction({ ...step, entry: "post", state: main.state });
  return { main, post };
}

/**
 * @param what names what was run
 * @throws StartError when the main or the post entry failed
 */
export function checkExit(what: string, { main, post }: StepRun): void {
  const failed = [main, post].find(({ exitCode }) => exitCode !== 0);
  if (failed === undefined) return;
  const why = failed.errors[0] ?? "see its log above";
  throw new StartError(`${what} ended with exit code ${failed.exitCode}: ${why}`);
}
