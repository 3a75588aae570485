import { RAISE_TIME_LIMIT } from "../inputs/shared.ts";
import { explainFailure, type Operation, WAIT_LONGER } from "../job/failures.ts";
import { send } from "../job/send.ts";
import { waitLimit } from "../job/step-result.ts";
import { ActionError } from "../runtime/errors.ts";
import type { CallOptions } from "../service/agent.ts";
import type { AnswerSource, Part } from "../service/answer-stream.ts";
import { askAssistant, type Message } from "../service/assistant.ts";
import { ServiceError } from "../service/errors.ts";
import { Transport } from "../service/transport.ts";
import { cut } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import { type AssistantRun, type Conversation, messageId } from "./conversation.ts";

/** The part of an answer that was received. */
export interface AssistantOutcome {
  /** Markdown of the service. */
  text: string;
  /** Each page once, in the order in which the service named them. */
  sources: readonly AnswerSource[];
  /** Null if the service named none. */
  threadId: string | null;
  /** Why the answer is incomplete; null if it is complete. */
  error: ActionError | null;
}

/** The outcome of a question to which nothing was received. */
export function unanswered(error: ActionError): AssistantOutcome {
  return { text: "", sources: [], threadId: null, error };
}

/** Maximum length of a source's title and of the service's words about an error, in characters. */
const MAX_WORDS = 500;

const CHECK_DOMAIN = "Check `domain`, and `base-url` if you set it.";
const ASK_AGAIN = "Run again: it is safe to ask the same question twice.";
const QUESTION_LIMIT = [
  "The service allows 10,000 questions per hour for an organization,",
  "and 10,000 per day for an IP address.",
  WAIT_LONGER,
].join(" ");

/** A question. It has no effects, but it counts, so it is not repeated once it may have been received. */
export const ASK: Operation = {
  starts: "nothing",
  isRepeatable: false,
  keyType: "assistant",
  keyOwner: "`domain`",
  check: CHECK_DOMAIN,
  limited: QUESTION_LIMIT,
  lost: ASK_AGAIN,
};

const KEPT = `The part that was received is kept. ${ASK_AGAIN}`;

/** The error for an incomplete answer. */
export function interrupted(problem: string, cause?: ServiceError): ActionError {
  return new ActionError("stream-interrupted", sentence(problem), KEPT, { cause });
}

/**
 * Receives an answer up to its end or an interruption. The service's failures are results, and never thrown.
 *
 * @param onText gets each piece of the text as it arrives
 * @param explainBreak the error for an interrupted answer
 */
export async function receive(
  parts: AsyncIterable<Part>,
  onText: (text: string) => void,
  explainBreak: (error: ServiceError) => ActionError,
): Promise<AssistantOutcome> {
  const answer = new ReceivedAnswer(onText);
  try {
    for await (const part of parts) answer.add(part);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    answer.interrupt(explainBreak(error));
  }
  return answer.outcome();
}

/** An answer as far as it was received. The first error counts. */
class ReceivedAnswer {
  readonly #onText: (text: string) => void;
  readonly #sources = new Map<string, AnswerSource>();
  #text = "";
  #threadId: string | null = null;
  #error: ActionError | null = null;
  /** Whether the next text is a new paragraph. */
  #isBreak = false;
  /** Whether the end was received. */
  #isWhole = false;

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  add(part: Part): void {
    switch (part.type) {
      case "text":
        if (this.#isBreak && this.#text !== "") this.#append("\n\n");
        this.#isBreak = false;
        this.#append(part.text);
        break;
      case "break":
        this.#isBreak = true;
        break;
      case "source":
        this.#addSource(part.source);
        break;
      case "thread":
        this.#threadId = part.id;
        break;
      case "error":
        this.#error ??= stoppedAnswer(part.message);
        break;
      case "finish":
        this.#isWhole = true;
    }
  }

  /** After the end of the answer, nothing is lost. */
  interrupt(error: ActionError): void {
    if (!this.#isWhole) this.#error ??= error;
  }

  outcome(): AssistantOutcome {
    return {
      text: this.#text,
      sources: [...this.#sources.values()],
      threadId: this.#threadId,
      error: this.#error ?? this.#problem(),
    };
  }

  /** Why an answer without an error is none. */
  #problem(): ActionError | null {
    if (this.#isWhole) return this.#text.trim() === "" ? EMPTY : null;
    const isNothing = this.#text === "" && this.#sources.size === 0 && this.#threadId === null;
    return isNothing ? NONE : ENDLESS;
  }

  #append(text: string): void {
    this.#text += text;
    this.#onText(text);
  }

  /** Each page counts once, with the first title. */
  #addSource({ url, title }: AnswerSource): void {
    if (this.#sources.get(url)?.title) return;
    this.#sources.set(url, { url, title: cut(title, MAX_WORDS) });
  }
}

/** The service could not finish. @param message the service's, which may be empty */
function stoppedAnswer(message: string): ActionError {
  const problem = "The assistant stopped before the answer was complete";
  const reason = cut(message.replace(/\s+/g, " ").trim(), MAX_WORDS);
  return interrupted(reason === "" ? problem : `${problem}: ${reason}`);
}

const ENDLESS = interrupted("The answer ended before it was complete.");
const NONE = new ActionError(
  "invalid-response",
  "The service's response is not an assistant's answer.",
  CHECK_DOMAIN,
);
const EMPTY = new ActionError(
  "invalid-response",
  "The assistant's answer is empty.",
  "Rephrase the question, or run again.",
);

/** How early a timer may fire, in milliseconds. */
const TIMER_SLACK = 50;

/** Sends the question, and logs the answer as it arrives. */
export async function askQuestion(
  run: AssistantRun,
  conversation: Conversation,
): Promise<AssistantOutcome> {
  const { inputs, deadline, dependencies } = run;
  const { log, clock } = dependencies;
  const transport = new Transport(inputs, dependencies);
  const id = messageId("question", run.step.marker);
  const { threadId, messages } = conversation;
  const message: Message = { id, role: "user", text: inputs.question };
  const question = { ...inputs, threadId, messages: [...messages, message] };
  const attempt = (options: CallOptions) => askAssistant(transport, inputs, question, options);
  const sent = await send({ send: attempt, operation: ASK, deadline }, dependencies);
  const isLate = () => clock.now() >= deadline - TIMER_SLACK;
  const timeout = new ActionError(
    "timeout",
    `The answer was not complete after ${waitLimit(inputs.timeout)}.`,
    `The part that was received is kept. ${RAISE_TIME_LIMIT}`,
  );
  if (sent.type !== "accepted") {
    const isLost = sent.error.failure.type === "lost";
    return unanswered(isLost && isLate() ? timeout : sent.explained);
  }
  const explainBreak = (error: ServiceError) => {
    if (error.failure.type === "stopped") return explainFailure(error, ASK);
    return isLate() ? timeout : interrupted(error.message, error);
  };
  // The pieces are whole lines.
  const show = (text: string) => log.info(text.replace(/\n$/, ""));
  return await receive(sent.reply, show, explainBreak);
}
