/** The assistant: one message in, one answer out of the documentation, as a stream of version 1 or 2. */

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import type { App } from "../http/app.ts";
import { HttpError } from "../http/http-error.ts";
import { readBody, type Service } from "./service.ts";
import { DOMAIN, type ServiceState } from "./state.ts";

/** Delay between two parts, in milliseconds, so that a person sees the answer arrive. */
const PAUSE_MS = 5;

export function assistant(app: App, { state, signal }: Service): void {
  app.post("/discovery/:version{v[12]}/assistant/:domain/message", (call) => {
    const { version, domain } = call.req.param();
    if (domain !== DOMAIN) throw new HttpError(404, "Domain not found");
    const reply = answer(state, readBody(call, QUESTION));
    const { headers, parts } = version === "v1" ? dataStream(reply) : uiMessageStream(reply);
    return call.body(ReadableStream.from(chunks(parts, signal)), 200, headers);
  });
}

async function* chunks(parts: string[], signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    yield Buffer.from(part);
    await delay(PAUSE_MS, undefined, { signal });
  }
}

/** The body of a question. The last message is what is asked. */
const QUESTION = z.object({
  fp: z.string().min(1),
  messages: z
    .array(
      z.object({
        id: z.string(),
        role: z.enum(["user", "assistant"]),
        content: z.string().optional(),
        parts: z.array(z.object({ type: z.literal("text"), text: z.string() })).min(1),
      }),
    )
    .min(1)
    .refine((messages) => messages.at(-1)?.role === "user", "the last one must be of the user"),
  threadId: z.string().nullish(),
  retrievalPageSize: z.int().positive().default(5),
  filter: z.record(z.string(), z.unknown()).nullish(),
  context: z
    .array(z.looseObject({ type: z.enum(["code", "textSelection"]), value: z.string() }))
    .optional(),
  currentPath: z.string().max(200).optional(),
});

/** By their paths. */
const PAGES: Record<string, { title: string; text: string }> = {
  "keys/create": {
    title: "Create a key",
    text: "Open the keys page of the dashboard, choose a name and the scopes, and create the key. It is shown once: store it as a secret.",
  },
  "keys/rotate": {
    title: "Rotate a key",
    text: "To rotate a key, create a second key, put it where the first is used, and delete the first when nothing uses it any more.",
  },
  limits: {
    title: "Rate limits",
    text: "A project may use the agent 100 times an hour. Over the limit the service answers 429; Retry-After says how long to wait.",
  },
  webhooks: {
    title: "Webhooks",
    text: "A webhook receives a signed POST request for each event. Check the signature before you trust the body.",
  },
};

/** Words without a meaning for the search. */
const COMMON = new Set(
  "a an and any are can do does for how i in is it my of on or the to we what".split(" "),
);

interface Answer {
  messageId: string;
  threadId: string;
  reasoning: string;
  pieces: string[];
  sources: { id: string; url: string; title: string }[];
}

/** Answers a question, and adds it to its thread. */
function answer({ threads }: ServiceState, question: z.infer<typeof QUESTION>): Answer {
  // Version 2 messages have no content: the parts are all there is.
  const parts = question.messages.at(-1)?.parts ?? [];
  const asked = parts.map(({ text }) => text).join("");
  const known = threads.find(({ id }) => id === question.threadId);
  const thread = known ?? { id: randomUUID(), asked: [] };
  if (known === undefined) threads.push(thread);
  const earlier = thread.asked.at(-1);
  thread.asked.push(asked);

  const wanted = wordsOf(asked);
  const pages = Object.entries(PAGES)
    .map(([path, { title, text }]) => {
      const score = [...wordsOf(`${title} ${text}`)].filter((word) => wanted.has(word)).length;
      return { url: `https://docs.acme.example/${path}`, title, text, score };
    })
    .filter(({ score }) => score > 0)
    .sort((first, second) => second.score - first.score)
    .slice(0, question.retrievalPageSize);
  const text = [
    ...(earlier === undefined ? [] : [`You asked before: “${earlier}”.`]),
    ...(pages.length === 0 ? ["The documentation does not say."] : []),
    ...pages.slice(0, 2).map((page) => `**${page.title}.** ${page.text}`),
  ].join("\n\n");
  return {
    messageId: randomUUID(),
    threadId: thread.id,
    reasoning: `Searched the documentation: ${pages.length} pages.`,
    pieces: text.match(/\S+\s*/g) ?? [],
    sources: pages.map(({ url, title }, index) => ({ id: `source-${index + 1}`, url, title })),
  };
}

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)));
}

/** The AI SDK 4 data stream: a line a part, `CODE:JSON`. */
function dataStream({ messageId, threadId, reasoning, pieces, sources }: Answer) {
  const end = { finishReason: "stop", usage: { promptTokens: 120, completionTokens: 40 } };
  const parts: [code: string, value: unknown][] = [
    ["f", { messageId }],
    ["g", reasoning],
    ...sources.map((source): [string, unknown] => ["h", { sourceType: "url", ...source }]),
    ...pieces.map((piece): [string, unknown] => ["0", piece]),
    ["e", { ...end, isContinued: false }],
    ["d", { ...end, type: "finish", threadId }],
  ];
  return {
    headers: { "content-type": "text/plain; charset=utf-8", "x-vercel-ai-data-stream": "v1" },
    parts: parts.map(([code, value]) => `${code}:${JSON.stringify(value)}\n`),
  };
}

/** The AI SDK 5 UI message stream: server-sent events, closed by `[DONE]`. */
function uiMessageStream({ messageId, threadId, reasoning, pieces, sources }: Answer) {
  const id = "text-1";
  const thought = { id: "reasoning-1" };
  const events = [
    { type: "start", messageId },
    { type: "reasoning-start", ...thought },
    { type: "reasoning-delta", ...thought, delta: reasoning },
    { type: "reasoning-end", ...thought },
    ...sources.map(({ id: sourceId, ...source }) => ({ type: "source-url", sourceId, ...source })),
    { type: "text-start", id },
    ...pieces.map((delta) => ({ type: "text-delta", id, delta })),
    { type: "text-end", id },
    { type: "finish", threadId },
  ].map((event) => JSON.stringify(event));
  return {
    headers: { "content-type": "text/event-stream", "x-vercel-ai-ui-message-stream": "v1" },
    parts: [...events, "[DONE]"].map((data) => `data: ${data}\n\n`),
  };
}
