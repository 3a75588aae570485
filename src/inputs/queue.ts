import * as z from "zod/mini";
import type { RunContext } from "../github/run-context.ts";
import type { LedgerInputs } from "../ledger/run/ledger-run.ts";
import { input, invalid, type ReadInput, readAll } from "./checks.ts";
import { ledgerChecks, ledgerInputs } from "./ledger.ts";
import { problemsOf } from "./service.ts";
import { readTasksFile, type TaskEntry } from "./tasks-file.ts";

/** Requests that the service takes from a project in an hour. */
const MOST_PER_HOUR = 100;
/** Longest name of a queue, in characters: it is part of an issue's title. */
const MAX_NAME = 200;

const schema = z.object({
  ...ledgerChecks,
  "tasks-file": input("the path of a file in the workspace, such as docs/tasks.yml", (text) =>
    text.trim() === "" ? undefined : text.trim(),
  ),
  name: input(`one line of at most ${MAX_NAME} characters`, (text) =>
    /^[^\p{Cc}]*$/u.test(text.trim()) && text.trim().length <= MAX_NAME ? text.trim() : undefined,
  ),
  "max-running": upTo(MOST_PER_HOUR, "3"),
  "per-hour": upTo(MOST_PER_HOUR, "50"),
});

/** The inputs of the queue, checked, and the tasks of its file. */
export interface QueueInputs extends LedgerInputs {
  /** In the order of the file, each id and each path once. */
  entries: TaskEntry[];
  /** What is odd about the file, and no error. */
  warnings: string[];
  maxRunning: number;
  perHour: number;
}

/**
 * Reads and checks every input of the queue, and its file.
 *
 * @param context tells the workspace that `tasks-file` lies in, and GitHub's API
 * @throws ActionError `invalid-input`, naming every input and every task that is wrong
 */
export async function parseQueueInputs(
  read: ReadInput,
  context: Pick<RunContext, "workspace" | "apiUrl">,
): Promise<QueueInputs> {
  const raw = readAll(schema.shape, read);
  raw["github-api-url"] ||= context.apiUrl;
  const { data, error } = schema.safeParse(raw);
  const path = read("tasks-file").trim();
  const problems = problemsOf(raw, error);
  const file = path === "" ? null : await readTasksFile(context.workspace, path);
  if (file !== null && "problem" in file) problems.push(file.problem);
  if (data === undefined || file === null || "problem" in file || problems.length > 0) {
    throw invalid(problems);
  }
  return {
    ...ledgerInputs(data),
    entries: file.entries,
    warnings: file.warnings.map((it) => `tasks-file: ${it}`),
    name: data.name === "" ? file.path : data.name,
    maxRunning: data["max-running"],
    perHour: data["per-hour"],
  };
}

/** A count from 1 to a limit. */
function upTo(limit: number, fallback: string) {
  return input(
    `a whole number from 1 to ${limit}`,
    (text) => {
      const value = /^\d+$/.test(text.trim()) ? Number(text) : 0;
      return value >= 1 && value <= limit ? value : undefined;
    },
    { fallback },
  );
}
