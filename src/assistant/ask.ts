import type { StepMarker } from "../github/step-identity.ts";
import type { AssistantInputs } from "../inputs/assistant.ts";
import { type SendResult, send } from "../job/send.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { ActionError } from "../runtime/errors.ts";
import { Assistant, type Question } from "../service/assistant.ts";
import { createTransport } from "../service/create-transport.ts";
import { ServiceError } from "../service/errors.ts";
import type { Part } from "../service/stream/parts.ts";
import { LineCutter } from "../text/lines.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import { type AssistantAnswer, NO_ANSWER, receive } from "./answer.ts";
import { type Conversation, messageId } from "./conversation.ts";
import { explainBroken, explainCancelled, explainRefused, explainTimedOut } from "./failures.ts";

/** Delays before a question is sent again that cannot have been received, in milliseconds. */
const RETRY_PACE = { initial: 1_000, max: 10_000 };

/** Milliseconds by which a timer may go off before its time. */
const TIMER_SLACK = 50;

/** How a question came out; `error` says why the answer is not whole. */
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
  const { clock, random, log, cancellation } = dependencies;
  const { domain, apiVersion } = inputs;
  const transport = createTransport(inputs, dependencies);
  const assistant = new Assistant(transport, domain, apiVersion);
  const question = questionOf(asking);
  return send({
    send: (options) => assistant.ask(question, options),
    explain: explainRefused,
    rules: { pace: RETRY_PACE, deadline },
    ...{ clock, random },
    stop: cancellation.stop,
    // A question that is not answered leaves nothing behind: there is nothing to wait for.
    abandon: cancellation.stop,
    onRetry: (error, after) =>
      log.info(`${sentence(error.message)} Trying again in ${duration(after)}.`),
  });
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
