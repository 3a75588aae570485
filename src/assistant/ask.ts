import type { StepMarker } from "../github/markers.ts";
import type { AssistantInputs } from "../inputs/assistant.ts";
import { ASK_AGAIN, explain } from "../job/failures.ts";
import { type SendResult, send } from "../job/send.ts";
import { waitLimit } from "../job/step-result.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { AnswerSource, Part } from "../service/answer-stream.ts";
import { Assistant, type Question } from "../service/assistant.ts";
import { ServiceError } from "../service/errors.ts";
import { Transport } from "../service/transport.ts";
import { LineCutter } from "../text/lines.ts";
import { sentence } from "../text/sentence.ts";
import { type Conversation, messageId } from "./conversation.ts";

/** The part of an answer that was received. */
export interface AssistantAnswer {
  /** Markdown of the service. */
  text: string;
  /** Each page once, in the order in which the service named them. */
  sources: readonly AnswerSource[];
  /** Null if the service named none. */
  threadId: string | null;
}

/** The received answer, and why it is incomplete: a `ServiceError` if the stream was interrupted, null if it is complete. */
export interface Received {
  answer: AssistantAnswer;
  error: ActionError | ServiceError | null;
}

export const NO_ANSWER: AssistantAnswer = { text: "", sources: [], threadId: null };

/**
 * Receives an answer to its end, or to where it breaks off. Never throws for what the service does.
 *
 * @param onText told each piece of the text as it arrives
 */
export async function receive(
  parts: AsyncIterable<Part>,
  onText: (text: string) => void,
): Promise<Received> {
  const pieces: string[] = [];
  const sources = new Map<string, AnswerSource>();
  let threadId: string | null = null;
  let isBreak = false;
  let isWhole = false;
  let failed: string | null = null;
  let broken: ServiceError | null = null;

  const say = (text: string) => {
    pieces.push(text);
    onText(text);
  };
  try {
    for await (const part of parts) {
      switch (part.type) {
        case "text":
          if (isBreak && pieces.length > 0) say("\n\n");
          isBreak = false;
          say(part.text);
          break;
        case "break":
          isBreak = true;
          break;
        case "source":
          if (!sources.get(part.source.url)?.title) sources.set(part.source.url, part.source);
          break;
        case "thread":
          threadId = part.id;
          break;
        case "error":
          failed ??= part.message;
          break;
        case "finish":
          isWhole = true;
          break;
      }
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    broken = error;
  }

  const text = pieces.join("");
  const answer = { text, sources: [...sources.values()], threadId };
  const isNothing = text === "" && sources.size === 0 && threadId === null;
  const why = (): Received["error"] => {
    if (failed !== null) return explainGivenUp(failed);
    // If the connection fails after the end of the answer, nothing is lost.
    if (isWhole) return text.trim() === "" ? explainEmpty() : null;
    if (broken !== null) return broken;
    return isNothing ? explainUnreadable() : explainWithoutEnd();
  };
  return { answer, error: why() };
}

/** Delays before a question is sent again that cannot have been received, in milliseconds. */
const RETRY_PACE = { initial: 1_000, max: 10_000 };

/** Milliseconds by which a timer may go off before its time. */
const TIMER_SLACK = 50;

/** The result of a question. `error`: why the answer is incomplete. */
export interface AssistantOutcome {
  answer: AssistantAnswer;
  error: ActionError | null;
}

export interface Asking {
  inputs: AssistantInputs;
  conversation: Conversation;
  step: StepMarker;
  dependencies: Dependencies;
  /** When waiting ends, in milliseconds on the clock. */
  deadline: number;
}

/** Sends the question, and logs the answer as it arrives. */
export async function askQuestion(asking: Asking): Promise<AssistantOutcome> {
  const { inputs, deadline, dependencies } = asking;
  const { log, clock } = dependencies;
  const sent = await sendQuestion(asking);
  const isLate = () => clock.now() >= deadline - TIMER_SLACK;
  if (sent.type === "stopped") return { answer: NO_ANSWER, error: explainCancelled() };
  if (sent.type === "refused") {
    const isLost = sent.error.failure.type === "lost";
    const error = isLost && isLate() ? explainTimedOut(inputs.timeout) : sent.explained;
    return { answer: NO_ANSWER, error };
  }

  const cutter = new LineCutter();
  const show = (lines: readonly string[]) => {
    if (lines.length > 0) log.info(lines.join("\n"));
  };
  const { answer, error } = await receive(sent.reply, (text) => show(cutter.push(text)));
  show(cutter.end());
  if (!(error instanceof ServiceError)) return { answer, error };
  if (error.failure.type === "stopped") return { answer, error: explainCancelled() };
  return { answer, error: isLate() ? explainTimedOut(inputs.timeout) : explainBroken(error) };
}

function sendQuestion(asking: Asking): Promise<SendResult<AsyncIterable<Part>>> {
  const { inputs, deadline, dependencies } = asking;
  const { domain, apiVersion } = inputs;
  const transport = new Transport(inputs, dependencies);
  const assistant = new Assistant(transport, domain, apiVersion);
  const question = questionOf(asking);
  return send(
    {
      send: (options) => assistant.ask(question, options),
      explain: (error) => explain(error, "ask"),
      rules: { pace: RETRY_PACE, deadline },
      // A question that is not answered leaves nothing behind: there is nothing to wait for.
      abandon: dependencies.cancellation.stop,
    },
    dependencies,
  );
}

function questionOf({ inputs, conversation, step }: Asking): Question {
  const { question, fingerprint, retrievalPageSize, filter, context, currentPath } = inputs;
  const { threadId, messages } = conversation;
  const id = messageId("question", step);
  return {
    ...{ fingerprint, retrievalPageSize, filter, context, currentPath, threadId },
    messages: [...messages, { id, role: "user", text: question }],
  };
}

const CHECK_DOMAIN = "Check `domain`, and `base-url` if you set it.";

/** An answer that began and broke off. */
export function explainBroken(error: ServiceError): ActionError {
  return new ActionError("stream-interrupted", sentence(error.message), KEPT, { cause: error });
}

/** An answer whose end never came, though the connection ended in good order. */
export function explainWithoutEnd(): ActionError {
  return new ActionError("stream-interrupted", "The answer ended before it was complete.", KEPT);
}

const KEPT = `The part that was received is kept. ${ASK_AGAIN}`;

/** An answer that the service itself gave up. */
export function explainGivenUp(message: string): ActionError {
  const said = message.replace(/\s+/g, " ").trim();
  const what = `The assistant stopped before the answer was complete${said === "" ? "" : `: ${said}`}`;
  return new ActionError("stream-interrupted", sentence(what), KEPT);
}

/** A response that is not an answer. */
export function explainUnreadable(): ActionError {
  return new ActionError(
    "invalid-response",
    "The service's response is not an assistant's answer.",
    CHECK_DOMAIN,
  );
}

/** A complete answer without text. */
export function explainEmpty(): ActionError {
  return new ActionError(
    "invalid-response",
    "The assistant's answer is empty.",
    "Rephrase the question, or run again.",
  );
}

/** An answer that was not whole at the time limit. @param timeout in milliseconds */
export function explainTimedOut(timeout: number): ActionError {
  return new ActionError(
    "timeout",
    `The answer was not complete after ${waitLimit(timeout)}.`,
    "The part that was received is kept. Run again with a higher `timeout-minutes`.",
  );
}

/** A run that was cancelled before the answer was whole. */
export function explainCancelled(): ActionError {
  return new ActionError(
    "cancelled",
    "This workflow run was cancelled before the answer was complete.",
    ASK_AGAIN,
  );
}
