import * as z from "zod/mini";
import type { GitHubSettings } from "../github/feedback.ts";
import type { ApiKeys } from "../github/markers.ts";
import type { RunContext } from "../github/run-context.ts";
import { contextItem, filter, MAX_CURRENT_PATH, type Question } from "../service/assistant.ts";
import { linesOf, quote } from "../text/sentence.ts";
import {
  type Checked,
  input,
  isSegment,
  json,
  oneOf,
  positive,
  type ReadInput,
  type ValuesOf,
  valuesOf,
  wholeNumber,
} from "./checks.ts";
import { withRequest } from "./prompt.ts";
import { checkServiceInputs, keysOf, PREVIOUS_KEY, SERVICE } from "./service.ts";
import { readTextFile } from "./workspace.ts";

const MINUTE = 60_000;

type Context = z.infer<typeof contextItem>[];

const ASSISTANT = {
  ...SERVICE,
  ...PREVIOUS_KEY,
  domain: input("the last part of the dashboard URL (not . or ..)", (text) =>
    text.trim() !== "" && isSegment(text.trim()) ? text.trim() : undefined,
  ),
  /** The thread to continue; null: the comments decide. */
  "thread-id": input("the id of a thread", (text) => text.trim() || null),
  "retrieval-page-size": wholeNumber("a positive whole number, such as 5", "5"),
  filter: json<Question["filter"]>(
    'a JSON object such as {"version": "v2", "language": "en", "groups": ["beta"]}',
    z.nullable(filter),
  ),
  context: json<Context>(
    'a JSON array of objects with type ("code" or "textSelection"), value (text) and, optionally, path and elementId (text)',
    z.array(contextItem),
  ),
  "current-path": input(`a path of at most ${MAX_CURRENT_PATH} characters`, (text) =>
    [...text.trim()].length <= MAX_CURRENT_PATH ? text.trim() || null : undefined,
  ),
  fingerprint: input("a word that stands for whoever asks", (text) => text.trim(), {
    fallback: "anonymous",
  }),
  "api-version": oneOf(["v1", "v2"], "v1"),
  "timeout-minutes": positive("minutes", MINUTE, "5"),
};

/** The inputs of the assistant's action. Durations are in milliseconds. */
export interface AssistantInputs
  extends GitHubSettings,
    Omit<ValuesOf<typeof ASSISTANT>, "context"> {
  /** The keys for reading markers. The first one is the API key. */
  keys: ApiKeys;
  question: string;
  context: Context;
}

/** The questions in the event; empty for none. */
interface AskedByEvent {
  /** A request by phrase. It follows the question in the workflow, if there is one. */
  request: string;
  /** The text of an issue. It counts only if there is no other question. */
  issue: string;
}

/**
 * Reads and checks every input of the assistant's action.
 *
 * @param github the inputs that were checked before
 * @throws ActionError `invalid-input` with every invalid input, its value and what is allowed
 */
export function parseAssistantInputs(
  read: ReadInput,
  github: Checked<GitHubSettings>,
  context: Pick<RunContext, "workspace">,
  asked: AskedByEvent,
): AssistantInputs {
  const checked = checkServiceInputs(ASSISTANT, read, "assistant");
  const question = withRequest(read("question"), asked.request).trim() || asked.issue;
  const files = readContextFiles(read("context-files"), context.workspace);
  const missing = question === "" ? [NO_QUESTION] : [];
  const values = valuesOf(checked, github.problems, missing, files.problems);
  return {
    ...valuesOf(github),
    ...values,
    keys: keysOf(values.apiKey, values.previousApiKey),
    question,
    context: [...(values.context ?? []), ...files.items],
  };
}

const NO_QUESTION =
  "question: an empty value is not allowed: it must be a question, unless an issue triggers the run (its title and text are then the question) or someone uses `trigger-phrase`.";

/** Maximum number of context files, and their maximum size in bytes: of each, and of all. */
const MAX_FILES = 50;
const MAX_FILE = 256 * 1024;
const MAX_ALL = 1024 * 1024;

/**
 * Reads the files in `context-files`, one path per line, as context of a question. The path of an item is relative to
 * the workspace.
 *
 * @param workspace the folder that must contain every file after symbolic links are resolved
 * @returns the items in the order of the lines, and a sentence for each problem
 */
export function readContextFiles(
  list: string,
  workspace: string,
): { items: Context; problems: string[] } {
  const paths = linesOf(list);
  if (paths.length > MAX_FILES) {
    const problem = `context-files: ${paths.length} files are too many: at most ${MAX_FILES} are allowed.`;
    return { items: [], problems: [problem] };
  }
  const items: Context = [];
  const problems: string[] = [];
  let bytes = 0;
  for (const name of paths) {
    const file = readTextFile(workspace, name, Math.min(MAX_FILE, MAX_ALL - bytes));
    if ("text" in file) {
      bytes += Buffer.byteLength(file.text);
      items.push({ type: "code", value: file.text, path: file.path });
    } else problems.push(`context-files: ${quote(name)} ${file.problem}`);
  }
  return { items, problems };
}
