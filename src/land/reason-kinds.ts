/** The words that several reasons of land share. */

import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";

/** The names of the problems that a follow-up can be about. */
export const PROBLEM_NAMES = {
  check: "failed check",
  build: "failed build of its preview",
  review: "review that asks for changes",
  comment: "review comment",
  conflict: "conflict with its base",
} as const;

/** How many problems there are, by their types. */
export type ProblemCounts = Readonly<Partial<Record<keyof typeof PROBLEM_NAMES, number>>>;

/** For example `1 failed check and 2 review comments`. */
export function problemsText(counts: ProblemCounts): string {
  const parts = PROBLEM_TYPES.flatMap((type) => {
    const count = counts[type] ?? 0;
    return count === 0 ? [] : [counted(count, PROBLEM_NAMES[type])];
  });
  return new Intl.ListFormat("en-GB").format(parts);
}

export const PROBLEM_TYPES = ["check", "build", "review", "comment", "conflict"] as const;

/** @param condition the rest of a sentence */
export function mergedOnce(condition: string): string {
  return `It is merged once ${condition}.`;
}

/** The name of a check. */
export function checkName(name: string): string {
  return inlineCode(name, 80);
}

export const BY_ITSELF = "The next run goes on.";
export const BY_HAND = "Merge or close it by hand.";
export const BY_PUSH = "Push a fix, or ask the agent in a comment.";
