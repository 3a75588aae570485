import type { RunResult } from "../../emulator/runner/runner.ts";
import { CANARY } from "./hostile-texts.ts";

/** Patterns of mistakes in sentences that are assembled from parts. */
const MISFITS: [string, RegExp][] = [
  ["two full stops", /[\w)\]`"'’]\.\.(?![.\w/"`])/],
  ["a full stop without a sentence before it", /[:,;]\.(?=\s|$)|\s\.$/m],
  [
    "a sentence without a full stop before it",
    /[a-z)`] (?:Run again|Run the workflow|Check that|Nothing was|The (?:job|next|request|service) |To wait for|Trying again)/,
  ],
  [
    "a plural after 1",
    /(?<![\w.,-])1 (?:change|job|task|comment|commit|file|hour|input|problem|source|error|time|poll|request|question)s\b/,
  ],
  ["a JavaScript value instead of text", /(?<!["\w])(?:undefined|NaN)(?!["\w])|\[object /],
];

/** The mistakes in a step's messages, each with the message. */
export function misfits({ visible, summary, outputs }: RunResult): string[] {
  // Text from outside is in code.
  const own = summary.replace(/^(`{3,}).*?^\1$/gms, "").replace(/(`+).*?\1/g, "`x`");
  const texts = [...visible, outputs.errorMessage ?? "", ...own.split("\n")];
  // Hostile texts can look like any mistake.
  const plain = texts.filter((text) => !text.includes(CANARY));
  return plain.flatMap((text) =>
    MISFITS.filter(([, pattern]) => pattern.test(text)).map(([name]) => `${name}: ${text}`),
  );
}
