/**
 * An answer as the AI SDK 5 UI message stream: server-sent events, closed by `[DONE]`.
 *
 * The thread's id is in the `finish` event, in its `messageMetadata` (`thread=metadata`), in a
 * `data-thread` event (`thread=data`) or in a `message-metadata` event (`thread=annotation`).
 */

import type { Answer } from "./answer.ts";

export const UI_MESSAGE_STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-vercel-ai-ui-message-stream": "v1",
};

const DONE = "data: [DONE]\n\n";

/** Events before the text, the text, and events after it. */
export function uiMessageStream(answer: Answer): {
  head: string[];
  text: string[];
  tail: string[];
} {
  const { messageId, threadId, reasoning, pieces, sources, steering } = answer;
  const id = "text-1";
  const head = [
    event({ type: "start", messageId }),
    event({ type: "reasoning-start", id: "reasoning-1" }),
    event({ type: "reasoning-delta", id: "reasoning-1", delta: reasoning }),
    event({ type: "reasoning-end", id: "reasoning-1" }),
    ...sources.map(({ id: sourceId, url, title }) =>
      event({ type: "source-url", sourceId, url, title }),
    ),
    event({ type: "text-start", id }),
  ];
  const text = pieces.map((delta) => event({ type: "text-delta", id, delta }));
  if (steering.fails) {
    const error = event({ type: "error", errorText: "The answer could not be finished." });
    return { head, text, tail: [error, DONE] };
  }
  const tail = [
    event({ type: "text-end", id }),
    ...(steering.thread === "data"
      ? [event({ type: "data-thread", data: { type: "finish", threadId } })]
      : []),
    ...(steering.thread === "annotation"
      ? [event({ type: "message-metadata", messageMetadata: { threadId } })]
      : []),
    event({
      type: "finish",
      ...(steering.thread === "finish" ? { threadId } : {}),
      ...(steering.thread === "metadata" ? { messageMetadata: { threadId } } : {}),
    }),
    DONE,
  ];
  return { head, text, tail };
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
