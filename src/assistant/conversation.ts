import * as z from "zod/mini";
import type { Connect } from "../github/api/connect.ts";
import {
  type Entries,
  IssueComments,
  type MarkedComment,
  unreadBefore,
} from "../github/conversation/comments.ts";
import { commentPlace, type Feedback } from "../github/conversation/feedback.ts";
import {
  type ApiKeys,
  Markers,
  type StepIdentity,
  type StepMarker,
  stepShape,
} from "../github/conversation/markers.ts";
import type { Request } from "../github/trigger/phrase.ts";
import { plainText, shownText } from "../github/trigger/prompt-context.ts";
import { type Payload, type RunContext, textIn } from "../github/trigger/run-context.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { known, type Read, valueOrNull } from "../runtime/fact.ts";
import type { Message } from "../service/assistant.ts";
import { cutToBytes, inlineCode, visible } from "../text/markdown.ts";
import type { parseAssistantInputs } from "./inputs.ts";

/** What a comment stores about an answer of the assistant. */
const marker = z.object({
  /** The conversation's ID; null if the service sent none. */
  thread: z.nullable(z.string()),
  /** Whether the conversation begins here. */
  begins: z.boolean(),
  /** Both are cut to fit, and empty if the answer is incomplete. */
  question: z.string(),
  answer: z.string(),
  /** Keyed hash of the matrix leg, each of which has conversations of its own. */
  leg: z.string(),
  ...stepShape,
});

export type AnswerMarker = z.infer<typeof marker>;

/** The markers of the assistant's answers, for one domain. */
export function answerMarkers(keys: ApiKeys, domain: string): Markers<AnswerMarker> {
  return new Markers({ name: "assistant comment marker", schema: marker }, keys, domain);
}

/** The parts of a run. */
export interface AssistantRun {
  inputs: ReturnType<typeof parseAssistantInputs>;
  context: RunContext;
  /** The request by phrase; null if there was none. */
  request: Request | null;
  /** What is no part of it; null for nothing. */
  note: string | null;
  markers: Markers<AnswerMarker>;
  step: StepIdentity;
  connect: Connect;
  feedback: Feedback<AnswerMarker>;
  /** When waiting ends, in milliseconds on the clock. */
  deadline: number;
  dependencies: Dependencies;
}

/** Maximum number of earlier exchanges that are sent with a question. */
const MAX_EXCHANGES = 10;
/** Maximum size of a question and of an answer in a marker, in bytes. It must fit into a comment. */
const MAX_QUESTION = 3 * 1024;
const MAX_ANSWER = 9 * 1024;

/** A conversation in the comments of an issue or pull request. */
export interface Conversation {
  /** The conversation's ID; null for a new one, or if the service never named it. */
  threadId: string | null;
  /** Earlier questions and answers, oldest first. */
  messages: readonly Message[];
  /** Whether this question begins it. */
  begins: boolean;
  /** The comment of an earlier attempt of this step, which is used again. */
  earlierComment: MarkedComment<AnswerMarker> | null;
}

const NOT_ASKED = "They are the conversation that the question belongs to, so it was not asked.";

/** The conversation that a question continues, from the comments and the inputs. Adopts its own comment. */
export async function recallConversation(run: AssistantRun): Promise<Conversation> {
  const { inputs, context, connect, request, markers, step, feedback } = run;
  const { stop } = run.dependencies.cancellation;
  const { threadId } = inputs;
  // The conversation is where the run would comment, whether or not it does.
  const place = commentPlace(inputs, context, request !== null);
  const none = { threadId, messages: [], begins: threadId === null, earlierComment: null };
  if (place === null) return none;
  const isNew = request?.isNew === true && threadId === null;
  const comments = new IssueComments(connect, place);
  const read = await conversationIn(comments.marked(markers), step, { threadId, isNew });
  if (read.type === "unread") throw unreadBefore(read, "conversation", NOT_ASKED, stop);
  const conversation = read.value;
  let { earlierComment } = conversation;
  if (earlierComment === null && step.marker.attempt > 1) {
    const draft = await comments.draft(markers, ({ marker }) => step.isEarlier(marker));
    if (draft.type === "unread") throw unreadBefore(draft, "earlier attempt", NOT_ASKED, stop);
    earlierComment = valueOrNull(draft);
  }
  if (earlierComment !== null) feedback.adopt(earlierComment.comment);
  return { ...conversation, earlierComment };
}

