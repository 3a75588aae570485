import { hash } from "node:crypto";
import * as z from "zod/mini";
import { parsePathFilter } from "../text/path-filter.ts";
import { counted, quote } from "../text/sentence.ts";
import { readTextFile, workspaceFiles } from "./workspace.ts";
import { type List, readYamlList } from "./yaml-list.ts";

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

/** The entries, and the path of the file in the workspace; or all problems in one text. */
type TasksFile = { entries: TaskEntry[]; path: string; warnings: string[] } | { problem: string };

/**
 * Reads and checks a file of tasks.
 *
 * @param workspace the folder that must contain the file after symbolic links are resolved
 * @param path absolute, or relative to the workspace; JSON if it ends in `.json`, otherwise YAML
 */
export async function readTasksFile(workspace: string, path: string): Promise<TasksFile> {
  const name = `tasks-file: ${quote(path)}`;
  const file = readTextFile(workspace, path, MAX_BYTES);
  if ("problem" in file) return { problem: `${name} ${file.problem}` };
  const text = file.text.replace(/^\uFEFF/, "");
  const list = /\.json$/i.test(file.path) ? readJsonList(text) : await readYamlList(text);
  if ("problem" in list) return { problem: `${name} ${list.problem}` };
  const { entries, problems, warnings } = checkTasks(list.items, () => workspaceFiles(workspace));
  const all = [...list.problems, ...problems];
  if (all.length === 0) return { entries, path: file.path, warnings };
  const more = all.length - MAX_PROBLEMS;
  const shown = [...all.slice(0, MAX_PROBLEMS), ...(more > 0 ? [`… and ${more} more.`] : [])];
  const head = `${name} has ${counted(all.length, "problem")}:`;
  return { problem: [head, ...shown.map((problem) => `  - ${problem}`)].join("\n") };
}

function readJsonList(text: string): List | { problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return { problem: "is not an array." };
    return { items: value.map((one: unknown) => ({ value: one })), problems: [] };
  } catch (error) {
    return { problem: `is not JSON (${(error as Error).message.slice(0, 200)}).` };
  }
}

const oneText = (name: string) =>
  z
    .string({
      error: ({ input }) =>
        `${name} ${input === undefined ? "is missing" : "must be text: put it in quotes"}.`,
    })
    .check(z.refine((text) => text.trim() !== "", { error: `${name} is empty.`, abort: true }));

/** For the fields that a task does not have. */
const STRICT = {
  error: ({ code, keys = [] }: { code: string; keys?: string[] }) =>
    code === "unrecognized_keys"
      ? `unknown field ${keys.slice(0, 5).map(quote).join(", ")}.`
      : undefined,
};

const TASK = z.strictObject(
  {
    id: oneText("id").check(
      z.refine((id) => [...id].length <= MAX_ID, `id is longer than ${MAX_ID} characters.`),
      z.regex(/^[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u, {
        error: ({ input }) =>
          `id ${quote(String(input))} is not allowed: it must be one line without leading or trailing white space.`,
      }),
    ),
    prompt: oneText("prompt"),
  },
  STRICT,
);

const PATTERNS = "files must be a pattern, or a list of patterns.";
const pattern = z.string(PATTERNS).check(z.regex(/\S/, PATTERNS));
const COUNT = "per-task must be a whole number of 1 or more.";

const FILES_TASK = z.strictObject(
  {
    files: z.union([pattern, z.array(pattern).check(z.minLength(1, PATTERNS))], PATTERNS),
    prompt: oneText("prompt"),
    "per-task": z.nullish(z.int(COUNT).check(z.minimum(1, COUNT))),
  },
  STRICT,
);

function tooMany(count: number): string {
  return `${count} tasks are too many: at most ${MAX_TASKS} are allowed.`;
}

/** What is checked of one entry: the IDs or files that no other entry may have. */
type CheckedEntry = { entry: TaskEntry; ids: string[] } | { problems: string[] };

/**
 * The entries of a list, and a sentence for each problem.
 *
 * @param list returns all files of the workspace. It is called only if an entry has `files`.
 */
export function checkTasks(
  items: List["items"],
  list: () => string[],
): { entries: TaskEntry[]; problems: string[]; warnings: string[] } {
  if (items.length > MAX_TASKS) {
    return { entries: [], problems: [tooMany(items.length)], warnings: [] };
  }
  const entries: TaskEntry[] = [];
  const problems: string[] = [];
  const warnings: string[] = [];
  const numbers = new Map<string, number>();
  let files: string[] | undefined;
  const allFiles = () => {
    files ??= list();
    return files;
  };
  for (const [index, { value, line }] of items.entries()) {
    const where = `task ${index + 1}${line === undefined ? "" : ` (line ${line})`}`;
    const checked = checkEntry(value, allFiles);
    if ("problems" in checked) {
      problems.push(...checked.problems.map((problem) => `${where}: ${problem}`));
      continue;
    }
    const { entry, ids } = checked;
    entries.push(entry);
    if (ids.length === 0)
      warnings.push(`${where}: no file of the workspace matches its \`files\`.`);
    for (const id of ids) {
      const other = numbers.get(id);
      numbers.set(id, other ?? index + 1);
      if (other !== undefined) problems.push(`${where}: ${twice(entry, id)} task ${other}.`);
    }
  }
  const count = entries.reduce((sum, entry) => sum + countOf(entry), 0);
  if (count > MAX_TASKS) {
    problems.push(tooMany(count));
  }
  return { entries, problems, warnings };
}

function checkEntry(value: unknown, allFiles: () => string[]): CheckedEntry {
  if (typeof value === "string") {
    if (value.trim() === "") return { problems: ["the prompt is empty."] };
    // White space around the prompt does not change its ID.
    const id = hash("sha256", value.trim(), "hex").slice(0, HASH_LENGTH);
    return { entry: { id, prompt: value, isPlain: true }, ids: [id] };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return {
      problems: ["it must be a prompt, or have the fields id and prompt, or files and prompt."],
    };
  }
  if (!("files" in value)) {
    const { data, error } = TASK.safeParse(value);
    if (error !== undefined) return problemsIn(error);
    return { entry: { ...data, isPlain: false }, ids: [data.id] };
  }
  const { data, error } = FILES_TASK.safeParse(value);
  if (error !== undefined) return problemsIn(error);
  const filter = parsePathFilter([data.files].flat().join("\n"));
  if ("problem" in filter) return { problems: [`files: ${filter.problem}.`] };
  const paths = allFiles().filter((path) => filter.matches(path));
  return { entry: { paths, perTask: data["per-task"] ?? 1, prompt: data.prompt }, ids: paths };
}

function problemsIn({ issues }: z.core.$ZodError): { problems: string[] } {
  return { problems: issues.map(({ message }) => message) };
}

function countOf(entry: TaskEntry): number {
  return "paths" in entry ? Math.ceil(entry.paths.length / entry.perTask) : 1;
}

function twice(entry: TaskEntry, id: string): string {
  if ("paths" in entry) return `the file ${quote(id)} already belongs to`;
  return entry.isPlain ? "the prompt is the same as that of" : `id ${quote(id)} is already used by`;
}
