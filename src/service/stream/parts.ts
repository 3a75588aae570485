// This folder reads answers that arrive in pieces, in any of the three forms that the service sends
// (`message-reader.ts` chooses), as one list of parts: text, sources, the thread, an error, the end.

/** A page that an answer was built from, as the service told it: its address is not yet judged. */
export interface AnswerSource {
  url: string;
  /** Empty when the service tells none. */
  title: string;
}

/** What a streamed message tells, whatever form it comes in. */
export type Part =
  | { type: "text"; text: string }
  /** What follows is another paragraph, written after the service has done something else. */
  | { type: "break" }
  | { type: "source"; source: AnswerSource }
  /** The conversation's id; of several, the last one counts. */
  | { type: "thread"; id: string }
  /** The service could not finish; its own words. */
  | { type: "error"; message: string }
  /** The message is whole. */
  | { type: "finish" };

/** Reads one form of stream. What it does not know, it passes over; it never throws. */
export interface StreamParser {
  /** The parts that a further piece of text completes. */
  feed(text: string): Part[];
  /** The parts that the end of the stream completes. */
  end(): Part[];
}

/** Longest thread id that is taken for one, in characters: it has to fit into a comment's marker. */
const MAX_THREAD = 512;

/** The thread's id, from wherever an object that may tell it holds it. */
export function threadParts(value: unknown): Part[] {
  const places = [
    value,
    ...["messageMetadata", "metadata", "data"].map((key) => field(value, key)),
  ];
  for (const place of places) {
    const id = field(place, "threadId");
    if (typeof id === "string" && id !== "" && id.length <= MAX_THREAD)
      return [{ type: "thread", id }];
  }
  return [];
}

/** Whether an object is the event that ends a message. */
export function isFinish(value: unknown): boolean {
  return field(value, "type") === "finish";
}

/** A source, if it names a page; documents that are not on the web are passed over. */
export function sourceParts(value: unknown): Part[] {
  const url = field(value, "url");
  const title = field(value, "title");
  if (typeof url !== "string" || url === "") return [];
  return [{ type: "source", source: { url, title: typeof title === "string" ? title : "" } }];
}

export function textParts(value: unknown): Part[] {
  return typeof value === "string" && value !== "" ? [{ type: "text", text: value }] : [];
}

export function errorParts(value: unknown): Part[] {
  const told = typeof value === "string" ? value : field(value, "message");
  return [{ type: "error", message: typeof told === "string" ? told : "" }];
}

/** A field of an object; undefined when it is none, or lacks it. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** An array, or nothing. */
export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A JSON text's value; undefined when it is none, which no JSON text means. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
