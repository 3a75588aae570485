import { hash } from "node:crypto";
import { parsePathFilter } from "../text/path-filter.ts";
import { quote } from "../text/sentence.ts";
import { readTextFile, workspaceFiles } from "./workspace.ts";
import { type ListItem, readYamlList } from "./yaml-list.ts";

/** A task in the file. */
export interface QueueTask {
  id: string;
  /** Unchanged, with its white space. */
  prompt: string;
  /** Whether the ID is a hash of the prompt. */
  isPlain: boolean;
}

/** Tasks for files of the workspace: one task for every `perTask` files. */
interface FilesTask {
  /** The paths of the files that match, in order. */
  paths: string[];
  perTask: number;
  /** The paths replace `{files}` in it, one per line. */
  prompt: string;
}

/** An entry of the file. */
export type TaskEntry = QueueTask | FilesTask;

/** Maximum number of tasks in a file. */
export const MAX_TASKS = 20_000;
/** Maximum length of an ID, in characters. */
const MAX_ID = 100;
/** Maximum size of the file, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Maximum number of problems in the error. */
const MAX_PROBLEMS = 100;
/** Length of the hash that is the ID of a plain prompt, in characters. */
const HASH_LENGTH = 12;

const ID = /^[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u;
const FIELDS = ["id", "prompt"];
const FILES_FIELDS = ["files", "prompt", "per-task"];

/** The entries, and the path of the file in the workspace; or all problems in one text. */
type TasksFile = { entries: TaskEntry[]; path: string; warnings: string[] } | { problem: string };

/**
 * Reads and checks a file of tasks.
 *
 * @param workspace the folder that must contain the file after symbolic links are resolved
 * @param path absolute, or relative to the workspace; JSON if it ends in `.json`, else YAML
 */
export async function readTasksFile(workspace: string, path: string): Promise<TasksFile> {
  const name = `tasks-file: ${quote(path)}`;
  const file = readTextFile(workspace, path, MAX_BYTES);
  if ("problem" in file) return { problem: `${name} ${file.problem}` };
  const text = file.text.replace(/^\uFEFF/, "");
  const list = /\.json$/i.test(file.path) ? readJsonList(text) : await readYamlList(text);
  if ("problems" in list) return { problem: told(name, list.problems) };
  const { entries, problems, warnings } = checkTasks(list.items, () => workspaceFiles(workspace));
  if (problems.length > 0) return { problem: told(`${name}:`, problems) };
  return { entries, path: file.path, warnings };
}

/** All problems of a file in one text. */
function told(name: string, problems: readonly string[]): string {
  const [only = ""] = problems;
  if (problems.length === 1) return `${name} ${only}`;
  const lines = problems.slice(0, MAX_PROBLEMS).map((problem) => `  - ${problem}`);
  const more = problems.length - lines.length;
  const rest = more > 0 ? [`  - … and ${more} more.`] : [];
  const head = `${name.replace(/:$/, "")} has ${problems.length} problems:`;
  return [head, ...lines, ...rest].join("\n");
}

function readJsonList(text: string): { items: Omit<ListItem, "line">[] } | { problems: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problems: [`is not JSON (${(error as Error).message.slice(0, 200)}).`] };
  }
  if (!Array.isArray(value)) return { problems: ["is not an array."] };
  return { items: value.map((one: unknown) => ({ value: one })) };
}

/**
 * The entries of a list, and a sentence for each problem.
 *
 * @param list returns all files of the workspace. It is called only if an entry has `files`.
 */
export function checkTasks(
  items: readonly { value: unknown; line?: number }[],
  list: () => string[],
): { entries: TaskEntry[]; problems: string[]; warnings: string[] } {
  const checked: Checked = { entries: [], problems: [], warnings: [] };
  const numbers = new Map<string, number>();
  let files: string[] | null = null;
  for (const [index, { value, line }] of items.entries()) {
    const where = `task ${index + 1}${line === undefined ? "" : ` (line ${line})`}`;
    const isFiles = typeof value === "object" && value !== null && "files" in value;
    if (isFiles) files ??= list();
    const { entry, problems } = isFiles ? checkFiles(value, files ?? []) : checkTask(value);
    checked.problems.push(...problems.map((problem) => `${where}: ${problem}`));
    if (entry === null) continue;
    const isEmpty = "paths" in entry && entry.paths.length === 0;
    if (isEmpty) checked.warnings.push(`${where}: no file of the workspace matches its \`files\`.`);
    for (const id of "paths" in entry ? entry.paths : [entry.id]) {
      const other = numbers.get(id);
      if (other !== undefined) checked.problems.push(`${where}: ${twice(value, id, other)}`);
      numbers.set(id, other ?? index + 1);
    }
    checked.entries.push(entry);
  }
  const count = checked.entries.reduce((sum, entry) => sum + countOf(entry), 0);
  if (count > MAX_TASKS) {
    checked.problems.push(`${count} tasks are too many: at most ${MAX_TASKS} are allowed.`);
  }
  return checked;
}