/**
 * The conversation in the comments.
 *
 * @param comments newest first; read only as far as needed
 * @param step its earlier attempts are not part of the conversation
 * @param threadId from the workflow; null for the newest comment's, unless `isNew`
 */
export async function conversationIn(
  comments: Entries<MarkedComment<AnswerMarker>>,
  step: StepIdentity,
  { threadId, isNew }: { threadId: string | null; isNew: boolean },
): Promise<Read<Conversation>> {
  const exchanges: AnswerMarker[] = [];
  let earlierComment: MarkedComment<AnswerMarker> | null = null;
  // Null until the workflow or a comment decides which it is. That comment has no ID if the service named none.
  let thread: { id: string | null } | null = isNew || threadId === null ? null : { id: threadId };
  let isOpen = !isNew;
  for await (const comment of comments) {
    if (comment.type === "unread") return comment;
    const { marker } = comment.value;
    if (step.isOwn(marker)) {
      if (step.isEarlier(marker)) earlierComment ??= comment.value;
      continue;
    }
    // The legs of a matrix have conversations of their own.
    const isOfLeg = threadId !== null || step.isSameLeg(marker);
    if (isOpen && isOfLeg) {
      thread ??= { id: marker.thread };
      if (marker.thread === thread.id) {
        if (marker.answer !== "") exchanges.push(marker);
        isOpen = !marker.begins && exchanges.length < MAX_EXCHANGES;
      }
    }
    if (!isOpen && (earlierComment !== null || step.marker.attempt === 1)) break;
  }
  return known({
    threadId: thread === null ? null : thread.id,
    messages: exchanges.reverse().flatMap(messagesOf),
    begins: thread === null,
    earlierComment,
  });
}

function messagesOf(marker: AnswerMarker): Message[] {
  return [
    { id: messageId("question", marker), role: "user", text: marker.question },
    { id: messageId("answer", marker), role: "assistant", text: marker.answer },
  ];
}

/** The ID of a message: always the same for one message, and different for others. */
export function messageId(
  kind: "question" | "answer",
  { run, attempt, step, asks }: StepMarker,
): string {
  return [kind, run, attempt, step.replace(/[^\w-]+/g, "-"), asks].join("-");
}

/** A question and its answer as a marker holds them. */
export function cutToFit(question: string, answer: string) {
  return { question: cutTo(MAX_QUESTION, question), answer: cutTo(MAX_ANSWER, answer) };
}

/** Removes invisible characters, which are several times longer in JSON. */
function cutTo(maxBytes: number, text: string): string {
  const whole = visible(text);
  const shown = cutToBytes(whole, maxBytes);
  return shown === whole ? whole : `${shown}…`;
}

/** Maximum length of a question from an issue, in characters. */
const MAX_ISSUE = 32 * 1024;

/**
 * The title and the text of the issue that was opened or labelled, as readers see them, as a question; null for other
 * events, and if both are empty.
 *
 * @returns `note`: where it was cut, with the first words that are left out; null if it is whole
 */
export async function questionOfIssue({
  eventName,
  payload,
}: {
  eventName: string;
  payload: Payload;
}): Promise<{ text: string; note: string | null } | null> {
  if (eventName !== "issues") return null;
  const { title, body } = payload.issue ?? {};
  const written = [plainText(textIn(title)), await shownText(textIn(body))];
  const parts = written.filter((text) => text !== "");
  if (parts.length === 0) return null;
  const whole = parts.join("\n\n");
  const text = whole.slice(0, MAX_ISSUE).toWellFormed();
  const rest = inlineCode(whole.slice(MAX_ISSUE), 60);
  const note =
    rest === "" ? null : `The issue is too long for a question, which ends before ${rest}.`;
  return { text, note };
}
