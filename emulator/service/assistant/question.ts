/** Reading a question: the body of an assistant message, in either version. */

import * as z from "zod";

export interface Question {
  messages: { role: string; text: string }[];
  threadId: string | null;
  /** How many pages the answer is built from. */
  retrievalPageSize: number;
  filter: Filter;
  context: { type: string; value: string }[];
}

const FILTER = z.object({
  ...{ version: z.string().optional(), language: z.string().optional() },
  groups: z.array(z.string()).optional(),
});

export type Filter = z.infer<typeof FILTER>;

const MESSAGE = z.object({
  ...{ id: z.string(), role: z.enum(["user", "assistant", "system"]) },
  content: z.string().optional(),
  parts: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
});

/** Version 2 messages have no content; the parts are all there is, and of those the text. */
function messageOf(version: 1 | 2) {
  return MESSAGE.transform(({ role, content, parts }) => {
    const texts = parts.filter(({ type }) => type === "text").map(({ text }) => text);
    return { role, text: version === 1 && content ? content : texts.join("") };
  }).refine(({ text }) => text !== "", { path: ["parts"], error: "must hold a text" });
}

/** The body of a question. */
export function questionOf(version: 1 | 2) {
  const context = z.object({
    ...{ type: z.enum(["code", "textSelection"]), value: z.string() },
    ...{ path: z.string().optional(), elementId: z.string().optional() },
  });
  return z.object({
    fp: z.string().min(1),
    messages: z
      .array(messageOf(version))
      .min(1)
      .refine((messages) => messages.at(-1)?.role === "user", "the last one must be of the user"),
    threadId: z
      .string()
      .nullish()
      .transform((id) => id ?? null),
    retrievalPageSize: z.int().positive().default(5),
    filter: FILTER.nullish().transform((filter) => filter ?? {}),
    context: z.array(context).default([]),
    currentPath: z.string().max(200).optional(),
  });
}
