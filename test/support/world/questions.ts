/** Questions to the assistant. */

import { text } from "../answers.ts";
import { issueComment, type Trigger } from "../events.ts";
import type { Answer } from "../faulty-server.ts";
import { CONVERSATION } from "./conversation.ts";
import type { WorldOptions } from "./world.ts";

export const THREAD = "thr_1";
export const ASK = "POST service /discovery/v1/assistant/acme/message";
export const ASK_V2 = "POST service /discovery/v2/assistant/acme/message";

/** One part of an AI SDK 4 data stream. */
export function part(code: string, value: unknown): string {
  return `${code}:${JSON.stringify(value)}\n`;
}

/** The last part of a complete answer. */
export function end(threadId: string | null = THREAD): string {
  return part("d", { finishReason: "stop", type: "finish", ...(threadId && { threadId }) });
}

export const DATA_HEADERS = { "content-type": "text/plain", "x-vercel-ai-data-stream": "v1" };

/** A complete answer in the format of the older interface. */
export function dataStream(
  answer = "Create a second one.",
  threadId: string | null = THREAD,
  sources: readonly object[] = [],
): Answer {
  const parts = [...sources.map((source) => part("h", source)), part("0", answer), end(threadId)];
  return text(200, parts.join(""), DATA_HEADERS);
}

/** An answer that stops after its beginning. `stop` is how. */
export function beginning(body: string, stop: "reset" | "close" | "silence"): Answer {
  return ({ response, socket }) => {
    response.writeHead(200, DATA_HEADERS);
    response.write(body, () => {
      if (stop === "reset") socket.resetAndDestroy();
      if (stop === "close") response.end();
    });
  };
}

/** The event of a new comment on issue #7. */
export function commentSaying(body: string, more: Record<string, unknown> = {}): Trigger {
  const trigger = issueComment(7, 70);
  const event = trigger.event as { comment: object };
  return { ...trigger, event: { ...event, comment: { ...event.comment, body, ...more } } };
}

/** Every question is answered successfully. */
export const WITH_ANSWER: WorldOptions = {
  ...CONVERSATION,
  answers: { ...CONVERSATION.answers, [ASK]: [dataStream()] },
};
