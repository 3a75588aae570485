/** An answer in the forms in which the service, or a proxy that gathers its streams, tells it. */

import type { Answer } from "./answer.ts";

/** What is sent, part by part. */
export interface Form {
  headers: Record<string, string>;
  parts: string[];
}

export const FORMS = { data: dataStream, ui: uiMessageStream, json: messageJson };

/** The AI SDK 4 data stream: a line a part, `CODE:JSON`. The thread is in the part `d`, `2` or `8`. */
function dataStream({ messageId, reasoning, pieces, sources, thread }: Answer): Form {
  const parts: (readonly [code: string, value: unknown])[] = [
    ...[["f", { messageId }] as const, ["g", reasoning] as const],
    ...sources.map((source) => ["h", { sourceType: "url", ...source }] as const),
    ...pieces.map((piece) => ["0", piece] as const),
    ["e", { ...STOP, isContinued: false }],
    ...(thread.data ? [["2", [thread.data]] as const] : []),
    ...(thread.annotation ? [["8", [thread.annotation]] as const] : []),
    ["d", { ...STOP, ...thread.finish }],
  ];
  return {
    headers: { "content-type": "text/plain; charset=utf-8", "x-vercel-ai-data-stream": "v1" },
    parts: parts.map(([code, value]) => `${code}:${JSON.stringify(value)}\n`),
  };
}

const STOP = { finishReason: "stop", usage: { promptTokens: 120, completionTokens: 40 } };

/** The AI SDK 5 UI message stream: server-sent events, closed by `[DONE]`. */
function uiMessageStream({ messageId, reasoning, pieces, sources, thread }: Answer): Form {
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
    ...(thread.data ? [{ type: "data-thread", data: thread.data }] : []),
    ...(thread.annotation
      ? [{ type: "message-metadata", messageMetadata: thread.annotation }]
      : []),
    { type: "finish", ...thread.finish, messageMetadata: thread.metadata },
  ];
  return {
    headers: { "content-type": "text/event-stream", "x-vercel-ai-ui-message-stream": "v1" },
    parts: [...events.map((event) => JSON.stringify(event)), "[DONE]"].map(
      (data) => `data: ${data}\n\n`,
    ),
  };
}

/** One JSON object. */
function messageJson({ messageId, pieces, sources, thread }: Answer): Form {
  const text = pieces.join("");
  const told = sources.map((source) => ({
    type: "source",
    source: { sourceType: "url", ...source },
  }));
  const message = {
    ...{
      id: messageId,
      role: "assistant",
      content: text,
      parts: [{ type: "text", text }, ...told],
    },
    ...{ ...thread.finish, metadata: thread.metadata },
    ...(thread.annotation && { annotations: [thread.annotation] }),
    ...(thread.data && { data: [thread.data] }),
  };
  return { headers: { "content-type": "application/json" }, parts: [JSON.stringify(message)] };
}
