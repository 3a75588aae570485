/** Reading a question: the body of an assistant message, in either version. */

import { HttpError } from "../../http/http-error.ts";

export interface Question {
  messages: { role: string; text: string }[];
  threadId: string | null;
  /** How many pages the answer is built from. */
  retrievalPageSize: number;
  filter: Filter;
  context: { type: string; value: string }[];
}

export interface Filter {
  version?: string;
  language?: string;
  groups?: string[];
}

type Body = Record<string, unknown>;

const DEFAULT_PAGE_SIZE = 5;
const MAX_PATH = 200;

/** @throws HttpError 400 that names the field. */
export function readQuestion(body: Body, version: 1 | 2): Question {
  const { fp, messages, threadId, retrievalPageSize, filter, context, currentPath } = body;
  if (typeof fp !== "string" || fp === "") throw bad("fp", "must be a string that is not empty");
  if (threadId !== undefined && threadId !== null && typeof threadId !== "string") {
    throw bad("threadId", "must be a string or null");
  }
  if (
    retrievalPageSize !== undefined &&
    !(Number.isInteger(retrievalPageSize) && Number(retrievalPageSize) > 0)
  ) {
    throw bad("retrievalPageSize", "must be a positive integer");
  }
  if (
    currentPath !== undefined &&
    !(typeof currentPath === "string" && currentPath.length <= MAX_PATH)
  ) {
    throw bad("currentPath", `must be a string of at most ${MAX_PATH} characters`);
  }
  return {
    messages: readMessages(messages, version),
    threadId: threadId ?? null,
    retrievalPageSize: Number(retrievalPageSize ?? DEFAULT_PAGE_SIZE),
    filter: readFilter(filter),
    context: readContext(context),
  };
}

function readMessages(messages: unknown, version: 1 | 2): Question["messages"] {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw bad("messages", "must be an array that is not empty");
  }
  const read = messages.map((message: unknown, index) => {
    const name = `messages[${index}]`;
    if (!isObject(message)) throw bad(name, "must be an object");
    const { id, role, content, parts } = message;
    if (typeof id !== "string") throw bad(`${name}.id`, "must be a string");
    if (role !== "user" && role !== "assistant" && role !== "system") {
      throw bad(`${name}.role`, "must be user, assistant or system");
    }
    const fromParts = textOf(parts);
    // Version 2 messages have no content; the parts are all there is.
    if (version === 1 && typeof content === "string") return { role, text: content };
    if (fromParts === undefined) throw bad(`${name}.parts`, "must be an array of text parts");
    return { role, text: fromParts };
  });
  if (read.at(-1)?.role !== "user") throw bad("messages", "the last one must be of the role user");
  return read;
}

function textOf(parts: unknown): string | undefined {
  if (!Array.isArray(parts)) return undefined;
  const texts = parts.filter(isObject).flatMap(({ type, text }) => (type === "text" ? [text] : []));
  return texts.length === 0 ? undefined : texts.join("");
}

function readFilter(filter: unknown): Filter {
  if (filter === undefined || filter === null) return {};
  if (!isObject(filter)) throw bad("filter", "must be an object or null");
  const { version, language, groups } = filter;
  for (const [name, value] of Object.entries({ version, language })) {
    if (value !== undefined && typeof value !== "string") {
      throw bad(`filter.${name}`, "must be a string");
    }
  }
  const isListOfText = Array.isArray(groups) && groups.every((group) => typeof group === "string");
  if (groups !== undefined && !isListOfText)
    throw bad("filter.groups", "must be an array of strings");
  return filter as Filter;
}

function readContext(context: unknown): Question["context"] {
  if (context === undefined) return [];
  if (!Array.isArray(context)) throw bad("context", "must be an array");
  return context.map((item: unknown, index) => {
    const name = `context[${index}]`;
    if (!isObject(item)) throw bad(name, "must be an object");
    const { type, value, path, elementId } = item;
    if (type !== "code" && type !== "textSelection") {
      throw bad(`${name}.type`, "must be code or textSelection");
    }
    if (typeof value !== "string") throw bad(`${name}.value`, "must be a string");
    for (const [field, optional] of Object.entries({ path, elementId })) {
      if (optional !== undefined && typeof optional !== "string") {
        throw bad(`${name}.${field}`, "must be a string");
      }
    }
    return { type, value };
  });
}

function isObject(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bad(field: string, why: string): HttpError {
  return new HttpError(400, `${field}: ${why}`);
}
