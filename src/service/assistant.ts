import * as z from "zod/mini";
import type { Secrets } from "../text/secrets.ts";
import type { CallOptions } from "./agent.ts";
import { AnswerReader, type Part, textParts } from "./answer-stream.ts";
import type { Transport } from "./transport.ts";

/** Maximum length of `currentPath`, in characters. */
export const MAX_CURRENT_PATH = 200;

/** A message of the conversation. */
export interface Message {
  id: string;
  role: "user" | "assistant";
  text: string;
}

// Functions, so that a run without these inputs does not build the schemas.

/** Something that the question is about. The service may accept more fields. */
export function contextItem() {
  return z.looseObject({
    type: z.enum(["code", "textSelection"]),
    /** The code, or the selected text. */
    value: z.string(),
    /** Where it comes from: a file, or a page. */
    path: z.optional(z.string()),
    /** Identifier of the element of a page that holds it. */
    elementId: z.optional(z.string()),
  });
}

/** Criteria for the pages that an answer is based on. The service may accept more of them. */
export function filter() {
  return z.looseObject({
    version: z.optional(z.string()),
    language: z.optional(z.string()),
    groups: z.optional(z.array(z.string())),
  });
}

/** A question and its options. */
export interface AssistantQuestion {
  /** Who asks: `anonymous`, or a unique identifier. */
  fingerprint: string;
  /** The conversation so far; the question is its last message. */
  messages: readonly Message[];
  /** The conversation to continue; null for a new one. */
  threadId: string | null;
  /** The number of documentation pages that an answer is based on. */
  retrievalPageSize: number;
  filter: z.infer<ReturnType<typeof filter>> | null;
  context: readonly z.infer<ReturnType<typeof contextItem>>[];
  /** The page that the asker reads, at most 200 characters; null for none. */
  currentPath: string | null;
}

/**
 * Asks the documentation assistant of a domain (`/discovery/{version}/assistant/{domain}/message`). Returns the parts
 * of the answer as they arrive, without secrets. The call and the iteration throw `ServiceError`.
 */
export async function askAssistant(
  transport: Transport,
  { domain, apiVersion: version }: { domain: string; apiVersion: "v1" | "v2" },
  question: AssistantQuestion,
  options: CallOptions,
): Promise<AsyncIterable<Part>> {
  const path = ["discovery", version, "assistant", domain, "message"];
  const { fingerprint: fp, messages, retrievalPageSize, context } = question;
  const body = {
    fp,
    messages: messages.map(({ id, role, text }) => ({
      id,
      role,
      parts: [{ type: "text", text }],
      ...(version === "v1" ? { content: text } : {}),
    })),
    retrievalPageSize,
    // JSON leaves out what is undefined.
    threadId: question.threadId ?? undefined,
    filter: question.filter ?? undefined,
    context: context.length === 0 ? undefined : context,
    currentPath: question.currentPath ?? undefined,
  };
  const { text } = await transport.stream(path, body, options);
  return partsOf(text, transport.secrets);
}

/**
 * Removes the secrets from the parts. Only here, the pieces of a text are joined, up to a break, and JSON's escapes are
 * decoded.
 */
async function* partsOf(text: AsyncIterable<string>, secrets: Secrets): AsyncGenerator<Part> {
  const reader = new AnswerReader();
  const redactor = secrets.redactor();
  const redacted = (part: Part): Part[] => {
    switch (part.type) {
      case "text":
        return textParts(redactor.feed(part.text));
      case "break":
        return [...textParts(redactor.end()), part];
      case "source": {
        const { url, title } = part.source;
        const source = { url: secrets.redact(url), title: secrets.redact(title) };
        return [{ type: "source", source }];
      }
      case "thread":
        return [{ type: "thread", id: secrets.redact(part.id) }];
      case "error":
        return [{ type: "error", message: secrets.redact(part.message) }];
      case "finish":
        return [part];
    }
  };
  try {
    for await (const piece of text) yield* reader.feed(piece).flatMap(redacted);
  } finally {
    // The parts before an interruption are returned, too.
    yield* reader.end().flatMap(redacted);
    yield* redacted({ type: "break" });
  }
}
