// The assistant's answers arrive in pieces, in one of three formats: the AI SDK 4 data stream (one part per line,
// `CODE:JSON`), the AI SDK 5 UI message stream (server-sent events, `data: JSON`), and one JSON object, from a proxy
// that buffers streams. A stream may contain lines of both AI SDK formats.

import { field, itemsOf, parseJson } from "./json.ts";
import { MAX_JSON_BYTES } from "./transport.ts";

/** A page that an answer is based on. Its URL is not checked yet. */
export interface AnswerSource {
  url: string;
  /** Empty if the service sends none. */
  title: string;
}

/** A part of a streamed answer, in any format. */
export type Part =
  | { type: "text"; text: string }
  /** The text that follows is a new paragraph. */
  | { type: "break" }
  | { type: "source"; source: AnswerSource }
  /** The conversation's ID; the last one counts. */
  | { type: "thread"; id: string }
  /** The service could not finish, with the service's message. */
  | { type: "error"; message: string }
  /** The answer is complete. */
  | { type: "finish" };

/** Maximum length of a thread ID, in characters. It must fit into a comment's marker. */
const MAX_THREAD = 512;

const BREAK: Part = { type: "break" };
const FINISH: Part = { type: "finish" };

/** Reads an answer as it arrives, divided anywhere. It ignores what it does not know, and never throws. */
export class AnswerReader {
  /** The pieces of an incomplete line or object. They are joined once, so that many stay cheap. */
  #pending: string[] = [];
  /** Undefined until the first character that is not white space. */
  #isObject: boolean | undefined;

  /** Adds a piece, and returns the parts that it completes. */
  feed(text: string): Part[] {
    const piece = this.#isObject === undefined ? text.trimStart() : text;
    if (piece === "") return [];
    this.#isObject ??= piece.startsWith("{");
    // An object is read as a whole at the end.
    const [continuation = "", ...lines] = this.#isObject ? [piece] : piece.split("\n");
    this.#pending.push(continuation);
    const parts: Part[] = [];
    for (const line of lines) {
      parts.push(...lineParts(this.#pending.join("")));
      this.#pending = [line];
    }
    return parts;
  }

  /** Returns the remaining parts after the answer has ended or was interrupted. */
  end(): Part[] {
    const rest = this.#pending.join("");
    if (!this.#isObject) return lineParts(rest);
    // An object that is incomplete, or larger than any JSON of the service, has no parts, so the answer has no end.
    const answer = rest.length > MAX_JSON_BYTES ? undefined : parseJson(rest);
    return answer === undefined ? [] : objectParts(answer);
  }
}

function lineParts(line: string): Part[] {
  const [, code = "", json = ""] = /^(data|[0-9a-z]):(.*)$/s.exec(line) ?? [];
  // `[DONE]` is no JSON: it ends the stream, and not the answer.
  const read = READERS[code];
  // Most lines that are not parts contain no JSON, and a failing parse is slow.
  if (read === undefined || json === "") return [];
  const value = parseJson(json);
  return value === undefined ? [] : read(value);
}

/** The parts of a line's value, by the line's code. */
const READERS: Record<string, (value: unknown) => Part[]> = {
  data: eventParts,
  "0": textParts,
  h: sourceParts,
  "3": errorParts,
  "2": (value) => itemsOf(value).flatMap(closingParts),
  "8": (value) => itemsOf(value).flatMap(closingParts),
  // The text after a step is a new paragraph.
  e: (step) => (field(step, "isContinued") === true ? [] : [BREAK]),
  d: (value) => [...threadParts(value), endPart(value)],
};

function eventParts(event: unknown): Part[] {
  const type = field(event, "type");
  if (type === "text-start") return [BREAK];
  if (type === "text-delta") return textParts(field(event, "delta"));
  if (type === "source-url") return sourceParts(event);
  if (type === "error") return errorParts(field(event, "errorText"));
  if (type === "abort") return errorParts("it was aborted");
  return closingParts(event);
}

/** The parts of an answer in one JSON object. */
function objectParts(answer: unknown): Part[] {
  const error = field(answer, "error");
  if (error !== undefined && error !== null) return errorParts(error);
  const texts: Part[] = [];
  const sources: Part[] = [];
  for (const part of itemsOf(field(answer, "parts"))) {
    const type = field(part, "type");
    if (type === "text") texts.push(BREAK, ...textParts(field(part, "text")));
    const source = field(part, "source") ?? (type === "source-url" ? part : null);
    sources.push(...sourceParts(source));
  }
  if (texts.length === 0) texts.push(...textParts(field(answer, "content")));
  const threads = [answer, ...itemsOf(field(answer, "annotations"))].flatMap(threadParts);
  return [...texts, ...sources, ...threads, endPart(answer)];
}

/** The thread, if the value names it, and the end, if this is the last event of an answer. */
function closingParts(value: unknown): Part[] {
  return [...threadParts(value), ...(field(value, "type") === "finish" ? [endPart(value)] : [])];
}

/** The reasons of a whole answer. Version 2 names none. */
const GOOD_REASONS: readonly unknown[] = [undefined, null, "stop", "end_turn"];

/** The end of an answer, unless its reason says that it is not whole. */
function endPart(value: unknown): Part {
  const reason = field(value, "finishReason");
  if (GOOD_REASONS.includes(reason)) return FINISH;
  const named = typeof reason === "string" ? reason : "unknown";
  return { type: "error", message: named === "error" ? "" : `the reason is "${named}"` };
}

function threadParts(value: unknown): Part[] {
  const inner = ["messageMetadata", "metadata", "data"].map((name) => field(value, name));
  for (const place of [value, ...inner]) {
    const id = field(place, "threadId");
    if (typeof id === "string" && id !== "" && id.length <= MAX_THREAD) {
      return [{ type: "thread", id }];
    }
  }
  return [];
}

/** A source, if it names a page. */
function sourceParts(value: unknown): Part[] {
  const url = field(value, "url");
  const title = field(value, "title");
  if (typeof url !== "string" || url === "") return [];
  return [{ type: "source", source: { url, title: typeof title === "string" ? title : "" } }];
}

export function textParts(value: unknown): Part[] {
  return typeof value === "string" && value !== "" ? [{ type: "text", text: value }] : [];
}

function errorParts(value: unknown): Part[] {
  const message = typeof value === "string" ? value : field(value, "message");
  return [{ type: "error", message: typeof message === "string" ? message : "" }];
}
