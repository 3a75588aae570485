import { DataStream } from "./data-stream.ts";
import type { Part, StreamParser } from "./parts.ts";
import { UiMessageStream } from "./ui-message-stream.ts";
import { WholeMessage } from "./whole-message.ts";

/**
 * `data`: AI SDK 4 data stream; `ui`: AI SDK 5 UI message stream, or any server-sent events;
 * `whole`: one JSON object.
 */
type Form = "data" | "ui" | "whole";

const PARSERS: Record<Form, () => StreamParser> = {
  data: () => new DataStream(),
  ui: () => new UiMessageStream(),
  whole: () => new WholeMessage(),
};

/**
 * Reads an answer of the assistant in any of its forms, as it arrives. It may be divided
 * anywhere; what is told is the same.
 */
export class MessageReader {
  readonly #announced: Form | null;
  #start = "";
  /** Undefined until the form is known; null when it is none of them. */
  #parser: StreamParser | null | undefined;

  /** @param headers of the answer, by lower-case name */
  constructor(headers: Readonly<Record<string, string>>) {
    this.#announced = announcedForm(headers);
  }

  /** The parts that a further piece of the answer completes. */
  feed(text: string): Part[] {
    return this.#read(text, false);
  }

  /** The parts that are complete only now that the answer has ended, or broken off. */
  end(): Part[] {
    const parts = this.#read("", true);
    return [...parts, ...(this.#parser?.end() ?? [])];
  }

  #read(text: string, isEnd: boolean): Part[] {
    if (this.#parser !== undefined) return this.#parser?.feed(text) ?? [];
    this.#start = (this.#start + text).trimStart();
    const form = formOf(this.#start, isEnd, this.#announced);
    if (form === undefined) return [];
    this.#parser = form === null ? null : PARSERS[form]();
    return this.#parser?.feed(this.#start) ?? [];
  }
}

/** The form that headers announce; null for none of them. */
function announcedForm(headers: Readonly<Record<string, string>>): Form | null {
  if (headers["x-vercel-ai-ui-message-stream"] !== undefined) return "ui";
  if (headers["x-vercel-ai-data-stream"] !== undefined) return "data";
  const type = headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "text/event-stream") return "ui";
  return type === "application/json" ? "whole" : null;
}

/** As many first characters as tell the forms apart: the longest is `event:`. */
const TELLING = 6;

/**
 * The form of an answer that begins so; undefined while that cannot be told. The beginning counts for
 * more than the headers: a proxy that gathers a stream may well hand on the headers that came with it.
 *
 * @param start without white space before it
 */
function formOf(start: string, isEnd: boolean, announced: Form | null): Form | null | undefined {
  const telling = start.slice(0, TELLING);
  if (telling.startsWith("{")) return "whole";
  if (/^[0-9a-z]:/.test(telling)) return "data";
  if (/^(data|event|id|retry)?:/.test(telling)) return "ui";
  return telling.length < TELLING && !isEnd ? undefined : announced;
}
