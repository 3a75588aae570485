import { connectorOf, findOut, skip } from "../asked.ts";
import { ActionError, asActionError } from "../errors.ts";
import type { Given } from "../github/given.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { type Sent, send } from "../job/send.ts";
import { Assistant, type Question } from "../service/assistant.ts";
import { ServiceError } from "../service/errors.ts";
import type { Part } from "../service/stream/parts.ts";
import { Transport } from "../service/transport.ts";
import { LineCutter } from "../text/lines.ts";
import { duration } from "../text/markdown.ts";
import type { World } from "../world.ts";
import { type Answer, NO_ANSWER, receive } from "./answer.ts";
import { type Conversation, messageId } from "./conversation.ts";
import { cancelled, explainBroken, explainRefused, timedOut } from "./failures.ts";
import { parseQuestionInputs, type QuestionInputs } from "./inputs.ts";
import { AnswerTeller, type AnswerTellerOptions } from "./teller.ts";

/** Delays before a question is sent again that cannot have been received, in milliseconds. */
const RETRY_PACE = { initial: 1_000, max: 10_000 };

/** Milliseconds by which a timer may go off before its time. */
const TIMER_SLACK = 50;

/** How a question came out. */
interface Ending {
  answer: Answer;
  error: ActionError | null;
}

/**
 * Asks the documentation assistant a question, from beginning to end.
 *
 * @param read reads an input by its name
 * @returns whether the step fails
 */
export async function askAssistant(read: ReadInput, given: Given, world: World): Promise<boolean> {
  const begun = world.clock.now();
  const { log } = world;
  const usage = async (phrase: string) => (await import("./report.ts")).renderQuestionUsage(phrase);
  const asked = await findOut(read, given, world, ({ triggerPhrase }) => usage(triggerPhrase));
  if (asked.type !== "run") return skip(asked, world);

  const inputs = checkInputs(read, given, world, asked.request?.text);
  const teller = createTeller(inputs, given, world, asked.request);
  teller.acknowledge();
  let ending: Ending;
  try {
    const conversation = await teller.recall();
    log.info(`Asking the assistant of ${inputs.domain}.`);
    ending = await askOnce(inputs, conversation, given, world, begun + inputs.timeout);
  } catch (thrown) {
    if (thrown instanceof Error) log.debug(thrown.stack ?? thrown.message);
    ending = { answer: NO_ANSWER, error: asActionError(thrown) };
  }
  return await teller.conclude(ending.answer, ending.error);
}

/** A wrong input ends the run before there is anybody to tell; its status is told all the same. */
function checkInputs(
  read: ReadInput,
  given: Given,
  { desk }: World,
  request: string | undefined,
): QuestionInputs {
  try {
    return parseQuestionInputs(read, given, request);
  } catch (error) {
    if (error instanceof ActionError) desk.setOutput("status", "failed");
    throw error;
  }
}

function createTeller(
  inputs: QuestionInputs,
  given: Given,
  world: World,
  request: AnswerTellerOptions["request"],
): AnswerTeller {
  const { desk, log, clock, cancellation } = world;
  const connect = connectorOf(inputs, world);
  return new AnswerTeller({
    ...{ inputs, given, desk, log, clock, connect, request },
    stop: cancellation.stop,
  });
}

/** Sends the question, and says the answer in the log as it arrives. */
async function askOnce(
  inputs: QuestionInputs,
  conversation: Conversation,
  given: Given,
  world: World,
  deadline: number,
): Promise<Ending> {
  const { log, clock } = world;
  const sent = await sendQuestion(inputs, questionOf(inputs, conversation, given), world, deadline);
  const isLate = () => clock.now() >= deadline - TIMER_SLACK;
  if (sent.type === "stopped") return { answer: NO_ANSWER, error: cancelled() };
  if (sent.type === "refused") {
    const isLost = sent.error.failure.type === "lost";
    const error = isLost && isLate() ? timedOut(duration(inputs.timeout)) : sent.explained;
    return { answer: NO_ANSWER, error };
  }

  // The key is no longer in what is told.
  const cutter = new LineCutter("");
  const say = (lines: readonly string[]) => {
    for (const line of lines) log.info(line);
  };
  const { answer, error } = await receive(sent.reply, (text) => say(cutter.push(text)));
  say(cutter.end());
  if (!(error instanceof ServiceError)) return { answer, error };
  if (error.failure.type === "stopped") return { answer, error: cancelled() };
  return {
    answer,
    error: isLate() ? timedOut(duration(inputs.timeout)) : explainBroken(error),
  };
}

function sendQuestion(
  inputs: QuestionInputs,
  question: Question,
  world: World,
  deadline: number,
): Promise<Sent<AsyncIterable<Part>>> {
  const { http, clock, random, log, cancellation } = world;
  const { baseUrl, apiKey, domain, version } = inputs;
  const transport = new Transport({ http, baseUrl, apiKey, timeOfDay: clock.timeOfDay });
  const assistant = new Assistant(transport, domain, version);
  return send({
    send: (options) => assistant.ask(question, options),
    explain: explainRefused,
    rules: { pace: RETRY_PACE, deadline },
    ...{ clock, random },
    stop: cancellation.stop,
    // A question that is not answered has left nothing behind: there is nothing to wait for.
    abandon: cancellation.stop,
    onRetry: (error, after) => log.info(`${error.message}. Trying again in ${duration(after)}.`),
  });
}

function questionOf(
  inputs: QuestionInputs,
  { threadId, messages }: Conversation,
  given: Given,
): Question {
  const { question, fingerprint, retrievalPageSize, filter, context, currentPath } = inputs;
  const { runId: run, attempt, step } = given;
  const id = messageId("question", { run, attempt, step });
  return {
    ...{ fingerprint, retrievalPageSize, filter, context, currentPath, threadId },
    messages: [...messages, { id, role: "user", text: question }],
  };
}
