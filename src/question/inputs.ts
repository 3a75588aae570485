import * as z from "zod/mini";
import { clean } from "../github/context.ts";
import type { Given } from "../github/given.ts";
import {
  commonChecks,
  input,
  invalid,
  isSegment,
  oneOf,
  positive,
  problemsOf,
  quote,
  type ReadInput,
} from "../inputs/checks.ts";
import { type Gate, gateFields, gateOf, readRaw } from "../inputs/gate.ts";
import { withRequest } from "../inputs/inputs.ts";
import {
  type AssistantVersion,
  type ContextItem,
  type Filter,
  MAX_CURRENT_PATH,
} from "../service/assistant.ts";
import { readContextFiles } from "./context-files.ts";

const MINUTE = 60_000;
/** Longest question that is made of an issue, in characters. */
const MAX_ISSUE = 32 * 1024;

const filterSchema = z.nullable(
  z.looseObject({
    version: z.optional(z.string()),
    language: z.optional(z.string()),
    groups: z.optional(z.array(z.string())),
  }),
);

const contextSchema = z.array(
  z.object({
    type: z.enum(["code", "textSelection"]),
    value: z.string(),
    elementId: z.optional(z.string()),
  }),
);

/** JSON of a certain shape; what is not given is null. */
const json = <T>(allowed: string, shape: z.ZodMiniType<T>) =>
  input(allowed, (text): T | null | undefined => {
    if (text.trim() === "") return null;
    try {
      return shape.safeParse(JSON.parse(text)).data;
    } catch {
      return undefined;
    }
  });

const schema = z.object({
  ...gateFields,
  "api-key": commonChecks["api-key"],
  "base-url": commonChecks["base-url"],
  domain: input("the domain from the end of the dashboard's address, and not . or ..", (text) =>
    text.trim() !== "" && isSegment(text.trim()) ? text.trim() : undefined,
  ),
  "thread-id": input("the id of a thread", (text) => text.trim()),
  "retrieval-page-size": input(
    "a positive whole number, such as 5",
    (text) => {
      const value = /^\d+$/.test(text.trim()) ? Number(text) : 0;
      return Number.isSafeInteger(value) && value > 0 ? value : undefined;
    },
    { fallback: "5" },
  ),
  filter: json<Filter | null>(
    'a JSON object such as {"version": "v2", "language": "en", "groups": ["beta"]}',
    filterSchema,
  ),
  context: json<ContextItem[]>(
    'a JSON array of objects with type ("code" or "textSelection"), value (text) and, if there is one, elementId (text)',
    contextSchema,
  ),
  "current-path": input(`a path of at most ${MAX_CURRENT_PATH} characters`, (text) =>
    [...text.trim()].length <= MAX_CURRENT_PATH ? text.trim() : undefined,
  ),
  fingerprint: input("a word that stands for whoever asks", (text) => text.trim(), {
    fallback: "anonymous",
  }),
  "api-version": oneOf("v1", "v2"),
  "timeout-minutes": positive("minutes", MINUTE, "5"),
});

/** The inputs of the assistant's action, checked; durations in milliseconds. */
export interface QuestionInputs extends Gate {
  apiKey: string;
  domain: string;
  question: string;
  /** The conversation to go on with, whatever the comments say; null when they decide. */
  threadId: string | null;
  retrievalPageSize: number;
  filter: Filter | null;
  context: ContextItem[];
  currentPath: string | null;
  fingerprint: string;
  version: AssistantVersion;
  timeout: number;
  baseUrl: URL;
}

/**
 * Reads and checks every input of the assistant's action.
 *
 * @param given tells the workspace that `context-files` stay inside, GitHub's own API, and the issue
 * @param request what was asked for by phrase: it comes after the question, or alone
 * @throws ActionError `invalid-input`, naming every input that is wrong, its value and what is allowed
 */
export function parseQuestionInputs(
  read: ReadInput,
  given: Pick<Given, "workspace" | "apiUrl" | "eventName" | "payload">,
  request = "",
): QuestionInputs {
  const raw = readRaw(schema.shape, read, given);
  const parsed = schema.safeParse(raw);
  const problems = problemsOf(raw, parsed.error, "assistant");
  const question = withRequest(read("question"), request).trim() || questionOf(given);
  if (question === "") problems.push(NO_QUESTION);
  const files = readContextFiles(read("context-files"), given.workspace);
  problems.push(...files.problems);
  const path = parsed.data?.["current-path"] ?? "";
  if (path !== "" && parsed.data?.["api-version"] === "v1") problems.push(noPath(path));
  if (!parsed.success || problems.length > 0) throw invalid(problems);

  const checked = parsed.data;
  return {
    ...gateOf(checked),
    apiKey: checked["api-key"],
    domain: checked.domain,
    question,
    threadId: checked["thread-id"] || null,
    retrievalPageSize: checked["retrieval-page-size"],
    filter: checked.filter,
    context: [...(checked.context ?? []), ...files.items],
    currentPath: path || null,
    fingerprint: checked.fingerprint,
    version: checked["api-version"],
    timeout: checked["timeout-minutes"],
    baseUrl: checked["base-url"],
  };
}

const NO_QUESTION =
  "question: an empty value is not allowed: it must be a question, unless the workflow runs on an issue, whose title and text are the question then, or on a request by `trigger-phrase`.";

function noPath(path: string): string {
  return `current-path: ${quote(path)} is not allowed with api-version v1, which does not know it. Set api-version to v2, or leave it out.`;
}

/** An issue that was opened or labelled is itself a question; other events ask nothing. */
function questionOf({ eventName, payload }: Pick<Given, "eventName" | "payload">): string {
  if (eventName !== "issues" || payload.issue === undefined) return "";
  const { title, body } = payload.issue;
  const text = [title, body].map((part) => clean(part ?? "")).filter((part) => part !== "");
  return text.join("\n\n").slice(0, MAX_ISSUE).toWellFormed();
}
