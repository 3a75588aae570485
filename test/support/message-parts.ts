import { AnswerReader, type Part } from "../../src/service/answer-stream.ts";

/** The parts of a message that arrives in chunks. Consecutive texts are merged into one. */
export function readChunks(chunks: readonly Uint8Array[]): Part[] {
  const reader = new AnswerReader();
  const decoder = new TextDecoder();
  const parts = chunks.flatMap((chunk) => reader.feed(decoder.decode(chunk, { stream: true })));
  parts.push(...reader.feed(decoder.decode()), ...reader.end());
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part.type === "text" && last?.type === "text") {
      merged[merged.length - 1] = { type: "text", text: last.text + part.text };
    } else merged.push(part);
  }
  return merged;
}

/** The parts of a message that arrives at once. */
export function readText(text: string): Part[] {
  return readChunks([Buffer.from(text)]);
}

/** A line of a data stream. */
export const dataLine = (code: string, value: unknown) => `${code}:${JSON.stringify(value)}\n`;
/** An event of a UI message stream. */
export const uiEvent = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
/** The part that names the thread. */
export const threadPart = (id: string): Part => ({ type: "thread", id });
/** A part of text. */
export const textPart = (text: string): Part => ({ type: "text", text });
/** The part that ends a message. */
export const finishPart: Part = { type: "finish" };
/** The part that names a source. */
export const sourcePart: Part = {
  type: "source",
  source: { url: "https://docs.example/a", title: "A" },
};

/** A message as a data stream. */
export const DATA_STREAM = [
  dataLine("f", { messageId: "m" }),
  dataLine("g", "thinking"),
  dataLine("h", { sourceType: "url", id: "s", url: "https://docs.example/a", title: "A" }),
  dataLine("9", { toolCallId: "t", toolName: "search", args: {} }),
  dataLine("0", "Grüße 😀"),
  dataLine("0", "\n```\ncode: 漢字\n```"),
  dataLine("d", { finishReason: "stop", usage: {}, type: "finish", threadId: "thr_1" }),
].join("");

/** The same message as a UI message stream. */
export const UI_STREAM = [
  uiEvent({ type: "start", messageId: "m" }),
  uiEvent({ type: "reasoning-delta", id: "r", delta: "thinking" }),
  uiEvent({ type: "source-url", sourceId: "s", url: "https://docs.example/a", title: "A" }),
  uiEvent({ type: "text-start", id: "t" }),
  uiEvent({ type: "text-delta", id: "t", delta: "Grüße 😀" }),
  uiEvent({ type: "text-delta", id: "t", delta: "\n```\ncode: 漢字\n```" }),
  uiEvent({ type: "text-end", id: "t" }),
  uiEvent({ type: "finish", threadId: "thr_1" }),
  "data: [DONE]\n\n",
].join("");

/** The same message as one JSON object. */
export const WHOLE_MESSAGE = JSON.stringify({
  id: "m",
  role: "assistant",
  parts: [
    { type: "source", source: { sourceType: "url", url: "https://docs.example/a", title: "A" } },
    { type: "text", text: "Grüße 😀\n```\ncode: 漢字\n```" },
  ],
  threadId: "thr_1",
});
