import { createParser } from "eventsource-parser";
import {
  errorParts,
  field,
  isFinish,
  type Part,
  parseJson,
  type StreamParser,
  sourceParts,
  textParts,
  threadParts,
} from "./parts.ts";

/** The AI SDK 5 UI message stream: server-sent events, each with a JSON object, closed by `[DONE]`. */
export class UiMessageStream implements StreamParser {
  #parts: Part[] = [];
  readonly #parser = createParser({
    onEvent: ({ event, data }) => this.#parts.push(...dataParts(event, data)),
  });

  feed(text: string): Part[] {
    this.#parser.feed(text);
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  /** The last event may lack the empty line that ends it. */
  end(): Part[] {
    return this.feed("\n\n");
  }
}

function dataParts(name: string | undefined, data: string): Part[] {
  if (data.trim() === "[DONE]") return [{ type: "finish" }];
  const value = parseJson(data);
  const isUntyped = name !== undefined && field(value, "type") === undefined;
  return eventParts(isUntyped ? { ...(value as object), type: name } : value);
}

/** What one event tells. */
export function eventParts(event: unknown): Part[] {
  switch (field(event, "type")) {
    case "text-start":
      return [{ type: "break" }];
    case "text-delta":
      return textParts(field(event, "delta"));
    case "source-url":
      return sourceParts(event);
    case "error":
      return errorParts(field(event, "errorText"));
    default:
      return [...threadParts(event), ...(isFinish(event) ? [{ type: "finish" } as const] : [])];
  }
}
