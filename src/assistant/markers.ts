import * as z from "zod/mini";
import { Markers, type Purpose, type RunMarker, runShape } from "../github/markers.ts";

/** What a comment remembers of an answer of the assistant. */
export interface AnswerMarker extends RunMarker {
  /** The conversation's id; empty when the service told none. */
  thread: string;
  /** Whether the conversation begins here. */
  begins: boolean;
  /** Both cut to what fits; both empty when the answer did not come to its end. */
  question: string;
  answer: string;
}

const ANSWER: Purpose<AnswerMarker> = {
  name: "assistant comment marker",
  owner: "domain",
  schema: z.object({
    thread: z.string(),
    begins: z.boolean(),
    question: z.string(),
    answer: z.string(),
    ...runShape,
  }),
};

/** The markers of the assistant's answers, for one domain. */
export function answerMarkers(apiKey: string, domain: string): Markers<AnswerMarker> {
  return new Markers(ANSWER, apiKey, domain);
}
