import type { RunContext } from "../github/trigger/run-context.ts";
import { notAllowed, parseInputs, type ReadInput, textInput, wholeNumber } from "./checks.ts";
import { LEDGER } from "./shared.ts";
import { readTasksFile } from "./tasks-file.ts";

/** The service's limit of requests per project and hour. */
const MOST_PER_HOUR = 100;
/** Maximum length of a queue's name, in characters. It is part of an issue's title. */
const MAX_NAME = 200;

const QUEUE = {
  ...LEDGER,
  name: textInput(
    `one line of at most ${MAX_NAME} characters`,
    (text) => /^[^\p{Cc}]*$/u.test(text) && text.length <= MAX_NAME,
  ),
  "max-running": wholeNumber("3", 1, MOST_PER_HOUR),
  "per-hour": wholeNumber("50", 1, MOST_PER_HOUR),
};

/** The inputs of the queue, and the tasks in its file. Durations are in milliseconds. */
export type QueueInputs = Awaited<ReturnType<typeof parseQueueInputs>>;

/** @throws ActionError `invalid-input` with every invalid input and every invalid task */
export async function parseQueueInputs(read: ReadInput, context: RunContext) {
  const path = read("tasks-file").trim();
  // Loaded only if there is YAML to read.
  const yaml = path === "" || /\.json$/i.test(path) ? null : await import("yaml");
  const tasksFile = () => {
    if (path !== "") return readTasksFile(context.workspace, path, yaml);
    throw notAllowed(
      "an empty value",
      "the path of a file in the workspace, such as docs/tasks.yml",
    );
  };
  const { tasksFile: file, ...values } = parseInputs(
    { ...QUEUE, "tasks-file": tasksFile },
    read,
    context,
  );
  return { ...values, ...file, name: values.name === "" ? file.path : values.name };
}
