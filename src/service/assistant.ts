import { cut } from "../text/markdown.ts";
import { type CallOptions, MAX_MESSAGE } from "./agent.ts";
import { AnswerReader, type Part } from "./answer-stream.ts";
import type { Transport } from "./transport.ts";

/** Milliseconds until an answer must begin: one that a proxy gathers begins only when it is whole. */
const HEADER_LIMIT = 120_000;
/** Milliseconds that an answer may pause: whoever writes it may be searching, or thinking. */
const IDLE_LIMIT = 60_000;
/** Largest answer that is read, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Longest `currentPath`, in characters. */
export const MAX_CURRENT_PATH = 200;

/** A message of the conversation. */
export interface Message {
  id: string;
  role: "user" | "assistant";
  text: string;
}

/** Something that the question is about; a service may know more fields. */
export interface ContextItem {
  type: "code" | "textSelection";
  /** The code, or the selected text. */
  value: string;
  /** Where it comes from: a file, or a page. */
  path?: string | undefined;
  /** Identifier of the element of a page that holds it. */
  elementId?: string | undefined;
}

/** Criteria for the pages that an answer is built from; a service may know more of them. */
export interface Filter {
  version?: string | undefined;
  language?: string | undefined;
  groups?: string[] | undefined;
}

/** All that a question may carry. */
export interface Question {
  /** Who asks: `anonymous`, or a unique identifier. */
  fingerprint: string;
  /** The conversation so far; the question is its last message. */
  messages: readonly Message[];
  /** The conversation to go on with; null begins one. */
  threadId: string | null;
  /** How many pages of the documentation an answer is built from. */
  retrievalPageSize: number;
  filter: Filter | null;
  context: readonly ContextItem[];
  /** The page that is being read, at most 200 characters; null: none. */
  currentPath: string | null;
}

/** Versions of the assistant's interface; version 1 is deprecated, and takes the same questions. */
type AssistantVersion = "v1" | "v2";

/** The documentation assistant of one domain: `/discovery/{version}/assistant/{domain}/message`. */
export class Assistant {
  readonly #transport: Transport;
  readonly #path: readonly string[];
  readonly #version: AssistantVersion;

  constructor(transport: Transport, domain: string, version: AssistantVersion) {
    this.#transport = transport;
    this.#path = ["discovery", version, "assistant", domain, "message"];
    this.#version = version;
  }

  /**
   * Asks a question, and returns as soon as the answer begins.
   *
   * @returns what the answer tells, as it arrives and without the key; the iteration throws
   *   `ServiceError` when it breaks off
   * @throws ServiceError
   */
  async ask(question: Question, options?: CallOptions): Promise<AsyncIterable<Part>> {
    const { text } = await this.#transport.stream(this.#path, bodyOf(question, this.#version), {
      ...options,
      headerLimit: HEADER_LIMIT,
      idleLimit: IDLE_LIMIT,
      maxBytes: MAX_BYTES,
    });
    return this.#read(new AnswerReader(), text);
  }

  async *#read(reader: AnswerReader, text: AsyncIterable<string>): AsyncGenerator<Part> {
    const redact = this.#redaction();
    try {
      for await (const piece of text) yield* redact(reader.feed(piece));
    } catch (error) {
      // What came before it broke off is told all the same.
      yield* redact(reader.end());
      yield* redact([{ type: "break" }]);
      throw error;
    }
    yield* redact(reader.end());
    yield* redact([{ type: "break" }]);
  }

  /**
   * Takes the secrets out of what is told once more: only here the pieces of a text meet, up to where a
   * break ends it, and escapes of JSON are gone.
   */
  #redaction(): (parts: readonly Part[]) => Part[] {
    const { secrets } = this.#transport;
    const redactor = secrets.redactor();
    const asText = (text: string): Part[] => (text === "" ? [] : [{ type: "text", text }]);
    const redact = (text: string) => secrets.redact(text);
    const redactPart = (part: Part): Part[] => {
      switch (part.type) {
        case "text":
          return asText(redactor.feed(part.text));
        case "break":
          return [...asText(redactor.end()), part];
        case "source": {
          const { url, title } = part.source;
          return [
            { ...part, source: { url: redact(url), title: cut(redact(title), MAX_MESSAGE) } },
          ];
        }
        case "thread":
          return [{ ...part, id: redact(part.id) }];
        case "error":
          return [{ ...part, message: cut(redact(part.message), MAX_MESSAGE) }];
        case "finish":
          return [part];
      }
    };
    return (parts) => parts.flatMap(redactPart);
  }
}

function bodyOf(question: Question, version: AssistantVersion): Record<string, unknown> {
  const { fingerprint, messages, threadId, retrievalPageSize, filter, context, currentPath } =
    question;
  return {
    fp: fingerprint,
    messages: messages.map(({ id, role, text }) => ({
      id,
      role,
      ...(version === "v1" ? { content: text } : {}),
      parts: [{ type: "text", text }],
    })),
    retrievalPageSize,
    ...(threadId === null ? {} : { threadId }),
    ...(filter === null ? {} : { filter }),
    ...(context.length === 0 ? {} : { context }),
    ...(currentPath === null ? {} : { currentPath }),
  };
}
