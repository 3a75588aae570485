import { hash } from "node:crypto";
import { quote } from "../text/quote.ts";
import { readTextFile } from "./workspace-file.ts";
import { type ListItem, readYamlList } from "./yaml-list.ts";

/** A task as the file has it. */
export interface QueueTask {
  id: string;
  /** As it is written, white space included. */
  prompt: string;
  /** The ID is only a hash of the prompt. */
  isPlain: boolean;
}

/** Most tasks in a file. */
export const MAX_TASKS = 5_000;
/** Longest id, in characters. */
export const MAX_ID = 100;
/** Largest file, in bytes: YAML of this size takes up to a second to read. */
const MAX_BYTES = 2 * 1024 * 1024;
/** How many problems are told at once; nobody reads thousands. */
const MAX_PROBLEMS = 100;
/** Characters of the hash that is the id of a plain prompt. */
const HASH_LENGTH = 12;

const ID = /^[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u;
const FIELDS = ["id", "prompt"];

/** The tasks, and the file's path in the workspace; or what is wrong with it, in one text. */
export type TasksFile = { tasks: QueueTask[]; path: string } | { problem: string };

/**
 * Reads a file of tasks, and checks it as a whole.
 *
 * @param workspace the folder that the file lies in, symbolic links resolved
 * @param path absolute, or relative to the workspace; JSON if it ends in `.json`, else YAML
 */
export async function readTasksFile(workspace: string, path: string): Promise<TasksFile> {
  const name = `tasks-file: ${quote(path)}`;
  const file = readTextFile(workspace, path, MAX_BYTES);
  if ("problem" in file) return { problem: `${name} ${file.problem}` };
  const text = file.text.replace(/^\uFEFF/, "");
  const list = /\.json$/i.test(file.path) ? readJsonList(text) : await readYamlList(text);
  if ("problems" in list) return { problem: told(name, list.problems) };
  const { tasks, problems } = checkTasks(list.items);
  if (problems.length > 0) return { problem: told(`${name}:`, problems) };
  return { tasks, path: file.path };
}

/** All problems of a file, as one of the inputs. */
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

/** The tasks of a list, and a sentence for each thing that is wrong. */
export function checkTasks(items: readonly { value: unknown; line?: number }[]): {
  tasks: QueueTask[];
  problems: string[];
} {
  const tasks: QueueTask[] = [];
  const problems: string[] = [];
  const numbers = new Map<string, number>();
  if (items.length > MAX_TASKS) {
    problems.push(`${items.length} tasks are too many: at most ${MAX_TASKS} are allowed.`);
  }
  for (const [index, { value, line }] of items.entries()) {
    const number = index + 1;
    const where = `task ${number}${line === undefined ? "" : ` (line ${line})`}`;
    const checked = checkTask(value);
    problems.push(...checked.problems.map((problem) => `${where}: ${problem}`));
    if (checked.task === null) continue;
    const { id } = checked.task;
    const other = numbers.get(id);
    if (other === undefined) numbers.set(id, number);
    else if (typeof value === "string") {
      problems.push(`${where}: the prompt is the same as that of task ${other}.`);
    } else problems.push(`${where}: id ${quote(id)} is already used by task ${other}.`);
    tasks.push(checked.task);
  }
  return { tasks, problems };
}

function checkTask(value: unknown): { task: QueueTask | null; problems: string[] } {
  if (typeof value === "string") {
    if (value.trim() === "") return { task: null, problems: ["the prompt is empty."] };
    return { task: { id: hashOf(value), prompt: value, isPlain: true }, problems: [] };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { task: null, problems: ["it must be a prompt, or have the fields id and prompt."] };
  }
  const fields = value as Record<string, unknown>;
  const unknown = Object.keys(fields).filter((name) => !FIELDS.includes(name));
  const problems = [
    ...unknown.slice(0, 5).map((name) => `unknown field ${quote(name)}.`),
    ...problemsOfId(fields.id),
    ...problemsOfPrompt(fields.prompt),
  ];
  const { id, prompt } = fields;
  // A task with a valid ID is checked for duplicates even if it has other problems.
  const isNamed = typeof id === "string" && problemsOfId(id).length === 0;
  const task = isNamed
    ? { id, prompt: typeof prompt === "string" ? prompt : "", isPlain: false }
    : null;
  return { task, problems };
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

/** The id of a plain prompt: the same as long as its words are, whatever white space is around them. */
function hashOf(prompt: string): string {
  return hash("sha256", prompt.trim(), "hex").slice(0, HASH_LENGTH);
}
