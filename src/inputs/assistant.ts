import * as z from "zod/mini";
import type { RunContext } from "../github/trigger/run-context.ts";
import { contextItem, filter, MAX_CURRENT_PATH, type Question } from "../service/assistant.ts";
import { linesOf } from "../text/sentence.ts";
import {
  type Check,
  checkEach,
  duration,
  json,
  oneOf,
  optional,
  Problem,
  parseInputs,
  type ReadInput,
  segment,
  textInput,
  wholeNumber,
} from "./checks.ts";
import { GITHUB, KEYS, service, withRequest } from "./shared.ts";
import { readTextFile } from "./workspace.ts";

type Context = z.infer<ReturnType<typeof contextItem>>[];

/** Maximum size of all context files together, in bytes. */
const MAX_FILES = 1024 * 1024;

const ASSISTANT = {
  ...service("assistant"),
  ...KEYS,
  ...GITHUB,
  domain: segment("the last part of the dashboard URL"),
  /** The thread to continue; if it is null, the comments decide. */
  "thread-id": optional(textInput("the id of a thread", () => true)),
  "retrieval-page-size": wholeNumber("5"),
  filter: json<Question["filter"]>(
    'a JSON object such as {"version": "v2", "language": "en", "groups": ["beta"]}',
    () => z.nullable(filter()),
  ),
  context: json<Context>(
    'a JSON array of objects with type ("code" or "textSelection"), value (text) and, optionally, path and elementId (text)',
    () => z.array(contextItem()),
  ),
  /** One path per line. The path of an item is relative to the workspace. */
  "context-files": ((list, _, { workspace }) => {
    let left = MAX_FILES;
    return checkEach(linesOf(list), (name) => {
      const limit = `${left} bytes, what is left of 1 MiB for all files together`;
      const { text, path } = readTextFile(workspace, name, left, limit);
      left -= Buffer.byteLength(text);
      return { type: "code", value: text, path };
    });
  }) as Check<Context>,
  "current-path": optional(
    textInput(
      `a path of at most ${MAX_CURRENT_PATH} characters`,
      (text) => [...text].length <= MAX_CURRENT_PATH,
    ),
  ),
  fingerprint: textInput("a word that stands for whoever asks", () => true, {
    fallback: "anonymous",
  }),
  "api-version": oneOf(["v1", "v2"], "v1"),
  "timeout-minutes": duration("minutes", "5"),
};

/** The inputs of the assistant's action. Durations are in milliseconds. */
export type AssistantInputs = ReturnType<typeof parseAssistantInputs>;

/** The questions in the event; empty for none. */
interface AskedByEvent {
  /** A request by phrase. It follows the question in the workflow, if there is one. */
  request: string;
  /** The text of an issue. It counts only if there is no other question. */
  issue: string;
}

/** @throws ActionError `invalid-input` with every invalid input, its value and what is allowed */
export function parseAssistantInputs(read: ReadInput, context: RunContext, asked: AskedByEvent) {
  const question = (text: string) => {
    const asks = withRequest(text, asked.request).trim() || asked.issue;
    if (asks === "") throw new Problem(NO_QUESTION);
    return asks;
  };
  const values = parseInputs({ ...ASSISTANT, question }, read, context);
  return { ...values, context: [...(values.context ?? []), ...values.contextFiles] };
}

const NO_QUESTION =
  "an empty value is not allowed: it must be a question, unless an issue triggers the run (its title and text are then the question) or someone uses `trigger-phrase`.";
