import type { Secrets } from "./secrets.ts";

/**
 * A text on one line, without secrets, cut to so many characters. Secrets are taken out before the cut, and
 * both before and after white space is joined: it may be part of a secret, and joining it may complete one.
 */
export function oneLine(text: string, maxLength: number, secrets: Secrets): string {
  const line = secrets.redact(secrets.redact(text).replace(/\s+/g, " ").trim());
  return line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
}
