/**
 * Runs an action's committed bundle the way GitHub's runner does: inputs, event and files through
 * the environment, nothing else inherited; and reads back what the runner would read back.
 *
 * Knows nothing of a test framework, because `npm start` uses it as well.
 */

import { spawn } from "node:child_process";
import { prepareStep } from "./prepare-step.ts";
import type { RunningAction, RunOptions, RunResult } from "./step.ts";
import { removeFolders } from "./step-folders.ts";
import { StepProcess } from "./step-process.ts";

export { REPOSITORY_ROOT } from "./prepare-step.ts";
export type { RunningAction, RunOptions, RunResult } from "./step.ts";

/** Generous, because a machine that runs all tests at once is slow; a stuck step still ends. */
export const DEFAULT_LIMIT_MS = 90_000;

/** Runs a step to its end. */
export function runAction(options: RunOptions): Promise<RunResult> {
  return startAction(options).result;
}

/**
 * Starts a step and returns at once; its folders are removed when it has ended.
 *
 * @throws when the action, its bundle or an input's declaration is missing.
 */
export function startAction(options: RunOptions): RunningAction {
  const { bundle, env, folders } = prepareStep(options);
  try {
    const child = spawn(process.execPath, [bundle], {
      cwd: folders.workspace,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    return new StepProcess(child, folders, options.limitMs ?? DEFAULT_LIMIT_MS, options.onLine);
  } catch (error) {
    removeFolders(folders);
    throw error;
  }
}
