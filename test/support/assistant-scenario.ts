import {
  type RunningAction,
  type RunOptions,
  type RunResult,
  startAction,
} from "../../emulator/runner/runner.ts";
import { text } from "./answers.ts";
import { issueComment, type Trigger } from "./events.ts";
import { type Answer, type FaultyServer, startFaultyServer } from "./faulty-server.ts";
import { startGitHub, type TestGitHub } from "./github.ts";
import { runAction } from "./run-action.ts";
import { TOKEN } from "./scenario.ts";

/** The assistant's key in every scenario. If it appears anywhere but in requests to the service, it has leaked. */
export const ASSISTANT_KEY = "mint_dsc_k3yOfTheScenario_77aa";
export const QUESTION = "How do I rotate a key?";
export const THREAD = "thr_1";
export const ASK = "POST /discovery/v1/assistant/acme/message";
export const ASK_V2 = "POST /discovery/v2/assistant/acme/message";

/** A service and a GitHub for one test, and the assistant action, which uses both. */
export interface AssistantScenario extends AsyncDisposable {
  readonly service: FaultyServer;
  readonly github: TestGitHub;
  /** Runs the action on issue #7. The inputs are added to those that every run needs. */
  run(options?: RunOptions): Promise<RunResult>;
  start(options?: RunOptions): RunningAction;
  /** The body of the nth question (from 0) that the service received. */
  asked(nth?: number): Record<string, unknown>;
}

/** Starts the scenario. The service answers every question successfully. */
export async function startAssistantScenario(): Promise<AssistantScenario> {
  const service = await startFaultyServer();
  const github = await startGitHub();
  service.on(ASK, dataStream());
  const complete = (options: RunOptions): RunOptions => ({
    action: "assistant",
    ...issueComment(7, 70),
    apiUrl: github.url,
    token: TOKEN,
    ...options,
    inputs: {
      "api-key": ASSISTANT_KEY,
      domain: "acme",
      question: QUESTION,
      "base-url": service.url,
      ...options.inputs,
    },
  });
  return {
    service,
    github,
    run: (options = {}) => runAction(complete(options)),
    start: (options = {}) => startAction(complete(options)),
    asked: (nth = 0) => JSON.parse(service.requests[nth]?.body.toString() ?? "{}"),
    async [Symbol.asyncDispose]() {
      await Promise.all([service.close(), github.close()]);
    },
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
