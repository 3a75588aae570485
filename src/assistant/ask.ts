import { explain, type Operation, WAIT_LONGER } from "../job/failures.ts";
import { send } from "../job/send.ts";
import { waitLimit } from "../job/step-result.ts";
import { ActionError } from "../runtime/errors.ts";
import type { CallOptions } from "../service/agent.ts";
import type { AnswerSource, Part } from "../service/answer-stream.ts";
import { ask } from "../service/assistant.ts";
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
export function interrupted(what: string, cause?: ServiceError): ActionError {
  return new ActionError("stream-interrupted", sentence(what), KEPT, { cause });
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
  const sources = new Map<string, AnswerSource>();
  let [text, isBreak, isWhole] = ["", false, false];
  let threadId: string | null = null;
  let error: ActionError | null = null;

  const say = (piece: string) => {
    text += piece;
    onText(piece);
  };
  try {
    for await (const part of parts) {
      if (part.type === "text") {
        if (isBreak && text !== "") say("\n\n");
        isBreak = false;
        say(part.text);
      } else if (part.type === "source") {
        const { url, title } = part.source;
        if (!sources.get(url)?.title) sources.set(url, { url, title: cut(title, MAX_WORDS) });
      } else if (part.type === "error") {
        const reason = cut(part.message.replace(/\s+/g, " ").trim(), MAX_WORDS);
        const what = "The assistant stopped before the answer was complete";
        error ??= interrupted(`${what}${reason && `: ${reason}`}`);
      } else if (part.type === "thread") threadId = part.id;
      else if (part.type === "break") isBreak = true;
      else isWhole = true;
    }
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    // If the connection fails after the end of the answer, nothing is lost.
    if (!isWhole) error ??= explainBreak(thrown);
  }
  if (isWhole) error ??= text.trim() === "" ? EMPTY : null;
  else error ??= text === "" && sources.size === 0 && threadId === null ? NONE : ENDLESS;
  return { text, sources: [...sources.values()], threadId, error };
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
  const asked = { id, role: "user", text: inputs.question } as const;
  const question = { ...inputs, threadId, messages: [...messages, asked] };
  const attempt = (options: CallOptions) => ask(transport, inputs, question, options);
  const sent = await send({ send: attempt, operation: ASK, deadline }, dependencies);
  const isLate = () => clock.now() >= deadline - TIMER_SLACK;
  const timeout = new ActionError(
    "timeout",
    `The answer was not complete after ${waitLimit(inputs.timeout)}.`,
    "The part that was received is kept. Run again with a higher `timeout-minutes`.",
  );
  if (sent.type === "refused") {
    const isLost = sent.error.failure.type === "lost";
    return unanswered(isLost && isLate() ? timeout : sent.explained);
  }
  const explainBreak = (error: ServiceError) => {
    if (error.failure.type === "stopped") return explain(error, ASK);
    return isLate() ? timeout : interrupted(error.message, error);
  };
  // The pieces are whole lines.
  const show = (text: string) => log.info(text.replace(/\n$/, ""));
  return await receive(sent.reply, show, explainBreak);
}
