import { Feedback, type GitHubSettings } from "../github/conversation/feedback.ts";
import { StepIdentity } from "../github/conversation/markers.ts";
import type { Request } from "../github/trigger/phrase.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { resolveInputs } from "../inputs/resolve-inputs.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { asActionError, KIND_WORDS, orThrow } from "../runtime/errors.ts";
import type { Log } from "../runtime/log.ts";
import type { AnswerSource } from "../service/answer-stream.ts";
import { safeLink } from "../text/link.ts";
import { type AssistantOutcome, askQuestion, unanswered } from "./ask.ts";
import {
  type AssistantRun,
  answerMarkers,
  type Conversation,
  cutToFit,
  questionOfIssue,
  recallConversation,
} from "./conversation.ts";
import { hasQuestion, parseAssistantInputs } from "./inputs.ts";

/** Maximum number of sources. An answer names a few. */
const MAX_SOURCES = 1000;

/**
 * Asks the documentation assistant a question, and posts its answer.
 *
 * @returns whether the step fails
 * @public
 */
export async function assistant(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const { clock, log, outputs } = dependencies;
  const begun = clock.now();
  const ofIssue = await questionOfIssue(context);
  const issue = ofIssue?.text ?? null;
  const parse = (request: Request | null, settings: GitHubSettings | null) =>
    parseAssistantInputs(read, context, { request: request?.text ?? null, issue }, settings);
  const isThere = () => issue !== null || hasQuestion(read);
  const isInstruction = () => hasQuestion(read);
  const task = { input: "question", isThere, isInstruction } as const;
  const resolving = resolveInputs(read, context, dependencies, parse, task);
  const resolved = await orThrow(resolving, (error) => {
    outputs.setOutput("status", "failed");
    return error;
  });
  if (resolved === null) return false;

  const { inputs, request, connect, patience } = resolved;
  const isOfIssue = ofIssue !== null && resolved.inputs.question === ofIssue.text;
  const note = isOfIssue ? ofIssue.note : resolved.note;
  if (note !== null) log.info(note);
  const { domain, question, threadId } = inputs;
  const markers = answerMarkers(inputs.keys, domain);
  const step = new StepIdentity(markers, context, inputs.matrix, [question, threadId]);
  const plan = resolved.feedback;
  const feedback = new Feedback({
    plan,
    unaffected: "The answer is not affected.",
    ifExpired: null,
    markers,
    connect,
    log,
  });
  const parts = { inputs, context, request, note, markers, step, connect, feedback, dependencies };
  const run = { ...parts, deadline: begun + inputs.timeout };
  void feedback.react("eyes");
  // What an answer without a question says of the conversation, if it cannot be read.
  let conversation: Conversation = { threadId, messages: [], begins: false, earlierComment: null };
  let outcome: AssistantOutcome;
  try {
    conversation = await recallConversation(run);
    log.info(`Asking the assistant of ${domain}.`);
    outcome = await askQuestion(run, conversation);
  } catch (thrown) {
    if (thrown instanceof Error) log.debug(thrown.stack ?? thrown.message);
    outcome = unanswered(asActionError(thrown));
  }
  patience.forAMinute();
  await reportAnswer(outcome, conversation, run);
  return outcome.error !== null;
}

/** Reports the result of a question: outputs, comment, summary, annotations, reactions. */
async function reportAnswer(
  outcome: AssistantOutcome,
  conversation: Conversation,
  { inputs, context, note, step, feedback, dependencies }: AssistantRun,
): Promise<void> {
  const { outputs, log } = dependencies;
  const { text, error } = outcome;
  const sources = followable(outcome.sources.slice(0, MAX_SOURCES), log);
  const threadId = outcome.threadId ?? conversation.threadId;
  const setOutputs = (values: Record<string, string | null>) => {
    for (const [name, value] of Object.entries(values)) {
      if (value !== null && value !== "") outputs.setOutput(name, value);
    }
  };
  setOutputs({
    status: error === null ? "completed" : "failed",
    answer: text,
    threadId,
    sources: JSON.stringify(sources),
    errorKind: error?.kind ?? null,
    errorMessage: error?.message ?? null,
  });
  for (const { title, url } of sources) {
    log.info(title === "" ? `Source: ${url}` : `Source: ${title}, ${url}`);
  }
  if (error !== null) log.error(error.message, KIND_WORDS[error.kind]);

  const { renderAnswer } = await import("./answer-text.ts");
  // A question without a complete answer is not part of the conversation.
  const kept = error === null ? cutToFit(inputs.question, text) : { question: "", answer: "" };
  const { begins } = conversation;
  const marker = { thread: threadId, begins, ...kept, leg: step.leg, ...step.marker };
  const reserved = feedback.markerLength(marker);
  const page = renderAnswer({ text, sources, error, note }, context.runUrl, reserved);
  outputs.writeSummary(page);
  await Promise.all([
    feedback.finish(page, marker, dependencies),
    feedback.react(error === null ? "rocket" : "confused"),
  ]);
  setOutputs({ commentUrl: feedback.ref?.url ?? null });
  feedback.throwMistake();
}

/** The sources with safe links. */
function followable(named: readonly AnswerSource[], log: Log): AnswerSource[] {
  const sources: AnswerSource[] = [];
  for (const { url, title } of named) {
    const link = safeLink(url);
    if (link !== null) sources.push({ title, url: link });
  }
  const others = named.length - sources.length;
  if (others > 0) {
    const reason = "because the URL is not an https: URL of at most 2,000 characters";
    const verb = others === 1 ? "is" : "are";
    log.warning(`${others} of the answer's sources ${verb} left out, ${reason}.`);
  }
  return sources;
}
