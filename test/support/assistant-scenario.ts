import { type ActionScenario, startActionScenario } from "./action-scenario.ts";
import { text } from "./answers.ts";
import { issueComment, type Trigger } from "./events.ts";
import type { Answer } from "./faulty-server.ts";

/** The assistant's key in every scenario. If it appears anywhere but in requests to the service, it has leaked. */
export const ASSISTANT_KEY = "mint_dsc_k3yOfTheScenario_77aa";
export const QUESTION = "How do I rotate a key?";
export const THREAD = "thr_1";
export const ASK = "POST /discovery/v1/assistant/acme/message";
export const ASK_V2 = "POST /discovery/v2/assistant/acme/message";

/** The assistant action on issue #7. */
export interface AssistantScenario extends ActionScenario {
  /** The body of the nth question (from 0) that the service received. */
  asked(nth?: number): Record<string, unknown>;
}

/** Starts the scenario. The service answers every question successfully. */
export async function startAssistantScenario(): Promise<AssistantScenario> {
  const inputs = { "api-key": ASSISTANT_KEY, domain: "acme", question: QUESTION };
  const scenario = await startActionScenario(() => {
    return { action: "assistant", ...issueComment(7, 70), inputs };
  });
  const { service } = scenario;
  service.on(ASK, dataStream());
  return {
    ...scenario,
    asked: (nth = 0) => JSON.parse(service.requests[nth]?.body.toString() ?? "{}"),
    [Symbol.asyncDispose]: () => scenario[Symbol.asyncDispose](),
  };
}

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
