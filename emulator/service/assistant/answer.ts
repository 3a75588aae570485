/** Answers a question from the documentation, by the words that a page and the question share. */

import { randomUUID } from "node:crypto";
import type { Page, ServiceState, Thread } from "../state.ts";
import { withoutOptions } from "../steering-options.ts";
import type { Filter, Question } from "./question.ts";
import { type AssistantSteering, steerAssistant } from "./steering.ts";

/** An answer before it is put in one of the forms. */
export interface Answer {
  messageId: string;
  threadId: string;
  reasoning: string;
  /** In pieces, as they arrive; together they are the text. */
  pieces: string[];
  sources: { id: string; url: string; title: string }[];
  steering: AssistantSteering;
}

/** Words that say nothing about what a question is about. */
const COMMON = new Set(
  "a an and any are can do does for how i in is it my of on or the to we what".split(" "),
);

/** Answers the last message, and adds both to the thread. */
export function answer(state: ServiceState, domain: string, question: Question): Answer {
  const asked = question.messages.at(-1)?.text ?? "";
  const thread = threadOf(state, domain, question);
  const earlier = thread.messages.findLast(({ role }) => role === "user")?.text;
  const steering = steerAssistant(asked, state.assistant);

  const words = withoutOptions(asked);
  const pages = search(state.pages, words, question.filter).slice(0, question.retrievalPageSize);
  const text = [
    ...(earlier === undefined ? [] : [`You asked before: “${withoutOptions(earlier)}”.`]),
    ...(question.context.length === 0
      ? []
      : [`I looked at ${question.context.length} given items.`]),
    ...(pages.length === 0
      ? ["The documentation does not say."]
      : pages.slice(0, 2).map((page) => `**${page.title}.** ${page.text}`)),
  ].join("\n\n");

  thread.messages.push({ role: "user", text: asked }, { role: "assistant", text });
  return {
    messageId: randomUUID(),
    threadId: thread.id,
    reasoning: `Searched the documentation: ${pages.length} pages.`,
    pieces: text.match(/\S+\s*/g) ?? [],
    sources: pages.map(({ url, title }, index) => ({ id: `source-${index + 1}`, url, title })),
    steering,
  };
}

function threadOf(state: ServiceState, domain: string, { threadId }: Question): Thread {
  const known = state.threads.find((one) => one.id === threadId && one.domain === domain);
  if (known !== undefined) return known;
  const thread: Thread = { id: randomUUID(), domain, messages: [] };
  state.threads.push(thread);
  return thread;
}

/** The pages that share words with the question, the most words first. */
function search(pages: Page[], question: string, filter: Filter): Page[] {
  const wanted = wordsOf(question);
  return pages
    .filter((page) => matches(page, filter))
    .map((page) => {
      const words = [...wordsOf(`${page.title} ${page.text}`)];
      return { page, score: words.filter((word) => wanted.has(word)).length };
    })
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ page }) => page);
}

function matches(page: Page, { version, language, groups }: Filter): boolean {
  return (
    (version === undefined || page.version === null || page.version === version) &&
    (language === undefined || page.language === null || page.language === language) &&
    (groups === undefined ||
      page.groups.length === 0 ||
      page.groups.some((group) => groups.includes(group)))
  );
}

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)));
}
