import * as z from "zod/mini";
import { type ApiKeys, Markers, type Purpose } from "../github/markers.ts";
import { type StepMarker, stepShape } from "../github/step-identity.ts";

/** What a comment remembers of an answer of the assistant. */
export interface AnswerMarker extends StepMarker {
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
    ...stepShape,
  }),
};

/** The markers of the assistant's answers, for one domain. */
export function answerMarkers(keys: ApiKeys, domain: string): Markers<AnswerMarker> {
  return new Markers(ANSWER, keys, domain);
}
