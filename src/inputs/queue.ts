import type { RunContext } from "../github/run-context.ts";
import { input, invalid, type ReadInput, type ValuesOf, wholeNumber } from "./checks.ts";
import { withApiUrl } from "./github.ts";
import { LEDGER } from "./ledger.ts";
import { checkServiceInputs } from "./service.ts";
import { readTasksFile, type TaskEntry } from "./tasks-file.ts";

/** The service's limit of requests per project and hour. */
const MOST_PER_HOUR = 100;
/** Maximum length of a queue's name, in characters. It is part of an issue's title. */
const MAX_NAME = 200;

const UP_TO = `a whole number from 1 to ${MOST_PER_HOUR}`;

const QUEUE = {
  ...LEDGER,
  "tasks-file": input("the path of a file in the workspace, such as docs/tasks.yml", (text) =>
    text.trim() === "" ? undefined : text.trim(),
  ),
  name: input(`one line of at most ${MAX_NAME} characters`, (text) =>
    /^[^\p{Cc}]*$/u.test(text.trim()) && text.trim().length <= MAX_NAME ? text.trim() : undefined,
  ),
  "max-running": wholeNumber(UP_TO, "3", MOST_PER_HOUR),
  "per-hour": wholeNumber(UP_TO, "50", MOST_PER_HOUR),
};

/** The inputs of the queue, and the tasks in its file. */
export interface QueueInputs extends ValuesOf<typeof QUEUE> {
  /** In the order of the file. Each ID and each path is there once. */
  entries: TaskEntry[];
  /** Unusual things in the file that are no errors. */
  warnings: string[];
}

/**
 * Reads and checks every input of the queue, and its file.
 *
 * @param context contains the workspace, and the default of `github-api-url`
 * @throws ActionError `invalid-input` with every invalid input and every invalid task
 */
export async function parseQueueInputs(
  read: ReadInput,
  context: Pick<RunContext, "workspace" | "apiUrl">,
): Promise<QueueInputs> {
  const { values, problems } = checkServiceInputs(QUEUE, withApiUrl(read, context.apiUrl));
  const path = read("tasks-file").trim();
  const file = path === "" ? null : await readTasksFile(context.workspace, path);
  if (file !== null && "problem" in file) problems.push(file.problem);
  if (values === null || file === null || "problem" in file || problems.length > 0) {
    throw invalid(problems);
  }
  return {
    ...values,
    entries: file.entries,
    warnings: file.warnings.map((it) => `tasks-file: ${it}`),
    name: values.name === "" ? file.path : values.name,
  };
}
