import { text } from "../../support/answers.ts";
import { ASK, ASK_V2, dataStream } from "../../support/assistant-scenario.ts";
import { schedule } from "../../support/events.ts";
import type { Answer } from "../../support/faulty-server.ts";
import type { Row } from "./row.ts";

const LIMIT = 8 * 1024 * 1024;

function run(version: string) {
  const inputs = { "api-version": version, "issue-number": "7" };
  return { ...schedule, action: "assistant", inputs };
}

/** An answer in the form of the newer interface. */
function uiMessageStream(): Answer {
  const parts = [
    { type: "start" },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Create a second one." },
    { type: "text-end", id: "1" },
    { type: "finish", messageMetadata: { threadId: "thr_1" } },
  ];
  const events = [...parts.map((part) => JSON.stringify(part)), "[DONE]"];
  return text(200, events.map((data) => `data: ${data}\n\n`).join(""), {
    "content-type": "text/event-stream",
    "x-vercel-ai-ui-message-stream": "v1",
  });
}

/** The assistant's one request, in its two versions. */
export const ROWS_ASSISTANT: readonly Row[] = [
  {
    name: "assistant v1",
    host: "service",
    purpose: "question",
    route: ASK,
    before: 0,
    limit: LIMIT,
    run: run("v1"),
    genuine: () => dataStream(),
  },
  {
    name: "assistant v2",
    host: "service",
    purpose: "question",
    route: ASK_V2,
    before: 0,
    limit: LIMIT,
    run: run("v2"),
    genuine: uiMessageStream,
  },
];
