import { connector, Patience } from "../github/connect.ts";
import { Feedback, planFeedback } from "../github/feedback.ts";
import { StepIdentity } from "../github/markers.ts";
import { resolveTrigger } from "../github/resolve-trigger.ts";
import type { RunContext } from "../github/run-context.ts";
import { parseAssistantInputs } from "../inputs/assistant.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { readGitHubSettings, readTriggerPhrase } from "../inputs/shared.ts";
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
  const { clock, log, random } = dependencies;
  const begun = clock.now();
  const settings = readGitHubSettings(read, context);
  const patience = new Patience(dependencies);
  const connection = settings === null ? null : connector(settings, dependencies, patience);
  const parse = (request: string) =>
    parseAssistantInputs(read, context, { request, issue: questionOfIssue(context) });
  const resolved = await orFailed(dependencies, () => {
    const phrase = readTriggerPhrase(read, context);
    // Without a phrase, every run of the workflow needs its inputs, so they are checked first.
    if (phrase === "") parse("");
    return resolveTrigger(context, dependencies, {
      ...{ phrase, settings, connect: connection, hasKey: read("api-key").trim() !== "" },
      usage: async (word) => (await import("./answer-text.ts")).renderAssistantUsage(word),
    });
  });
  if (resolved.type === "skip") return false;

  const { request } = resolved;
  const inputs = await orFailed(dependencies, () => {
    const parsed = parse(request?.text ?? "");
    dependencies.http.checkProxy(parsed.githubApiUrl);
    return parsed;
  });
  const markers = answerMarkers(inputs.keys, inputs.domain);
  const { question, threadId } = inputs;
  const step = new StepIdentity(markers, context, inputs.matrix, [question, threadId ?? ""]);
  const connect = connection ?? connector(inputs, dependencies, patience);
  const plan = planFeedback(inputs, context, request !== null, random);
  const feedback = new Feedback({ plan, subject: "answer", markers, connect, log });
  const parts = { inputs, context, request, markers, step, connect, feedback, dependencies };
  const run = { ...parts, deadline: begun + inputs.timeout };
  void feedback.react("eyes");
  const conversation = await recallConversation(run);
  log.info(`Asking the assistant of ${inputs.domain}.`);
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

/** Sets the status if the run ends before there is anything to report. */
async function orFailed<T>({ outputs }: Dependencies, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    outputs.setOutput("status", "failed");
    throw error;
  }
}
