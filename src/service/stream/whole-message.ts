import {
  errorParts,
  field,
  items,
  type Part,
  parseJson,
  type StreamParser,
  sourceParts,
  textParts,
  threadParts,
} from "./parts.ts";

/** Largest message that is read, in characters: as large as any other answer in JSON. */
const LARGEST = 1024 * 1024;

/** A whole message as one JSON object, the way a proxy that gathers streams hands it over. */
export class WholeMessage implements StreamParser {
  readonly #pieces: string[] = [];
  #length = 0;

  feed(text: string): Part[] {
    this.#length += text.length;
    if (this.#length <= LARGEST) this.#pieces.push(text);
    return [];
  }

  /** JSON that is cut off, or too large, tells nothing: then the message has no end. */
  end(): Part[] {
    if (this.#length > LARGEST) return [];
    const message = parseJson(this.#pieces.join(""));
    return message === undefined ? [] : messageParts(message);
  }
}

function messageParts(message: unknown): Part[] {
  const error = field(message, "error");
  if (error !== undefined && error !== null) return errorParts(error);

  const parts = items(field(message, "parts"));
  const texts = parts.filter((part) => field(part, "type") === "text");
  const threadSources = [
    message,
    ...items(field(message, "annotations")),
    ...items(field(message, "data")),
  ];
  const text =
    texts.length > 0
      ? texts.flatMap((part): Part[] => [{ type: "break" }, ...textParts(field(part, "text"))])
      : textParts(field(message, "content"));
  return [
    ...text,
    ...parts.flatMap((part) => sourceParts(field(part, "source") ?? sourceUrl(part))),
    ...threadSources.flatMap(threadParts),
    { type: "finish" },
  ];
}

function sourceUrl(part: unknown): unknown {
  return field(part, "type") === "source-url" ? part : undefined;
}
