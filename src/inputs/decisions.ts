/** People's answers to what needs a decision, in the input `decisions` of a run by hand. */

import { quote } from "../text/sentence.ts";
import { checkEach, type InputCheck, notAllowed } from "./checks.ts";

export type Answer =
  /** `id`: the short ID of an entry. */
  | { readonly type: "entry"; readonly id: string; readonly choice: "again" | "leave" }
  /** The job that a request started, although nobody knew. */
  | { readonly type: "job"; readonly id: string; readonly jobId: string }
  | { readonly type: "all"; readonly choice: "again" | "leave" }
  | { readonly type: "go-on" }
  /** This workflow keeps the ledger from now on. */
  | { readonly type: "keep" };

const ALLOWED =
  "`ID: again`, `ID: leave`, `ID: JOB_ID`, `all: again`, `all: leave`, `go on` or `keep`, with an ID of the " +
  "dashboard or the summary, separated by commas or line breaks";

/** For example `1a2b3c4d: again, go on`. */
export const decisions: InputCheck<Answer[]> = (text) => {
  const parts = text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return checkEach(parts, (part) => {
    const answer = answerIn(part);
    if (answer === null) throw notAllowed(quote(part), ALLOWED);
    return answer;
  });
};

function answerIn(part: string): Answer | null {
  if (/^go[ -]on$/i.test(part)) return { type: "go-on" };
  if (/^keep$/i.test(part)) return { type: "keep" };
  const [, id = "", word = ""] = /^(all|[0-9a-f]{8})\s*:\s*(\S+)$/i.exec(part) ?? [];
  const isAll = /^all$/i.test(id);
  const choice = /^again$/i.test(word) ? "again" : /^leave$/i.test(word) ? "leave" : null;
  if (choice !== null) {
    return isAll ? { type: "all", choice } : { type: "entry", id: id.toLowerCase(), choice };
  }
  // Without a digit, it is rather a word with a mistake.
  if (isAll || !/^[\w-]*\d[\w-]*$/.test(word)) return null;
  return { type: "job", id: id.toLowerCase(), jobId: word };
}
