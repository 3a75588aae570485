import type { Unread } from "../../src/runtime/fact.ts";

/** A fact that could not be read. */
export function unread(cause: Unread["cause"], over: Partial<Unread> = {}): Unread {
  const isPassing = cause !== "refused";
  return { type: "unread", cause, reason: "GitHub returned 500", isPassing, status: null, ...over };
}
