/** What a step is started with: the file of its action, its environment, its folders. */

import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type ActionMetadata, readActionMetadata } from "./action-metadata.ts";
import { environmentOf } from "./environment.ts";
import type { RunOptions } from "./step.ts";
import { makeFolders, removeFolders, type StepFolders } from "./step-folders.ts";

/** The root of this repository, where the first `action.yml` is. */
export const REPOSITORY_ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface PreparedStep {
  /** The file that Node runs. */
  bundle: string;
  env: Record<string, string>;
  /** Whoever prepared the step removes them when it has ended. */
  folders: StepFolders;
}

/** @throws when the action, its bundle or an input's declaration is missing. */
export function prepareStep(options: RunOptions): PreparedStep {
  const folder = path.resolve(REPOSITORY_ROOT, options.action ?? ".");
  const metadata = readActionMetadata(folder);
  const bundle = entryFile(folder, metadata, options.entry ?? "main");
  const folders = makeFolders(options);
  try {
    return { bundle, env: environmentOf(options, metadata, folders), folders };
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
