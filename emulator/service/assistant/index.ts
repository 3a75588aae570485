/** The assistant: one message in, one answer out, as a stream of version 1 or 2. */

import { setTimeout as delay } from "node:timers/promises";
import type { App } from "../../http/app.ts";
import { HttpError } from "../../http/http-error.ts";
import { readBody, type Service } from "../service.ts";
import { DOMAIN } from "../state.ts";
import { type Answer, answer, QUESTION } from "./answer.ts";

/** Between two parts, in milliseconds: a person sees the answer arrive. */
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
