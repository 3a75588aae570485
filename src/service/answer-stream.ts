// Answers of the assistant arrive in pieces, in one of three forms: the AI SDK 4 data stream (a line a part,
// `CODE:JSON`), the AI SDK 5 UI message stream (server-sent events, `data: JSON`), and one JSON object, the way
// a proxy that gathers streams hands it over. Lines of the first two may come in the same stream.

import { parseJson } from "./agent.ts";

/** A page that an answer was built from, as the service told it: its address is not yet judged. */
export interface AnswerSource {
  url: string;
  /** Empty when the service tells none. */
  title: string;
}

/** What a streamed answer tells, whatever form it comes in. */
export type Part =
  | { type: "text"; text: string }
  /** What follows is another paragraph, written after the service has done something else. */
  | { type: "break" }
  | { type: "source"; source: AnswerSource }
  /** The conversation's id; of several, the last one counts. */
  | { type: "thread"; id: string }
  /** The service could not finish; its own words. */
  | { type: "error"; message: string }
  /** The answer is whole. */
  | { type: "finish" };

/** Largest answer in one JSON object that is read, in characters: as large as any other answer in JSON. */
const MAX_OBJECT = 1024 * 1024;
/** Longest thread id that is taken for one, in characters: it has to fit into a comment's marker. */
const MAX_THREAD = 512;

const BREAK: Part = { type: "break" };
const FINISH: Part = { type: "finish" };

/**
 * Reads an answer as it arrives. It may be divided anywhere; what is told is the same. What it does not know,
 * it passes over; it never throws.
 */
export class AnswerReader {
  /** The pieces of a line, or of the object, whose end has not come; joined once, so that many stay cheap. */
  #pending: string[] = [];
  #length = 0;
  /** Undefined until the first character that is no white space. */
  #isObject: boolean | undefined;

  /** The parts that a further piece of the answer completes. */
  feed(text: string): Part[] {
    const piece = this.#isObject === undefined ? text.trimStart() : text;
    if (piece === "") return [];
    this.#isObject ??= piece.startsWith("{");
    if (this.#isObject) {
      this.#length += piece.length;
      if (this.#length <= MAX_OBJECT) this.#pending.push(piece);
      return [];
    }
    const [first = "", ...others] = piece.split("\n");
    this.#pending.push(first);
    return others.flatMap((next) => {
      const parts = lineParts(this.#pending.join(""));
      this.#pending = [next];
      return parts;
    });
  }

  /** The parts that are complete only now that the answer has ended, or broken off. */
  end(): Part[] {
    const rest = this.#pending.join("");
    if (!this.#isObject) return lineParts(rest);
    // An object that is cut off, or too large, tells nothing: then the answer has no end.
    const answer = this.#length > MAX_OBJECT ? undefined : parseJson(rest);
    return answer === undefined ? [] : objectParts(answer);
  }
}

/** What one line of either stream tells. */
function lineParts(line: string): Part[] {
  const [, code = "", json = ""] = /^(data|[0-9a-z]):(.*)$/s.exec(line) ?? [];
  if (code === "data" && json.trim() === "[DONE]") return [FINISH];
  const read = READERS[code];
  // Most lines that are not parts contain no JSON, and a failing parse is slow.
  const value = json === "" || read === undefined ? undefined : parseJson(json);
  return value === undefined ? [] : (read?.(value) ?? []);
}

/** What lines tell, by their code. */
const READERS: Record<string, (value: unknown) => Part[]> = {
  data: eventParts,
  "0": textParts,
  h: sourceParts,
  "3": errorParts,
  "2": (value) => items(value).flatMap(closingParts),
  "8": (value) => items(value).flatMap(closingParts),
  e: (value) => [...threadParts(value), ...stepParts(value)],
  d: (value) => [
    ...threadParts(value),
    ...(field(value, "finishReason") === "error" ? errorParts(undefined) : [FINISH]),
  ],
};

/** What one server-sent event tells. */
function eventParts(event: unknown): Part[] {
  switch (field(event, "type")) {
    case "text-start":
      return [BREAK];
    case "text-delta":
      return textParts(field(event, "delta"));
    case "source-url":
      return sourceParts(event);
    case "error":
      return errorParts(field(event, "errorText"));
    default:
      return closingParts(event);
  }
}

/** After a step that stopped by itself nothing of the answer is to come; one that calls a tool goes on. */
function stepParts(step: unknown): Part[] {
  if (field(step, "isContinued") === true) return [];
  return field(step, "finishReason") === "stop" ? [FINISH] : [BREAK];
}

/** What the object tells that is an answer as a whole. */
function objectParts(answer: unknown): Part[] {
  const error = field(answer, "error");
  if (error !== undefined && error !== null) return errorParts(error);
  const parts = items(field(answer, "parts"));
  const texts = parts.filter((part) => field(part, "type") === "text");
  const sources = parts.map(
    (part) => field(part, "source") ?? (field(part, "type") === "source-url" ? part : null),
  );
  const threads = ["annotations", "data"].flatMap((name) => items(field(answer, name)));
  return [
    ...(texts.length > 0
      ? texts.flatMap((part) => [BREAK, ...textParts(field(part, "text"))])
      : textParts(field(answer, "content"))),
    ...sources.flatMap(sourceParts),
    ...[answer, ...threads].flatMap(threadParts),
    FINISH,
  ];
}

/** The thread, wherever it is told, and whether this is the event that ends an answer. */
function closingParts(value: unknown): Part[] {
  return [...threadParts(value), ...(field(value, "type") === "finish" ? [FINISH] : [])];
}

function threadParts(value: unknown): Part[] {
  const inner = ["messageMetadata", "metadata", "data"].map((name) => field(value, name));
  const id = [value, ...inner]
    .map((place) => field(place, "threadId"))
    .find((it) => typeof it === "string" && it !== "" && it.length <= MAX_THREAD);
  return typeof id === "string" ? [{ type: "thread", id }] : [];
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
  const told = typeof value === "string" ? value : field(value, "message");
  return [{ type: "error", message: typeof told === "string" ? told : "" }];
}

/** A field of an object; undefined when it is none, or lacks it. */
function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** An array, or nothing. */
function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