interface Checked {
  entries: TaskEntry[];
  problems: string[];
  warnings: string[];
}

function countOf(entry: TaskEntry): number {
  return "paths" in entry ? Math.ceil(entry.paths.length / entry.perTask) : 1;
}

function twice(value: unknown, id: string, other: number): string {
  if (typeof value === "string") return `the prompt is the same as that of task ${other}.`;
  const isFile = typeof value === "object" && value !== null && "files" in value;
  if (isFile) return `the file ${quote(id)} already belongs to task ${other}.`;
  return `id ${quote(id)} is already used by task ${other}.`;
}

/** Checks an entry with `files`. */
function checkFiles(
  value: object,
  all: readonly string[],
): { entry: FilesTask | null; problems: string[] } {
  const fields = value as Record<string, unknown>;
  const { files, prompt } = fields;
  const perTask = fields["per-task"] ?? 1;
  const lines = Array.isArray(files) ? files : [files];
  const isText = lines.every((line) => typeof line === "string" && line.trim() !== "");
  const isCount = typeof perTask === "number" && Number.isSafeInteger(perTask) && perTask >= 1;
  const filter = isText ? parsePathFilter(lines.join("\n")) : { problem: "" };
  const problems = [
    ...unknownFields(fields, FILES_FIELDS),
    ...(isText && lines.length > 0 ? [] : ["files must be a pattern, or a list of patterns."]),
    ...(isText && "problem" in filter ? [`files: ${filter.problem}.`] : []),
    ...problemsOfPrompt(prompt),
    ...(isCount ? [] : ["per-task must be a whole number of 1 or more."]),
  ];
  if (problems.length > 0 || "problem" in filter) return { entry: null, problems };
  const paths = all.filter((path) => filter.matches(path));
  return { entry: { paths, perTask: Number(perTask), prompt: String(prompt) }, problems };
}

function unknownFields(fields: object, known: readonly string[]): string[] {
  const unknown = Object.keys(fields).filter((name) => !known.includes(name));
  return unknown.slice(0, 5).map((name) => `unknown field ${quote(name)}.`);
}

function checkTask(value: unknown): { entry: QueueTask | null; problems: string[] } {
  if (typeof value === "string") {
    if (value.trim() === "") return { entry: null, problems: ["the prompt is empty."] };
    return { entry: { id: hashOf(value), prompt: value, isPlain: true }, problems: [] };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const problem = "it must be a prompt, or have the fields id and prompt, or files and prompt.";
    return { entry: null, problems: [problem] };
  }
  const fields = value as Record<string, unknown>;
  const problems = [
    ...unknownFields(fields, FIELDS),
    ...problemsOfId(fields.id),
    ...problemsOfPrompt(fields.prompt),
  ];
  const { id, prompt } = fields;
  // A task with a valid ID is checked for duplicates even if it has other problems.
  const isNamed = typeof id === "string" && problemsOfId(id).length === 0;
  const entry = isNamed
    ? { id, prompt: typeof prompt === "string" ? prompt : "", isPlain: false }
    : null;
  return { entry, problems };
}

function problemsOfId(id: unknown): string[] {
  if (id === undefined) return ["id is missing."];
  if (typeof id !== "string") return ["id must be text: put it in quotes."];
  if (id.trim() === "") return ["id is empty."];
  if ([...id].length > MAX_ID) return [`id is longer than ${MAX_ID} characters.`];
  if (ID.test(id)) return [];
  return [
    `id ${quote(id)} is not allowed: it must be one line without leading or trailing white space.`,
  ];
}

function problemsOfPrompt(prompt: unknown): string[] {
  if (prompt === undefined) return ["prompt is missing."];
  if (typeof prompt !== "string") return ["prompt must be text: put it in quotes."];
  return prompt.trim() === "" ? ["prompt is empty."] : [];
}

/** The ID of a plain prompt. White space around the prompt does not change it. */
function hashOf(prompt: string): string {
  return hash("sha256", prompt.trim(), "hex").slice(0, HASH_LENGTH);
}
