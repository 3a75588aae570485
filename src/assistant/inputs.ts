import * as z from "zod/mini";
import type { GitHubSettings } from "../github/conversation/feedback.ts";
import type { ApiKeys } from "../github/conversation/markers.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import {
  anyText,
  checkEach,
  InputProblem,
  json,
  oneOf,
  optional,
  parseInputs,
  type ReadInput,
  trimmedText,
  wholeNumber,
} from "../inputs/checks.ts";
import { withRequest } from "../inputs/prompt.ts";
import {
  assistantService,
  DOMAIN,
  githubSettings,
  markerKeys,
  TRIGGER_PHRASE,
  timeLimit,
} from "../inputs/shared.ts";
import { readTextFile } from "../inputs/workspace.ts";
import {
  type AssistantQuestion,
  contextItem,
  filter,
  MAX_CURRENT_PATH,
} from "../service/assistant.ts";
import type { ServiceAccess } from "../service/transport.ts";
import { linesOf } from "../text/sentence.ts";

/** Maximum size of all context files together, in bytes. */
const MAX_FILES = 1024 * 1024;

/**
 * @param asked the questions in the event; empty for none
 * @param settings the part that is checked already; null if nothing is
 * @throws ActionError `invalid-input` with every invalid input, its value and what is allowed
 */
export function parseAssistantInputs(
  read: ReadInput,
  runContext: RunContext,
  asked: {
    /** A request by phrase, which follows the question in the workflow, if there is one; null for none. */
    request: string | null;
    /** The text of an issue, which counts only if there is no other question; null for none. */
    issue: string | null;
  },
  settings: GitHubSettings | null,
): ServiceAccess &
  GitHubSettings & {
    keys: ApiKeys;
    domain: string;
    question: string;
    /** The thread to continue; if it is null, the comments decide. */
    threadId: string | null;
    retrievalPageSize: number;
    filter: AssistantQuestion["filter"];
    /** The items in the workflow, then the files. */
    context: AssistantQuestion["context"];
    currentPath: string | null;
    fingerprint: string;
    apiVersion: "v1" | "v2";
    /** In milliseconds. */
    timeout: number;
  } {
  const { context, contextFiles, ...inputs } = parseInputs(read, (input) => ({
    ...assistantService(input),
    keys: markerKeys(input, read),
    ...(settings ?? githubSettings(input, runContext)),
    domain: input("domain", DOMAIN),
    threadId: input("thread-id", optional(anyText)),
    retrievalPageSize: input("retrieval-page-size", wholeNumber("5")),
    filter: input("filter", FILTER),
    context: input("context", CONTEXT),
    contextFiles: input("context-files", (list) => readFiles(list, runContext.workspace)),
    currentPath: input("current-path", optional(CURRENT_PATH)),
    fingerprint: input("fingerprint", (text) => anyText(text) || "anonymous"),
    apiVersion: input("api-version", oneOf(["v1", "v2"], "v1")),
    timeout: timeLimit(input, "5"),
    question: input("question", (text) => questionOf(text, asked)),
  }));
  return { ...inputs, context: [...(context ?? []), ...contextFiles] };
}

/** Whether the workflow asks a question, so that a run needs no request by phrase and no issue. */
export function hasQuestion(read: ReadInput): boolean {
  return read("question").trim() !== "";
}

const FILTER = json<AssistantQuestion["filter"]>(
  'a JSON object such as {"version": "v2", "language": "en", "groups": ["beta"]}',
  () => z.nullable(filter()),
);

const CONTEXT = json<AssistantQuestion["context"]>(
  'a JSON array of objects with type ("code" or "textSelection"), value (text) and optional path and elementId (text)',
  () => z.array(contextItem()),
);

const CURRENT_PATH = trimmedText(
  `a path of at most ${MAX_CURRENT_PATH} characters`,
  (text) => [...text].length <= MAX_CURRENT_PATH,
);

/** Reads files as context, one path per line. The path of an item is relative to the workspace. */
function readFiles(list: string, workspace: string): AssistantQuestion["context"] {
  let rest = MAX_FILES;
  return checkEach(linesOf(list), (name) => {
    const limit = `${rest} bytes, what is left of 1 MiB for all files together`;
    const { text, path } = readTextFile(workspace, name, rest, limit);
    rest -= Buffer.byteLength(text);
    return { type: "code", value: text, path };
  });
}

function questionOf(
  text: string,
  { request, issue }: Parameters<typeof parseAssistantInputs>[2],
): string {
  const question = withRequest(text, request).trim();
  if (question !== "") return question;
  if (issue !== null) return issue;
  throw new InputProblem(
    [
      "an empty value is not allowed: it must be a question, unless an issue triggers the run",
      `(its title and text are then the question) or someone uses \`${TRIGGER_PHRASE}\`.`,
    ].join(" "),
  );
}
