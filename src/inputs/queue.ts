import type { RunContext } from "../github/run-context.ts";
import { checkInputs, input, invalid, type ReadInput, wholeNumber } from "./checks.ts";
import { LEDGER } from "./shared.ts";
import { readTasksFile } from "./tasks-file.ts";

/** The service's limit of requests per project and hour. */
const MOST_PER_HOUR = 100;
/** Maximum length of a queue's name, in characters. It is part of an issue's title. */
const MAX_NAME = 200;

const QUEUE = {
  ...LEDGER,
  "tasks-file": input(
    "the path of a file in the workspace, such as docs/tasks.yml",
    (path) => path || undefined,
  ),
  name: input(`one line of at most ${MAX_NAME} characters`, (text) =>
    /^[^\p{Cc}]*$/u.test(text) && text.length <= MAX_NAME ? text : undefined,
  ),
  "max-running": wholeNumber("3", 1, MOST_PER_HOUR),
  "per-hour": wholeNumber("50", 1, MOST_PER_HOUR),
};

/** The inputs of the queue, and the tasks in its file. Durations are in milliseconds. */
export type QueueInputs = Awaited<ReturnType<typeof parseQueueInputs>>;

/** @throws ActionError `invalid-input` with every invalid input and every invalid task */
export async function parseQueueInputs(read: ReadInput, context: RunContext) {
  const { values, problems } = checkInputs(QUEUE, read, context);
  const path = read("tasks-file").trim();
  const file = path === "" ? null : await readTasksFile(context.workspace, path);
  if (file !== null && "problem" in file) problems.push(file.problem);
  if (values === null || file === null || "problem" in file) throw invalid(problems);
  const { entries, warnings } = file;
  return {
    ...values,
    /** In the order of the file. IDs and paths are unique. */
    entries,
    /** Unusual things in the file that are no errors. */
    warnings: warnings.map((warning) => `tasks-file: ${warning}`),
    name: values.name === "" ? file.path : values.name,
  };
}
