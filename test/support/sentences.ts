import type { RunResult } from "../../emulator/runner/runner.ts";

/** What no sentence has that is put together from parts that fit. */
const MISFITS: [string, RegExp][] = [
  ["two full stops", /[\w)\]`"'’]\.\.(?![.\w/"`])/],
  ["a stop, and no sentence before it", /(?:^|\s)[.,;](?:\s|$)|[:,;]\.(?:\s|$)/],
  [
    "a sentence that begins without an end before it",
    /[a-z)`] (?:Run again|Run the workflow|Check that|Nothing was|The (?:job|next|request|service) |To wait for|Trying again)/,
  ],
  [
    "one of several",
    /(?<![\w.,-])1 (?:change|job|task|comment|commit|file|hour|input|problem|source|error|time|poll|request|question)s\b/,
  ],
  ["a value that was never written for people", /\bundefined\b|\[object |\bNaN\b/],
];

/** The messages of a step in which something does not fit, each with what that is. */
export function misfits({ errors, warnings, notices, outputs }: RunResult): string[] {
  const messages = [...errors, ...warnings, ...notices, outputs.errorMessage ?? ""];
  return messages.flatMap((message) =>
    MISFITS.filter(([, pattern]) => pattern.test(message)).map(([name]) => `${name}: ${message}`),
  );
}
