/** Checks GitHub's answers where they are read: only the fields that the action uses. */

import * as z from "zod/mini";
import type { HttpAnswer } from "../../net/http.ts";

/** GitHub answered, but the action cannot use the answer. The message is the end of a sentence. */
export class UnusableAnswer extends Error {
  override readonly name = "UnusableAnswer";
}

/** @param place the part of the answer that is missing or has another type; empty for all of it */
function unreadable(place: string): UnusableAnswer {
  return new UnusableAnswer(
    `GitHub's response could not be read${place === "" ? "" : ` (at \`${place}\`)`}`,
  );
}

/** A time, a SHA or a name that GitHub leaves out, or shows as null, where there is none. */
export const textOrNull = z.pipe(
  z.nullish(z.string()),
  z.transform((text) => text ?? null),
);

/** A text that GitHub leaves out, or shows as null, where it is empty. */
export const textOrEmpty = z.pipe(
  z.nullish(z.string()),
  z.transform((text) => text ?? ""),
);

/** An answer as its schema describes it. @throws UnusableAnswer */
export function readAnswer<T>(schema: z.ZodMiniType<T>, data: unknown): T {
  const { data: answer, error } = schema.safeParse(data);
  if (error === undefined) return answer;
  const [issue] = error.issues;
  throw unreadable(issue === undefined ? "" : issue.path.join("."));
}

/** What GitHub calls JSON. A page in its place, by something between, may look like it. */
const JSON_CONTENT = /^application\/(?:[\w.-]+\+)?json\b/i;

/** Undefined if it is no JSON. */
export function jsonIn({ headers, text }: HttpAnswer): unknown {
  if (!JSON_CONTENT.test(String(headers["content-type"]))) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
