import {
  errorParts,
  field,
  isFinish,
  items,
  type Part,
  parseJson,
  type StreamParser,
  sourceParts,
  textParts,
  threadParts,
} from "./parts.ts";
import { eventParts } from "./ui-message-stream.ts";

/**
 * The AI SDK 4 data stream: a line a part, `CODE:JSON`. A line that is a server-sent event, which some
 * write into the same stream, is read as one.
 */
export class DataStream implements StreamParser {
  /** The pieces of a line whose end has not come; joined once, so that many small pieces stay cheap. */
  #pending: string[] = [];

  feed(text: string): Part[] {
    const [first = "", ...others] = text.split("\n");
    this.#pending.push(first);
    const parts: Part[] = [];
    for (const next of others) {
      parts.push(...lineParts(this.#pending.join("")));
      this.#pending = [next];
    }
    return parts;
  }

  end(): Part[] {
    return this.feed("\n");
  }
}

/** What one line of a data stream tells. */
export function lineParts(line: string): Part[] {
  const [, code = "", json = ""] = /^(data|[0-9a-z]):(.*)$/s.exec(line) ?? [];
  // Most lines that are not parts contain no JSON, and a failing parse is slow.
  const value = json === "" ? undefined : parseJson(json);
  return value === undefined ? [] : codeParts(code, value);
}

function codeParts(code: string, value: unknown): Part[] {
  switch (code) {
    case "0":
      return textParts(value);
    case "h":
      return sourceParts(value);
    case "3":
      return errorParts(value);
    case "2":
    case "8":
      return items(value).flatMap((item) => [
        ...threadParts(item),
        ...(isFinish(item) ? [{ type: "finish" } as const] : []),
      ]);
    case "e":
      return [...threadParts(value), ...stepParts(value)];
    case "d":
      return field(value, "finishReason") === "error"
        ? [...threadParts(value), ...errorParts(undefined)]
        : [...threadParts(value), { type: "finish" }];
    case "data":
      return eventParts(value);
    default:
      return [];
  }
}

/** After a step that stopped by itself nothing of the answer is to come; one that calls a tool goes on. */
function stepParts(step: unknown): Part[] {
  if (field(step, "isContinued") === true) return [];
  return field(step, "finishReason") === "stop" ? [{ type: "finish" }] : [{ type: "break" }];
}
