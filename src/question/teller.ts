import type { Clock } from "../clock.ts";
import type { ActionError } from "../errors.ts";
import { Audience, Reactor } from "../github/audience.ts";
import type { Connect } from "../github/connect.ts";
import { type Given, reactable } from "../github/given.ts";
import {
  type AnswerMemory,
  answerMarkers,
  type Markers,
  type Place,
  type RunMemory,
} from "../github/marker.ts";
import { commentPlace, permissionFor } from "../github/place.ts";
import { explainRefusal } from "../github/refusal.ts";
import type { Desk } from "../github/teller.ts";
import type { Request } from "../github/trigger.ts";
import type { Log } from "../log.ts";
import type { Source } from "../service/stream/parts.ts";
import { safeLink } from "../text/link.ts";
import type { Answer } from "./answer.ts";
import { type Conversation, NEW_CONVERSATION, recall, remembered } from "./conversation.ts";
import type { QuestionInputs } from "./inputs.ts";

export interface AnswerTellerOptions {
  inputs: QuestionInputs;
  given: Given;
  desk: Desk;
  log: Log;
  clock: Clock;
  connect: Connect;
  stop: AbortSignal;
  /** What was asked for by phrase; null for a run that was not. */
  request: Request | null;
}

/** Tells GitHub of a question: outputs, the comment, the summary, annotations and reactions. */
export class AnswerTeller {
  readonly #options: AnswerTellerOptions;
  readonly #markers: Markers<AnswerMemory>;
  readonly #permission: string;
  /** Where the conversation is; null outside of an issue or pull request. */
  readonly #place: Place | null;
  readonly #audience: Audience<AnswerMemory> | null;
  readonly #reactor: Reactor;
  #conversation: Conversation = NEW_CONVERSATION;

  constructor(options: AnswerTellerOptions) {
    const { inputs, given, log, clock, connect, stop, request } = options;
    this.#options = options;
    this.#markers = answerMarkers(inputs.apiKey, inputs.domain);
    this.#permission = permissionFor(inputs, given);
    this.#place = commentPlace({ ...inputs, comment: true }, given);
    const told = { subject: "answer", connect, log, permission: this.#permission } as const;
    this.#audience =
      this.#place === null || !inputs.comment
        ? null
        : new Audience({ ...told, clock, stop, markers: this.#markers, place: this.#place });
    // Whoever wants no comment wants no reactions either, except as the answer to a request.
    const target = inputs.comment || request !== null ? reactable(given) : null;
    this.#reactor = new Reactor({ ...told, repository: given.repository, target });
  }

  /** Lets whoever asked see that the question has arrived. */
  acknowledge(): void {
    void this.#reactor.react("eyes");
  }

  /** The conversation that the question goes on with, as the comments and the inputs tell it. */
  async recall(): Promise<Conversation> {
    const { inputs, connect, log, request } = this.#options;
    const { threadId } = inputs;
    this.#conversation = { ...NEW_CONVERSATION, threadId, begins: threadId === null };
    if (this.#place === null) return this.#conversation;
    try {
      this.#conversation = await recall({
        ...{ connect, threadId, place: this.#place, markers: this.#markers, run: this.#identity },
        isNew: request?.isNew === true && threadId === null,
      });
      if (this.#conversation.own !== null) this.#audience?.adopt(this.#conversation.own.comment);
    } catch (error) {
      const { why } = explainRefusal(error, this.#permission);
      log.warning(`Earlier questions could not be read, so they are not sent along: ${why}.`);
    }
    return this.#conversation;
  }

  /**
   * The end of the run.
   *
   * @param error why there is no whole answer; null when there is
   * @returns whether the step fails
   */
  async conclude(answer: Answer, error: ActionError | null): Promise<boolean> {
    const { inputs, given, desk, log } = this.#options;
    const sources = this.#followable(answer.sources);
    const outputs = {
      status: error === null ? "completed" : "failed",
      answer: answer.text,
      threadId: answer.threadId ?? this.#conversation.threadId ?? "",
      sources: JSON.stringify(sources),
      errorKind: error?.kind ?? "",
      errorMessage: error?.message ?? "",
    };
    for (const [name, value] of Object.entries(outputs)) {
      if (value !== "") desk.setOutput(name, value);
    }
    for (const { title, url } of sources)
      log.info(`Source: ${title === "" ? "" : `${title}, `}${url}`);
    if (error !== null) log.error(error.message);

    const { renderAnswer } = await import("./report.ts");
    const report = { answer: answer.text, sources, error, runUrl: given.runUrl };
    this.#writeSummary(renderAnswer({ ...report, marker: "" }));
    const marker = this.#marker(answer, error === null ? inputs.question : "");
    await Promise.all([
      this.#audience?.show(renderAnswer({ ...report, marker }), this.#identity),
      this.#reactor.react(error === null ? "rocket" : "confused"),
    ]);
    const url = this.#audience?.commentUrl ?? "";
    if (url !== "") desk.setOutput("commentUrl", url);
    return error !== null;
  }

  /** @param question empty when it has no whole answer, which is no part of the conversation then */
  #marker(answer: Answer, question: string): string {
    if (this.#place === null) return "";
    const { clock } = this.#options;
    const { own, begins, threadId } = this.#conversation;
    return this.#markers.write(this.#place, {
      thread: answer.threadId ?? threadId ?? "",
      begins,
      ...(question === "" ? { question: "", answer: "" } : remembered(question, answer.text)),
      ...this.#identity,
      at: own?.memory.at ?? clock.timeOfDay(),
    });
  }

  #followable(sources: readonly Source[]): Source[] {
    const followable = sources.flatMap(({ url, title }) => {
      const link = safeLink(url);
      return link === null ? [] : [{ title, url: link }];
    });
    const others = sources.length - followable.length;
    if (others > 0) {
      this.#options.log.warning(
        `${others} of the answer's sources ${others === 1 ? "is" : "are"} left out: not an https: address of at most 2,000 characters.`,
      );
    }
    return followable;
  }

  #writeSummary(markdown: string): void {
    const { desk, log } = this.#options;
    try {
      desk.writeSummary(markdown);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      log.warning(`The step summary could not be written: ${why}`);
    }
  }

  get #identity(): Pick<RunMemory, "run" | "attempt" | "step"> {
    const { runId, attempt, step } = this.#options.given;
    return { run: runId, attempt, step };
  }
}
