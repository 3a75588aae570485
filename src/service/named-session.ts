import type { Redactor } from "../text/redactor.ts";
import { readSession, type Session } from "./session.ts";

/** Largest JSON answer that is read, in characters. */
const MAX_JSON = 1024 * 1024;

/** The session that a text of JSON describes by its id; undefined when it does not. */
export function sessionIn(text: string): Session | undefined {
  try {
    return readSession(JSON.parse(text)) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * The session that an answer in JSON, in place of a stream, describes by its id; undefined when it does
 * not, or does not arrive. Never throws: the session may be known by other means.
 */
export async function readSessionFrom(
  body: AsyncIterable<Uint8Array>,
  redactor: Redactor,
): Promise<Session | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > MAX_JSON) return undefined;
    }
  } catch {
    return undefined;
  }
  return sessionIn(redactor.feed(text + decoder.decode()) + redactor.end());
}
