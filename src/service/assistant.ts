import * as z from "zod/mini";
import type { Secrets } from "../text/secrets.ts";
import type { CallOptions } from "./agent.ts";
import { AnswerReader, type Part, textParts } from "./answer-stream.ts";
import type { Transport } from "./transport.ts";

/** In milliseconds and bytes. */
const LIMITS = {
  // An answer that a proxy gathers begins only when it is whole.
  headerLimit: 120_000,
  // Whoever writes it may be searching, or thinking.
  idleLimit: 60_000,
  maxBytes: 8 * 1024 * 1024,
};

/** Longest `currentPath`, in characters. */
export const MAX_CURRENT_PATH = 200;

/** A message of the conversation. */
export interface Message {
  id: string;
  role: "user" | "assistant";
  text: string;
}

/** Something that the question is about; a service may know more fields. */
export const contextItem = () =>
  z.looseObject({
    type: z.enum(["code", "textSelection"]),
    /** The code, or the selected text. */
    value: z.string(),
    /** Where it comes from: a file, or a page. */
    path: z.optional(z.string()),
    /** Identifier of the element of a page that holds it. */
    elementId: z.optional(z.string()),
  });

/** Criteria for the pages that an answer is built from; a service may know more of them. */
export const filter = () =>
  z.looseObject({
    version: z.optional(z.string()),
    language: z.optional(z.string()),
    groups: z.optional(z.array(z.string())),
  });

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
  filter: z.infer<ReturnType<typeof filter>> | null;
  context: readonly z.infer<ReturnType<typeof contextItem>>[];
  /** The page that is being read, at most 200 characters; null: none. */
  currentPath: string | null;
}

/**
 * Asks the documentation assistant of a domain (`/discovery/{version}/assistant/{domain}/message`), and returns as
 * soon as the answer begins: what it tells, as it arrives and without the key. It, and the iteration, throw `ServiceError`.
 */
export async function ask(
  transport: Transport,
  { domain, apiVersion: version }: { domain: string; apiVersion: "v1" | "v2" },
  question: Question,
  options: CallOptions,
): Promise<AsyncIterable<Part>> {
  const path = ["discovery", version, "assistant", domain, "message"];
  const { fingerprint: fp, messages, retrievalPageSize, context } = question;
  const body = {
    fp,
    messages: messages.map(({ id, role, text }) => ({
      ...{ id, role, parts: [{ type: "text", text }] },
      ...(version === "v1" ? { content: text } : {}),
    })),
    retrievalPageSize,
    // JSON leaves out what is undefined.
    threadId: question.threadId ?? undefined,
    filter: question.filter ?? undefined,
    context: context.length === 0 ? undefined : context,
    currentPath: question.currentPath ?? undefined,
  };
  const { text } = await transport.stream(path, body, { ...options, ...LIMITS });
  return partsOf(text, transport.secrets);
}

/**
 * Takes the secrets out of what is told once more: only here the pieces of a text meet, up to where a
 * break ends it, and escapes of JSON are gone.
 */
async function* partsOf(text: AsyncIterable<string>, secrets: Secrets): AsyncGenerator<Part> {
  const reader = new AnswerReader();
  const redactor = secrets.redactor();
  const redacted = (part: Part): Part[] => {
    if (part.type === "text") return textParts(redactor.feed(part.text));
    const rest = part.type === "break" ? textParts(redactor.end()) : [];
    return [...rest, secrets.redactValue(part) as Part];
  };
  try {
    for await (const piece of text) yield* reader.feed(piece).flatMap(redacted);
  } finally {
    // What came before an answer broke off is told all the same.
    yield* [...reader.end(), { type: "break" } as const].flatMap(redacted);
  }
}
