import { hash } from "node:crypto";
import * as z from "zod/mini";
import { checkEach, InputProblem } from "../inputs/checks.ts";
import { readTextFile, workspaceFiles } from "../inputs/workspace.ts";
import { once } from "../runtime/dependencies.ts";
import { parsePathFilter } from "../text/path-filter.ts";
import { counted, quote } from "../text/sentence.ts";
import { readYamlList, type YamlItem } from "./yaml-list.ts";

/** A task in the file. */
export interface QueueTask {
  id: string;
  /** Unchanged, with its white space. */
  prompt: string;
  /** Whether the ID is a hash of the prompt. */
  isPlain: boolean;
}

/** An entry of the file. */
export type TaskEntry =
  | QueueTask
  | {
      /** The paths of the files that match, in order. */
      paths: string[];
      perTask: number;
      /** The paths replace `{files}` in it, one per line. */
      prompt: string;
    };

/** Maximum number of tasks in a file. */
export const MAX_TASKS = 20_000;
/** Maximum size of the file, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Maximum number of problems that the error shows. */
const MAX_PROBLEMS = 100;

/**
 * Reads and checks a file of tasks: its entries in the order of the file, its path in the workspace, and warnings about
 * unusual things that are not errors.
 *
 * @param workspace the folder that must contain the file after symbolic links are resolved
 * @param name its path, absolute or relative to the workspace
 * @param yaml reads YAML; null for JSON
 * @throws InputProblem with everything that is wrong
 */
export function readTasksFile(workspace: string, name: string, yaml: typeof import("yaml") | null) {
  const file = readTextFile(workspace, name, MAX_BYTES);
  const text = file.text.replace(/^\uFEFF/, "");
  const items = yaml === null ? readJsonList(text) : readYamlList(text, yaml);
  if (typeof items === "string") throw new InputProblem(`${quote(name)} ${items}`);
  try {
    const tasks = checkTasks(items, () => workspaceFiles(workspace).sort());
    return { ...tasks, path: file.path };
  } catch (error) {
    if (!(error instanceof InputProblem)) throw error;
    const { ends } = error;
    const head = `${quote(name)} has ${counted(ends.length, "problem")}:`;
    const shown = ends.slice(0, MAX_PROBLEMS).map((end) => `  - ${end}`);
    throw new InputProblem([head, ...shown].join("\n"));
  }
}

function readJsonList(text: string): YamlItem[] | string {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map((value) => ({ value })) : "is not an array.";
  } catch (error) {
    return `is not JSON (${(error as Error).message.slice(0, 200)}).`;
  }
}

/** Names the fields that an entry does not have. */
const ENTRY = {
  error: ({ keys = [] }: { code: string; keys?: string[] }) =>
    keys.length === 0
      ? "it must be a prompt, or have the fields id and prompt, or files and prompt."
      : `unknown field ${keys.slice(0, 5).map(quote).join(", ")}.`,
};
const ID =
  "id must be text, in quotes if it is a number: one line of at most 100 characters, without white space around it.";
const PROMPT = "prompt must be text, in quotes if it is a number, and not empty.";
const PATTERNS = "files must be a pattern, or a list of patterns.";
const COUNT = "per-task must be a whole number of 1 or more.";

/** A field that must be text. @param problem says so */
const textField = (problem: string, allowed = /\S/) =>
  z.string(problem).check(z.regex(allowed, problem));

const TASK = z.strictObject(
  {
    id: textField(ID, /^(?!\s)[^\p{Cc}]{1,100}(?<!\s)$/u),
    prompt: textField(PROMPT),
  },
  ENTRY,
);

const FILES_TASK = z.strictObject(
  {
    files: z.union(
      [textField(PATTERNS), z.array(textField(PATTERNS)).check(z.minLength(1, PATTERNS))],
      PATTERNS,
    ),
    prompt: textField(PROMPT),
    "per-task": z.nullish(z.int(COUNT).check(z.minimum(1, COUNT))),
  },
  ENTRY,
);

function tooMany(count: number): InputProblem {
  return new InputProblem(`${count} tasks are too many: at most ${MAX_TASKS} are allowed.`);
}

/**
 * Checks all items of a list.
 *
 * @param list returns all files of the workspace. It is called only if an entry has `files`.
 * @throws InputProblem
 */
export function checkTasks(
  items: readonly YamlItem[],
  list: () => string[],
): { entries: TaskEntry[]; warnings: string[] } {
  if (items.length > MAX_TASKS) throw tooMany(items.length);
  const warnings: string[] = [];
  const numbers = new Map<string, number>();
  const allFiles = once(list);
  const nameOf = ({ line }: YamlItem, index: number) =>
    `task ${index + 1}${line === undefined ? "" : ` (line ${line})`}: `;
  const check = (item: YamlItem, index: number) => {
    const entry = checkEntry(item.value, allFiles, (pattern) => {
      warnings.push(`${nameOf(item, index)}no file of the workspace matches ${pattern}.`);
    });
    const ids = "paths" in entry ? entry.paths : [entry.id];
    const taken = ids.filter((id) => numbers.has(id));
    for (const id of ids) numbers.set(id, numbers.get(id) ?? index + 1);
    if (taken.length === 0) return entry;
    const subjectOf = (id: string) =>
      "paths" in entry ? `the file ${quote(id)}` : entry.isPlain ? "the prompt" : `id ${quote(id)}`;
    throw new InputProblem(
      ...taken.map((id) => `${subjectOf(id)} already belongs to task ${numbers.get(id)}.`),
    );
  };
  const entries = checkEach(items, check, nameOf);
  const count = entries.reduce((sum, entry) => sum + countOf(entry), 0);
  if (count > MAX_TASKS) throw tooMany(count);
  return { entries, warnings };
}

/** @param warn called with what matches no file @throws InputProblem */
function checkEntry(
  value: unknown,
  allFiles: () => string[],
  warn: (pattern: string) => void,
): TaskEntry {
  if (value instanceof InputProblem) throw value;
  if (typeof value === "string") {
    if (value.trim() === "") throw new InputProblem("the prompt is empty.");
    // White space around the prompt does not change its ID.
    const id = hash("sha256", value.trim(), "hex").slice(0, 12);
    return { id, prompt: value, isPlain: true };
  }
  const isForFiles = typeof value === "object" && value !== null && "files" in value;
  if (!isForFiles) return { ...checkedBy(TASK, value), isPlain: false };
  const { files, prompt, "per-task": perTask } = checkedBy(FILES_TASK, value);
  const filter = parsePathFilter([files].flat().join("\n"));
  if ("problem" in filter) throw new InputProblem(`files: ${filter.problem}.`);
  const all = allFiles();
  const paths = all.filter((path) => filter.matches(path));
  const unmatched = filter.matchingNone(all);
  for (const pattern of unmatched) warn(`${quote(pattern)} in its \`files\``);
  if (paths.length === 0 && unmatched.length === 0) warn("its `files`");
  return { paths, perTask: perTask ?? 1, prompt };
}

function checkedBy<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value);
  if (error !== undefined) throw new InputProblem(...error.issues.map(({ message }) => message));
  return data;
}

function countOf(entry: TaskEntry): number {
  return "paths" in entry ? Math.ceil(entry.paths.length / entry.perTask) : 1;
}
