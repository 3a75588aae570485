import type { RunContext } from "../github/trigger/run-context.ts";
import {
  InputProblem,
  notAllowed,
  type ParseInput,
  parseInputs,
  type ReadInput,
  trimmedText,
  wholeNumber,
} from "../inputs/checks.ts";
import { batchLedgerInputs } from "../inputs/ledger.ts";
import { readTasksFile, type TaskEntry } from "./tasks-file.ts";

/** The service's limit of requests per project and hour. */
const MOST_PER_HOUR = 100;
/** Maximum length of a queue's name, in characters. It is part of an issue's title. */
const MAX_NAME = 200;

const TASKS_FILE = "tasks-file";

/** The inputs of the queue, and the tasks in its file. Durations are in milliseconds. */
export interface QueueInputs extends ReturnType<typeof batchLedgerInputs> {
  /** By default, the path of the file. */
  name: string;
  maxRunning: number;
  maxJobsPerHour: number;
  /** In the order of the file. IDs and paths are unique. */
  entries: TaskEntry[];
  /** Unusual things in the file that are not errors. */
  warnings: string[];
}

/** @throws ActionError `invalid-input` with every invalid input and every invalid task */
export async function parseQueueInputs(read: ReadInput, context: RunContext): Promise<QueueInputs> {
  const tasksFile = read(TASKS_FILE).trim();
  // Loaded only if there is YAML to read.
  const isYaml = tasksFile !== "" && !/\.json$/i.test(tasksFile);
  const yaml = isYaml ? await import("yaml") : null;
  const isName = (text: string) => /^[^\p{Cc}]*$/u.test(text) && text.length <= MAX_NAME;
  const { file, ...inputs } = parseInputs(read, (input) => ({
    ...batchLedgerInputs(input, context),
    name: input("name", trimmedText(`one line of at most ${MAX_NAME} characters`, isName)),
    maxRunning: input("max-running", wholeNumber("3", 1, MOST_PER_HOUR)),
    maxJobsPerHour: maxJobsPerHour(input),
    file: input(TASKS_FILE, (text) => {
      if (text.trim() !== "") return readTasksFile(context.workspace, text.trim(), yaml);
      const allowed = "the path of a file in the workspace, such as docs/tasks.yml";
      throw notAllowed("an empty value", allowed);
    }),
  }));
  return {
    ...inputs,
    name: inputs.name === "" ? file.path : inputs.name,
    entries: file.entries,
    warnings: file.warnings.map((warning) => `${TASKS_FILE}: ${warning}`),
  };
}

/** Earlier commits of this action called it `per-hour`. */
function maxJobsPerHour(input: ParseInput): number {
  input("per-hour", (text) => {
    if (text.trim() !== "") throw new InputProblem("its name is `max-jobs-per-hour` now.");
  });
  return input("max-jobs-per-hour", wholeNumber("50", 1, MOST_PER_HOUR));
}
