import type { Answer } from "./answer.ts";

/** An answer as one JSON object, the way a proxy that gathers streams hands it on. */
export function messageJson({ messageId, threadId, pieces, sources, steering }: Answer): object {
  const text = pieces.join("");
  const event = { type: "finish", threadId };
  return {
    id: messageId,
    role: "assistant",
    content: text,
    parts: [
      { type: "text", text },
      ...sources.map((source) => ({ type: "source", source: { sourceType: "url", ...source } })),
    ],
    ...(steering.thread === "finish" ? { threadId } : {}),
    ...(steering.thread === "metadata" ? { metadata: { threadId } } : {}),
    ...(steering.thread === "annotation" ? { annotations: [event] } : {}),
    ...(steering.thread === "data" ? { data: [event] } : {}),
  };
}
