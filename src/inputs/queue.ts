import * as z from "zod/mini";
import type { ApiKeys } from "../github/markers.ts";
import type { RunContext } from "../github/run-context.ts";
import {
  flag,
  hidden,
  httpUrl,
  input,
  invalid,
  type ReadInput,
  readAll,
  wholeNumber,
  withoutPassword,
} from "./checks.ts";
import { keysOf, previousKeyCheck, problemsOf, projectChecks } from "./service.ts";
import { readTasksFile, type Task } from "./tasks-file.ts";

/** Requests that the service takes from a project in an hour. */
const MOST_PER_HOUR = 100;
/** Longest name of a queue, in characters: it is part of an issue's title. */
const MAX_NAME = 200;

const schema = z.object({
  ...projectChecks,
  ...previousKeyCheck,
  "tasks-file": input("the path of a file in the workspace, such as docs/tasks.yml", (text) =>
    text.trim() === "" ? undefined : text.trim(),
  ),
  name: input(`one line of at most ${MAX_NAME} characters`, (text) =>
    /^[^\p{Cc}]*$/u.test(text.trim()) && text.trim().length <= MAX_NAME ? text.trim() : undefined,
  ),
  "max-running": upTo(MOST_PER_HOUR, "3"),
  "per-hour": upTo(MOST_PER_HOUR, "50"),
  "max-attempts": wholeNumber("a whole number from 1", "3"),
  dashboard: input("the number of an issue, such as 12", (text) => {
    if (text.trim() === "") return null;
    const value = /^\d+$/.test(text.trim()) ? Number(text) : 0;
    return Number.isSafeInteger(value) && value > 0 ? value : undefined;
  }),
  "dry-run": flag("false"),
  "github-token": input(
    "a token without line breaks or spaces",
    (text) => (/^[\x21-\x7E]+$/.test(text.trim()) ? text.trim() : undefined),
    { show: hidden },
  ),
  "github-api-url": input(
    "the address of GitHub's API, such as https://api.github.com, without user, password, ? or #",
    httpUrl,
    { show: withoutPassword },
  ),
});

/** The inputs of the queue, checked, and the tasks of its file. */
export interface QueueInputs {
  apiKey: string;
  /** Those that markers are read with; the first is the API key. */
  keys: ApiKeys;
  projectId: string;
  baseUrl: URL;
  githubToken: string;
  githubApiUrl: URL;
  /** In the order of the file, each id once. */
  tasks: Task[];
  /** Tells queues of one repository apart; by default, the file's path. */
  name: string;
  maxRunning: number;
  perHour: number;
  maxAttempts: number;
  /** Null: the issue is found by its label and marker, or opened. */
  dashboard: number | null;
  dryRun: boolean;
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
    apiKey: data["api-key"],
    keys: keysOf(data),
    projectId: data["project-id"],
    baseUrl: data["base-url"],
    githubToken: data["github-token"],
    githubApiUrl: data["github-api-url"],
    tasks: file.tasks,
    name: data.name === "" ? file.path : data.name,
    maxRunning: data["max-running"],
    perHour: data["per-hour"],
    maxAttempts: data["max-attempts"],
    dashboard: data.dashboard,
    dryRun: data["dry-run"],
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
