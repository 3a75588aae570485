import * as z from "zod/mini";
import { quote } from "../text/quote.ts";
import { input, invalid, issuesOf, type ReadInput, readAll } from "./checks.ts";

/** The phrase that requests begin with; no event could ever ask with more than one line, or with white space. */
export const phraseCheck = {
  "trigger-phrase": input(
    "one line, such as /docs",
    (text, given) =>
      /[\r\n]/.test(text.trim()) || (text === "" && given !== "") ? undefined : text.trim(),
    { show: (text) => quote(text.trim() || text) },
  ),
};

const schema = z.object(phraseCheck);

/**
 * The phrase, by itself: without it in the event there is nothing to do, whatever the other inputs say.
 *
 * @returns empty when a run needs no phrase
 * @throws ActionError `invalid-input` for more than one line, or for white space
 */
export function readTriggerPhrase(read: ReadInput): string {
  const { data, error } = schema.safeParse(readAll(schema.shape, read));
  if (data === undefined) throw invalid(issuesOf(error));
  return data["trigger-phrase"];
}
