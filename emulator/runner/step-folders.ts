/** The folders and files that the runner makes for a step, and reads when it has ended. */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseCommandFile } from "./command-files.ts";
import type { RunOptions, StepFiles } from "./step.ts";

/** Paths; all of them are below `root`. */
export interface StepFolders {
  root: string;
  workspace: string;
  temp: string;
  event: string;
  output: string;
  state: string;
  summary: string;
  env: string;
  path: string;
}

/** Makes the folders, with the event and the workspace's files in them. */
export function makeFolders(
  options: Pick<RunOptions, "event" | "workspaceFiles" | "prepareWorkspace">,
): StepFolders {
  // Resolved, because on some systems the folder for temporary files is itself a symbolic link.
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "docs-agent-run-")));
  const workspace = path.join(root, "work", "docs", "docs");
  const temp = path.join(root, "_temp");
  const commands = path.join(temp, "_runner_file_commands");
  const workflow = path.join(temp, "_github_workflow");
  for (const folder of [workspace, commands, workflow]) mkdirSync(folder, { recursive: true });
  const folders = {
    root,
    workspace,
    temp,
    event: path.join(workflow, "event.json"),
    output: path.join(commands, "set_output"),
    state: path.join(commands, "save_state"),
    summary: path.join(commands, "step_summary"),
    env: path.join(commands, "set_env"),
    path: path.join(commands, "add_path"),
  };
  for (const file of ["output", "state", "summary", "env", "path"] as const) {
    writeFileSync(folders[file], "");
  }
  writeFileSync(folders.event, JSON.stringify(options.event ?? {}));
  for (const [name, content] of Object.entries(options.workspaceFiles ?? {})) {
    const file = path.join(workspace, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  options.prepareWorkspace?.(workspace);
  return folders;
}

export function removeFolders({ root }: StepFolders): void {
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * What the step left in its files.
 *
 * @throws when the runner would refuse one of them.
 */
export function readFiles(folders: StepFolders): StepFiles {
  const { output, state, env, summary } = folders;
  return {
    outputs: parseCommandFile(readFileSync(output, "utf8")),
    state: parseCommandFile(readFileSync(state, "utf8")),
    environment: parseCommandFile(readFileSync(env, "utf8")),
    summary: existsSync(summary) ? readFileSync(summary, "utf8") : "",
    files: listFiles(folders),
  };
}

/** The outputs so far, once there is one of this name; the step may be half-way through writing. */
export function readOutputSoFar(
  { output }: StepFolders,
  name: string,
): Record<string, string> | undefined {
  try {
    const outputs = parseCommandFile(readFileSync(output, "utf8"));
    return outputs[name] === undefined ? undefined : outputs;
  } catch {
    return undefined;
  }
}

function listFiles({ root, workspace, temp }: StepFolders): Record<string, string> {
  const files: Record<string, string> = {};
  for (const folder of [workspace, temp]) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      const name = path.relative(root, file);
      const isOwn = /^_temp[\\/]_(runner_file_commands|github_workflow)/.test(name);
      if (entry.isFile() && !isOwn) files[name] = readFileSync(file, "utf8");
    }
  }
  return files;
}
