import { connector } from "../github/connect.ts";
import { skipForkReview } from "../github/fork-review.ts";
import { Patience } from "../github/patience.ts";
import { resolveTrigger } from "../github/resolve-trigger.ts";
import type { RunContext } from "../github/run-context.ts";
import { StepIdentity } from "../github/step-identity.ts";
import { parseAssistantInputs } from "../inputs/assistant.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { checkGitHubInputs } from "../inputs/github.ts";
import { readTriggerPhrase } from "../inputs/phrase.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { asActionError } from "../runtime/errors.ts";
import { NO_ANSWER } from "./answer.ts";
import { type AssistantOutcome, askQuestion } from "./ask.ts";
import { questionOfIssue } from "./issue-question.ts";
import { answerMarkers } from "./markers.ts";
import { AssistantReporter } from "./reporter.ts";

/**
 * Asks the documentation assistant a question, and posts its answer.
 *
 * @returns whether the step fails
 */
export async function askAssistant(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const { clock, log } = dependencies;
  const begun = clock.now();
  const github = checkGitHubInputs(read, context);
  const settings = github.values;
  const patience = new Patience(dependencies);
  const connect = settings === null ? null : connector(settings, dependencies, patience);
  const resolved = await resolveTrigger(context, dependencies, {
    ...{ settings, connect },
    phrase: checkInputs(() => readTriggerPhrase(read), dependencies),
    usage: async (phrase) => (await import("./report.ts")).renderAssistantUsage(phrase),
  });
  if (resolved.type === "skip") return false;

  const { request } = resolved;
  if (request !== null && skipForkReview(read("api-key"), context, dependencies)) return false;
  const asked = { request: request?.text ?? "", issue: questionOfIssue(context) };
  const parse = () => parseAssistantInputs(read, github, context, asked);
  const inputs = checkInputs(parse, dependencies);
  checkInputs(() => dependencies.http.checkProxy(inputs.githubApiUrl), dependencies);
  const markers = answerMarkers(inputs.keys, inputs.domain);
  const { question, threadId } = inputs;
  const step = new StepIdentity(markers, context, inputs.matrix, [question, threadId ?? ""]);
  const reporter = new AssistantReporter({
    ...{ inputs, context, request, markers, step, patience, dependencies },
    connect: connect ?? connector(inputs, dependencies, patience),
  });
  reporter.acknowledge();
  let outcome: AssistantOutcome;
  try {
    const conversation = await reporter.recallConversation();
    log.info(`Asking the assistant of ${inputs.domain}.`);
    const deadline = begun + inputs.timeout;
    outcome = await askQuestion({
      inputs,
      conversation,
      step: step.marker,
      dependencies,
      deadline,
    });
  } catch (thrown) {
    if (thrown instanceof Error) log.debug(thrown.stack ?? thrown.message);
    outcome = { answer: NO_ANSWER, error: asActionError(thrown) };
  }
  await reporter.finish(outcome);
  return outcome.error !== null;
}

/** A wrong input ends the run before there is a reporter; the status is set all the same. */
function checkInputs<T>(parse: () => T, { outputs }: Dependencies): T {
  try {
    return parse();
  } catch (error) {
    outputs.setOutput("status", "failed");
    throw error;
  }
}
