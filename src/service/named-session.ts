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
 *
 * @param pieces the answer's text, without secrets
 */
export async function readSessionFrom(pieces: AsyncIterable<string>): Promise<Session | undefined> {
  let text = "";
  try {
    for await (const piece of pieces) {
      text += piece;
      if (text.length > MAX_JSON) return undefined;
    }
  } catch {
    return undefined;
  }
  return sessionIn(text.replace(/^\uFEFF/, ""));
}
