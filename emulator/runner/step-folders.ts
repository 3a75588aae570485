/** The folders and files that the runner creates for a step, and reads at its end. */

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import type { RunOptions } from "./run-options.ts";

/** The files that a step writes to, by their variables. */
const COMMAND_FILES = {
  GITHUB_OUTPUT: "set_output",
  GITHUB_STATE: "save_state",
  GITHUB_ENV: "set_env",
  GITHUB_STEP_SUMMARY: "step_summary",
  GITHUB_PATH: "add_path",
};

/** Paths; all of them are below `root`. */
export interface StepFolders {
  root: string;
  workspace: string;
  temp: string;
  event: string;
  commandFiles: Record<keyof typeof COMMAND_FILES, string>;
}

/** What the runner reads from the files of a step. */
export interface StepFiles {
  outputs: Record<string, string>;
  state: Record<string, string>;
  environment: Record<string, string>;
  summary: string;
  /** Every file in the workspace and in RUNNER_TEMP at the end, except for the runner's own. */
  files: Record<string, string>;
}

/** Makes the folders, with the event and the workspace's files in them. */
export function makeFolders({
  event: payload = {},
  workspaceFiles = {},
  workspaceLinks = {},
}: Pick<RunOptions, "event" | "workspaceFiles" | "workspaceLinks">): StepFolders {
  // Resolved, because on some systems the folder for temporary files is itself a symbolic link.
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "docs-agent-run-")));
  const workspace = path.join(root, "work", "docs", "docs");
  const temp = path.join(root, "_temp");
  const event = path.join(temp, "_github_workflow", "event.json");
  const write = (file: string, content: string | Uint8Array) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  mkdirSync(workspace, { recursive: true });
  const commandFiles = Object.entries(COMMAND_FILES).map(([variable, name]) => [
    variable,
    write(path.join(temp, "_runner_file_commands", name), ""),
  ]);
  write(event, JSON.stringify(payload));
  for (const [name, text] of Object.entries(workspaceFiles))
    write(path.join(workspace, name), text);
  for (const [name, target] of Object.entries(workspaceLinks))
    symlinkSync(target, path.join(workspace, name));
  return { root, workspace, temp, event, commandFiles: Object.fromEntries(commandFiles) };
}

export function removeFolders({ root }: StepFolders): void {
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}

/** @throws if the runner would refuse one of the files */
export function readFiles(folders: StepFolders): StepFiles {
  const read = (name: keyof typeof COMMAND_FILES) =>
    readFileSync(folders.commandFiles[name], "utf8");
  return {
    outputs: parseCommandFile(read("GITHUB_OUTPUT")),
    state: parseCommandFile(read("GITHUB_STATE")),
    environment: parseCommandFile(read("GITHUB_ENV")),
    summary: read("GITHUB_STEP_SUMMARY"),
    files: listFiles(folders),
  };
}

/** The outputs so far, if there is one with this name. The step may be writing at this moment. */
export function readOutputSoFar(
  { commandFiles }: StepFolders,
  name: string,
): Record<string, string> | undefined {
  try {
    const outputs = parseCommandFile(readFileSync(commandFiles.GITHUB_OUTPUT, "utf8"));
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

/**
 * Reads what a step wrote to GITHUB_OUTPUT, GITHUB_STATE or GITHUB_ENV, by the runner's rules:
 * `name=value` on one line, or `name<<DELIMITER`, lines, `DELIMITER`. The last value of a name wins.
 *
 * @throws if the runner would refuse the file, which also fails the step there
 */
export function parseCommandFile(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (line === "") continue;
    const equals = line.indexOf("=");
    const heredoc = line.indexOf("<<");
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      if (equals === 0) throw new Error(`Invalid format '${line}'. Name must not be empty`);
      values[line.slice(0, equals)] = line.slice(equals + 1);
      continue;
    }
    if (heredoc < 0) throw new Error(`Invalid format '${line}'`);
    const name = line.slice(0, heredoc);
    const delimiter = line.slice(heredoc + 2);
    if (name === "" || delimiter === "") {
      throw new Error(`Invalid format '${line}'. Name and delimiter must not be empty`);
    }
    const end = lines.indexOf(delimiter, index + 1);
    if (end < 0) throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
    values[name] = lines.slice(index + 1, end).join("\n");
    index = end;
  }
  return values;
}
