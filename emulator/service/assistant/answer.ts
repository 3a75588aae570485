/** Answers a question from the documentation, by the words that a page and the question share. */

import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { ServiceState } from "../state.ts";

/** The body of a question. The last message is what is asked. */
export const QUESTION = z.object({
  fp: z.string().min(1),
  messages: z
    .array(
      z.object({
        ...{ id: z.string(), role: z.enum(["user", "assistant"]), content: z.string().optional() },
        parts: z.array(z.object({ type: z.literal("text"), text: z.string() })).min(1),
      }),
    )
    .min(1)
    .refine((messages) => messages.at(-1)?.role === "user", "the last one must be of the user"),
  threadId: z.string().nullish(),
  retrievalPageSize: z.int().positive().default(5),
  filter: z.record(z.string(), z.unknown()).nullish(),
  context: z
    .array(z.looseObject({ type: z.enum(["code", "textSelection"]), value: z.string() }))
    .optional(),
  currentPath: z.string().max(200).optional(),
});

/** An answer before it is put in one of the forms. */
export interface Answer {
  messageId: string;
  threadId: string;
  reasoning: string;
  /** As they arrive; together they are the text. */
  pieces: string[];
  sources: { id: string; url: string; title: string }[];
}

/** The documentation. */
const PAGES = [
  {
    title: "Create a key",
    url: "https://docs.acme.example/keys/create",
    text: "Open the keys page of the dashboard, choose a name and the scopes, and create the key. It is shown once: store it as a secret.",
  },
  {
    title: "Rotate a key",
    url: "https://docs.acme.example/keys/rotate",
    text: "To rotate a key, create a second key, put it where the first is used, and delete the first when nothing uses it any more.",
  },
  {
    title: "Rate limits",
    url: "https://docs.acme.example/limits",
    text: "A project may use the agent 100 times an hour. Over the limit the service answers 429; Retry-After says how long to wait.",
  },
  {
    title: "Webhooks",
    url: "https://docs.acme.example/webhooks",
    text: "A webhook receives a signed POST request for each event. Check the signature before you trust the body.",
  },
];

/** Words that say nothing about what a question is about. */
const COMMON = new Set(
  "a an and any are can do does for how i in is it my of on or the to we what".split(" "),
);

/** Answers a question, and adds it to its thread. */
export function answer({ threads }: ServiceState, question: z.infer<typeof QUESTION>): Answer {
  // Version 2 messages have no content: the parts are all there is.
  const asked =
    question.messages
      .at(-1)
      ?.parts.map(({ text }) => text)
      .join("") ?? "";
  const known = threads.find(({ id }) => id === question.threadId);
  const thread = known ?? { id: randomUUID(), asked: [] };
  if (known === undefined) threads.push(thread);
  const earlier = thread.asked.at(-1);
  thread.asked.push(asked);

  const wanted = wordsOf(asked);
  const pages = PAGES.map((page) => {
    const words = [...wordsOf(`${page.title} ${page.text}`)];
    return { page, score: words.filter((word) => wanted.has(word)).length };
  })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, question.retrievalPageSize)
    .map(({ page }) => page);
  const text = [
    ...(earlier === undefined ? [] : [`You asked before: “${earlier}”.`]),
    ...(pages.length === 0 ? ["The documentation does not say."] : []),
    ...pages.slice(0, 2).map((page) => `**${page.title}.** ${page.text}`),
  ].join("\n\n");
  return {
    ...{ messageId: randomUUID(), threadId: thread.id },
    reasoning: `Searched the documentation: ${pages.length} pages.`,
    pieces: text.match(/\S+\s*/g) ?? [],
    sources: pages.map(({ url, title }, index) => ({ id: `source-${index + 1}`, url, title })),
  };
}

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)));
}
