/**
 * Runs an action's committed bundle the way GitHub's runner does: inputs, event and files through
 * the environment, nothing else inherited; and reads back what the runner would read back.
 *
 * Knows nothing of a test framework, because `npm start` uses it as well.
 */

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type ActionMetadata, readActionMetadata } from "./action-metadata.ts";
import { environmentOf } from "./environment.ts";
import type { RunningAction, RunOptions, RunResult } from "./step.ts";
import { makeFolders, removeFolders } from "./step-folders.ts";
import { StepProcess } from "./step-process.ts";

export type { RunningAction, RunOptions, RunResult } from "./step.ts";

/** The root of this repository, where the first `action.yml` is. */
export const REPOSITORY_ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Generous, because a machine that runs all tests at once is slow; a stuck step still ends. */
const DEFAULT_LIMIT_MS = 25_000;

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
  const folder = path.resolve(REPOSITORY_ROOT, options.action ?? ".");
  const metadata = readActionMetadata(folder);
  const bundle = entryFile(folder, metadata, options.entry ?? "main");
  const folders = makeFolders(options);
  try {
    const child = spawn(process.execPath, [bundle], {
      cwd: folders.workspace,
      env: environmentOf(options, metadata, folders),
      stdio: ["ignore", "pipe", "pipe"],
    });
    return new StepProcess(child, folders, options.limitMs ?? DEFAULT_LIMIT_MS, options.onLine);
  } catch (error) {
    removeFolders(folders);
    throw error;
  }
}

function entryFile(folder: string, metadata: ActionMetadata, entry: "main" | "post"): string {
  const file = metadata[entry];
  if (file === undefined) throw new Error(`${folder}/action.yml names no runs.${entry}`);
  const bundle = path.join(folder, file);
  if (!existsSync(bundle)) throw new Error(`${bundle} is missing: run "npm run build" first`);
  return bundle;
}
