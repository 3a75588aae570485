/**
 * An answer as the AI SDK 4 data stream: a line a part, `CODE:JSON`.
 *
 * The event of type `finish` with the thread's id is the object of the `d:` part, an element of a
 * `2:` (`thread=data`) or of an `8:` part (`thread=annotation`); `thread=metadata` has none here.
 */

import type { Answer } from "./answer.ts";

export const DATA_STREAM_HEADERS = {
  "content-type": "text/plain; charset=utf-8",
  "x-vercel-ai-data-stream": "v1",
};

const USAGE = { promptTokens: 120, completionTokens: 40 };

/** Parts before the text, the text, and parts after it. */
export function dataStream(answer: Answer): { head: string[]; text: string[]; tail: string[] } {
  const { messageId, threadId, reasoning, pieces, sources, steering } = answer;
  const event = { type: "finish", threadId };
  const finish = { finishReason: "stop", usage: USAGE };
  const head = [
    part("f", { messageId }),
    part("g", reasoning),
    ...sources.map((source) => part("h", { sourceType: "url", ...source })),
  ];
  const text = pieces.map((piece) => part("0", piece));
  if (steering.fails) return { head, text, tail: [part("3", "The answer could not be finished.")] };
  const tail = [
    part("e", { ...finish, isContinued: false }),
    ...(steering.thread === "data" ? [part("2", [event])] : []),
    ...(steering.thread === "annotation" ? [part("8", [event])] : []),
    part("d", steering.thread === "finish" ? { ...finish, ...event } : finish),
  ];
  return { head, text, tail };
}

function part(code: string, value: unknown): string {
  return `${code}:${JSON.stringify(value)}\n`;
}
