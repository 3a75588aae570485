import type { ActionError } from "../runtime/errors.ts";
import { ServiceError } from "../service/errors.ts";
import type { AnswerSource, Part } from "../service/stream/parts.ts";
import { explainEmpty, explainGivenUp, explainUnreadable, explainWithoutEnd } from "./failures.ts";

/** As much of an answer as came. */
export interface AssistantAnswer {
  /** Markdown of the service. */
  text: string;
  /** Each page once, in the order in which the service named them. */
  sources: readonly AnswerSource[];
  /** Null when the service told none. */
  threadId: string | null;
}

/** What came of an answer, and why it is not whole: `ServiceError` when it broke off; null when it is. */
export interface Received {
  answer: AssistantAnswer;
  error: ActionError | ServiceError | null;
}

export const NO_ANSWER: AssistantAnswer = { text: "", sources: [], threadId: null };

/**
 * Receives an answer to its end, or to where it breaks off. Never throws for what the service does.
 *
 * @param onText told each piece of the text as it arrives
 */
export async function receive(
  parts: AsyncIterable<Part>,
  onText: (text: string) => void,
): Promise<Received> {
  const pieces: string[] = [];
  const sources = new Map<string, AnswerSource>();
  let threadId: string | null = null;
  let isBreak = false;
  let isWhole = false;
  let failed: string | null = null;
  let broken: ServiceError | null = null;

  const say = (text: string) => {
    pieces.push(text);
    onText(text);
  };
  try {
    for await (const part of parts) {
      switch (part.type) {
        case "text":
          if (isBreak && pieces.length > 0) say("\n\n");
          isBreak = false;
          say(part.text);
          break;
        case "break":
          isBreak = true;
          break;
        case "source":
          if (!sources.get(part.source.url)?.title) sources.set(part.source.url, part.source);
          break;
        case "thread":
          threadId = part.id;
          break;
        case "error":
          failed ??= part.message;
          break;
        case "finish":
          isWhole = true;
          break;
      }
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    broken = error;
  }

  const text = pieces.join("");
  const answer = { text, sources: [...sources.values()], threadId };
  const isNothing = text === "" && sources.size === 0 && threadId === null;
  const why = (): Received["error"] => {
    if (failed !== null) return explainGivenUp(failed);
    // What breaks off after the end has taken nothing of the answer with it.
    if (isWhole) return text.trim() === "" ? explainEmpty() : null;
    if (broken !== null) return broken;
    return isNothing ? explainUnreadable() : explainWithoutEnd();
  };
  return { answer, error: why() };
}
