import type { RunResult } from "../../emulator/runner/runner.ts";
import { CANARY } from "./hostile-texts.ts";

/** What no sentence has that is put together from parts that fit. */
const MISFITS: [string, RegExp][] = [
  ["two full stops", /[\w)\]`"'’]\.\.(?![.\w/"`])/],
  ["a stop, and no sentence before it", /[:,;]\.(?=\s|$)|\s\.$/m],
  [
    "a sentence that begins without an end before it",
    /[a-z)`] (?:Run again|Run the workflow|Check that|Nothing was|The (?:job|next|request|service) |To wait for|Trying again)/,
  ],
  [
    "one of several",
    /(?<![\w.,-])1 (?:change|job|task|comment|commit|file|hour|input|problem|source|error|time|poll|request|question)s\b/,
  ],
  ["a value that was never written for people", /(?<!["\w])(?:undefined|NaN)(?!["\w])|\[object /],
];

/** What a step tells in which something does not fit, each with what that is. */
export function misfits({ visible, summary, outputs }: RunResult): string[] {
  // Text from outside stands in code.
  const own = summary.replace(/^(`{3,}).*?^\1$/gms, "").replace(/(`+).*?\1/g, "`x`");
  const told = [...visible, outputs.errorMessage ?? "", ...own.split("\n")];
  // What is made to look like anything looks like a misfit, too.
  const plain = told.filter((text) => !text.includes(CANARY));
  return plain.flatMap((text) =>
    MISFITS.filter(([, pattern]) => pattern.test(text)).map(([name]) => `${name}: ${text}`),
  );
}
