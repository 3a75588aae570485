import { KIND_WORDS } from "../runtime/errors.ts";
import type { Log } from "../runtime/log.ts";
import type { AnswerSource } from "../service/answer-stream.ts";
import { safeLink } from "../text/link.ts";
import type { AssistantOutcome } from "./ask.ts";
import { type AssistantRun, type Conversation, cutToFit } from "./conversation.ts";

/** Maximum number of sources. */
const MAX_SOURCES = 1000;

/** Reports the result of a question: outputs, comment, summary, annotations, reactions. */
export async function reportAnswer(
  { answer, error }: AssistantOutcome,
  { begins, threadId: before }: Conversation,
  { inputs, context, step, feedback, dependencies }: AssistantRun,
): Promise<void> {
  const { outputs, log } = dependencies;
  const { text } = answer;
  const sources = followable(answer.sources, log);
  const threadId = answer.threadId ?? before ?? "";
  const setOutputs = (values: Record<string, string>) => {
    for (const [name, value] of Object.entries(values)) {
      if (value !== "") outputs.setOutput(name, value);
    }
  };
  setOutputs({
    ...{ status: error === null ? "completed" : "failed", answer: text, threadId },
    sources: JSON.stringify(sources),
    errorKind: error?.kind ?? "",
    errorMessage: error?.message ?? "",
  });
  for (const { title, url } of sources) log.info(`Source: ${title && `${title}, `}${url}`);
  if (error !== null) log.error(error.message, KIND_WORDS[error.kind]);

  const { renderAnswer } = await import("./answer-text.ts");
  const report = { answer: text, sources, error, runUrl: context.runUrl };
  // A question without a complete answer is not part of the conversation.
  const kept = error === null ? cutToFit(inputs.question, text) : { question: "", answer: "" };
  const marker = { thread: threadId, begins, ...kept, ...step.marker };
  const page = renderAnswer(report, feedback.markerLength(marker));
  outputs.writeSummary(page);
  await Promise.all([
    feedback.write(page, marker),
    feedback.react(error === null ? "rocket" : "confused"),
  ]);
  setOutputs({ commentUrl: feedback.ref?.url ?? "" });
}

/** The sources with safe links. */
function followable(all: readonly AnswerSource[], log: Log): AnswerSource[] {
  const first = all.slice(0, MAX_SOURCES);
  if (all.length > MAX_SOURCES) {
    log.warning(
      `The answer has ${all.length} sources; only the first ${MAX_SOURCES} are included.`,
    );
  }
  const sources = first.flatMap(({ url, title }) => {
    const link = safeLink(url);
    return link === null ? [] : [{ title, url: link }];
  });
  const others = first.length - sources.length;
  if (others > 0) {
    log.warning(
      `${others} of the answer's sources ${others === 1 ? "is" : "are"} left out, because the URL is not an https: URL of at most 2,000 characters.`,
    );
  }
  return sources;
}
