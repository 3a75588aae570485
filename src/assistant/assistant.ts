import { createFeedback } from "../github/feedback.ts";
import { StepIdentity } from "../github/markers.ts";
import type { RunContext } from "../github/run-context.ts";
import type { Request } from "../github/trigger.ts";
import { parseAssistantInputs } from "../inputs/assistant.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { resolveInputs } from "../inputs/resolve-inputs.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { asActionError } from "../runtime/errors.ts";
import { type AssistantOutcome, askQuestion, NO_ANSWER } from "./ask.ts";
import { answerMarkers, questionOfIssue, recallConversation } from "./conversation.ts";
import { reportAnswer } from "./report-answer.ts";

/** Asks the documentation assistant a question, and posts its answer. @returns whether the step fails */
export async function askAssistant(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const { clock, log, outputs } = dependencies;
  const begun = clock.now();
  const issue = questionOfIssue(context);
  const parse = (request: Request | null) =>
    parseAssistantInputs(read, context, { request: request?.text ?? "", issue });
  const usage = async (phrase: string) =>
    (await import("./answer-text.ts")).renderAssistantUsage(phrase);
  const resolving = resolveInputs(read, context, dependencies, parse, usage);
  const resolved = await resolving.catch((error) => {
    outputs.setOutput("status", "failed");
    throw error;
  });
  if (resolved === null) return false;

  const { inputs, request, connect, patience } = resolved;
  const { domain, question, threadId } = inputs;
  const markers = answerMarkers(inputs.keys, domain);
  const step = new StepIdentity(markers, context, inputs.matrix, [question, threadId ?? ""]);
  const feedback = createFeedback(resolved.feedback, "answer", markers, connect, dependencies);
  const parts = { inputs, context, request, markers, step, connect, feedback, dependencies };
  const run = { ...parts, deadline: begun + inputs.timeout };
  void feedback.reactions.add("eyes");
  const conversation = await recallConversation(run);
  log.info(`Asking the assistant of ${domain}.`);
  let outcome: AssistantOutcome;
  try {
    outcome = await askQuestion(run, conversation);
  } catch (thrown) {
    if (thrown instanceof Error) log.debug(thrown.stack ?? thrown.message);
    outcome = { answer: NO_ANSWER, error: asActionError(thrown) };
  }
  patience.forAMinute();
  await reportAnswer(outcome, conversation, run);
  return outcome.error !== null;
}
