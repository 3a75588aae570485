import { markedComments } from "../github/comments.ts";
import type { Connect, Patience } from "../github/connect.ts";
import {
  commentPlace,
  createFeedback,
  type Feedback,
  type FeedbackPlan,
  planFeedback,
} from "../github/feedback.ts";
import type { Markers, StepIdentity } from "../github/markers.ts";
import { explainRefusal } from "../github/refusal.ts";
import type { RunContext } from "../github/run-context.ts";
import type { Request } from "../github/trigger.ts";
import type { AssistantInputs } from "../inputs/assistant.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { KIND_WORDS } from "../runtime/errors.ts";
import type { AnswerSource } from "../service/answer-stream.ts";
import { safeLink } from "../text/link.ts";
import type { AssistantOutcome } from "./ask.ts";
import {
  type AnswerMarker,
  type Conversation,
  conversationIn,
  cutToFit,
  NEW_CONVERSATION,
} from "./conversation.ts";

/** Maximum number of sources. */
const MAX_SOURCES = 1000;

export interface AssistantReporterOptions {
  inputs: AssistantInputs;
  context: RunContext;
  connect: Connect;
  patience: Patience;
  markers: Markers<AnswerMarker>;
  step: StepIdentity<AnswerMarker>;
  dependencies: Dependencies;
  /** The request by phrase; null if there was none. */
  request: Request | null;
}

/** Reports a question: outputs, comment, summary, annotations, reactions. */
export class AssistantReporter {
  readonly #options: AssistantReporterOptions;
  readonly #plan: FeedbackPlan;
  readonly #feedback: Feedback<AnswerMarker>;
  #conversation: Conversation = NEW_CONVERSATION;

  constructor(options: AssistantReporterOptions) {
    const { inputs, context, connect, markers, dependencies, request } = options;
    this.#options = options;
    this.#plan = planFeedback(inputs, context, request !== null, dependencies.random);
    this.#feedback = createFeedback(this.#plan, "answer", markers, connect, dependencies);
  }

  /** Shows the requester that the question has arrived. */
  acknowledge(): void {
    void this.#feedback.reactions.add("eyes");
  }

  /** The conversation that the question continues, from the comments and the inputs. */
  async recallConversation(): Promise<Conversation> {
    const { inputs, context, connect, request, markers, step, dependencies } = this.#options;
    const { threadId } = inputs;
    this.#conversation = { ...NEW_CONVERSATION, threadId, begins: threadId === null };
    // The conversation is where the run would comment, whether or not it does.
    const place = commentPlace(inputs, context);
    if (place === null) return this.#conversation;
    try {
      const isNew = request?.isNew === true && threadId === null;
      const comments = markedComments(await connect(), place, markers);
      this.#conversation = await conversationIn(comments, { threadId, isNew, step });
      const { own } = this.#conversation;
      if (own !== null) this.#feedback.comment?.adopt(own.comment);
    } catch (error) {
      const { why } = explainRefusal(error, this.#plan.permission);
      dependencies.log.warning(`Earlier questions could not be read and are not included: ${why}.`);
    }
    return this.#conversation;
  }

  /** Reports how the question came out. */
  async finish(outcome: AssistantOutcome): Promise<void> {
    const { context, patience, dependencies } = this.#options;
    const { outputs, log } = dependencies;
    patience.forAMinute();
    const { answer, error } = outcome;
    const sources = this.#followable(answer.sources);
    this.#setOutputs(outcome, sources);
    for (const { title, url } of sources)
      log.info(`Source: ${title === "" ? "" : `${title}, `}${url}`);
    if (error !== null) log.error(error.message, KIND_WORDS[error.kind]);

    const { renderAnswer } = await import("./report.ts");
    const { runUrl } = context;
    const report = { answer: answer.text, sources, error, runUrl };
    const { comment, reactions } = this.#feedback;
    const marker = this.#marker(outcome);
    const page = renderAnswer(report, comment?.markerLength(marker) ?? 0);
    outputs.writeSummary(page);
    await Promise.all([
      comment?.write(page, marker),
      reactions.add(error === null ? "rocket" : "confused"),
    ]);
    const url = comment?.ref?.url ?? "";
    if (url !== "") outputs.setOutput("commentUrl", url);
  }

  #setOutputs({ answer, error }: AssistantOutcome, sources: readonly AnswerSource[]): void {
    const all = {
      status: error === null ? "completed" : "failed",
      answer: answer.text,
      threadId: answer.threadId ?? this.#conversation.threadId ?? "",
      sources: JSON.stringify(sources),
      errorKind: error?.kind ?? "",
      errorMessage: error?.message ?? "",
    };
    for (const [name, value] of Object.entries(all)) {
      if (value !== "") this.#options.dependencies.outputs.setOutput(name, value);
    }
  }

  /** A question without a complete answer is not part of the conversation. */
  #marker({ answer, error }: AssistantOutcome): AnswerMarker {
    const { inputs, step } = this.#options;
    const { begins, threadId } = this.#conversation;
    return {
      thread: answer.threadId ?? threadId ?? "",
      begins,
      ...(error === null ? cutToFit(inputs.question, answer.text) : { question: "", answer: "" }),
      ...step.marker,
    };
  }

  #followable(all: readonly AnswerSource[]): AnswerSource[] {
    const sources = all.slice(0, MAX_SOURCES);
    if (all.length > MAX_SOURCES) {
      this.#options.dependencies.log.warning(
        `The answer has ${all.length} sources; only the first ${MAX_SOURCES} are included.`,
      );
    }
    const followable = sources.flatMap(({ url, title }) => {
      const link = safeLink(url);
      return link === null ? [] : [{ title, url: link }];
    });
    const others = sources.length - followable.length;
    if (others > 0) {
      this.#options.dependencies.log.warning(
        `${others} of the answer's sources ${others === 1 ? "is" : "are"} left out, because the URL is not an https: URL of at most 2,000 characters.`,
      );
    }
    return followable;
  }
}
