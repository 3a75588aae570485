import { quote } from "../text/quote.ts";
import { checkInputs, input, invalid, type ReadInput } from "./checks.ts";

/** The phrase that requests begin with; no event could ever ask with more than one line, or with white space. */
export const PHRASE = {
  "trigger-phrase": input(
    "one line, such as /docs",
    (text, given) =>
      /[\r\n]/.test(text.trim()) || (text === "" && given !== "") ? undefined : text.trim(),
    { show: (text) => quote(text.trim() || text) },
  ),
};

/**
 * The phrase, by itself: without it in the event there is nothing to do, whatever the other inputs say.
 *
 * @returns empty when a run needs no phrase
 * @throws ActionError `invalid-input` for more than one line, or for white space
 */
export function readTriggerPhrase(read: ReadInput): string {
  const { values, problems } = checkInputs(PHRASE, read);
  if (values === null) throw invalid(problems);
  return values.triggerPhrase;
}
