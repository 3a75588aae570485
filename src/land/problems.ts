/** The problems of a docs pull request that the agent can fix, and the follow-up about them. */

import type { Check, DocsPull, OpenComment, Review } from "../github/changes/docs-pull.ts";
import { clean, renderContext } from "../github/trigger/prompt-context.ts";
import type { LandInputs } from "../inputs/land.ts";
import { counted } from "../text/sentence.ts";
import type { Preview } from "./ledger.ts";

/** Maximum length of one check, build, review or comment, in characters. */
const MAX_TEXT = 6_000;

/** The name of each type, and the heading above its quotation, in the action's words. */
const KINDS = {
  check: ["failed check", "Failed check"],
  build: ["failed build of its preview", "End of the log of the preview's build"],
  review: ["review that asks for changes", "Review that asks for changes"],
  comment: ["review comment", "Review comment"],
  conflict: ["conflict with its base", ""],
} as const;

export interface Problem {
  type: keyof typeof KINDS;
  /** The agent gets each ID once. */
  id: string;
  /** Undefined for a machine. */
  author?: string;
  /** The quoted texts, which anyone may have written. */
  parts: string[];
}

type Rules = Pick<LandInputs, "checks" | "reviews" | "conflicts">;

export function problemsOf(pull: DocsPull, preview: Preview | null, rules: Rules): Problem[] {
  const { head, isConflicting } = pull;
  const problems: Problem[] = [];
  if (rules.checks === "follow-up") {
    problems.push(...pull.checks.filter(({ state }) => state === "red").map(ofCheck));
    if (preview?.head === head && preview.state === "failed") {
      problems.push({ type: "build", id: `build ${preview.statusId}`, parts: [preview.log] });
    }
  }
  if (rules.reviews === "follow-up") {
    const against = lastWords(pull).filter(({ state }) => state === "changes_requested");
    problems.push(...against.map(ofReview), ...commentsOfWriters(pull).map(ofComment));
  }
  if (rules.conflicts === "follow-up" && isConflicting === true) {
    problems.push({ type: "conflict", id: `conflict ${head}`, parts: [] });
  }
  return problems;
}

function ofCheck({ id, name, conclusion, text, annotations }: Check): Problem {
  const places = annotations.map((one) => `${placeOf(one)}: ${one.message}`);
  return { type: "check", id: `check ${id}`, parts: [`${name}: ${conclusion}`, text, ...places] };
}

function ofReview({ id, author, body }: Review): Problem {
  return { type: "review", id: `review ${id}`, author, parts: [body] };
}

function ofComment({ id, author, body, hunk, ...place }: OpenComment): Problem {
  return { type: "comment", id: `comment ${id}`, author, parts: [placeOf(place), body, hunk] };
}

function placeOf({ path, line }: { path: string; line: number | null }): string {
  return line === null ? path : `${path}:${line}`;
}

/** The states of a review that is a decision. */
const DECISIONS = ["approved", "changes_requested", "dismissed"];

/** The last review with a decision of each person with write permission. */
export function lastWords({ reviews, author }: DocsPull): Review[] {
  const decisions = reviews.filter(({ state, mayWrite }) => DECISIONS.includes(state) && mayWrite);
  const last = new Map(decisions.map((review) => [review.author, review]));
  last.delete(author);
  return [...last.values()];
}

export function commentsOfWriters({ openComments, author }: DocsPull): OpenComment[] {
  return openComments.filter((comment) => comment.mayWrite && comment.author !== author);
}

/** For example `1 failed check and 2 review comments`. */
export function problemsText(problems: readonly Problem[]): string {
  const parts = Object.entries(KINDS).flatMap(([type, [what]]) => {
    const count = problems.filter((problem) => problem.type === type).length;
    return count === 0 ? [] : [counted(count, what)];
  });
  return new Intl.ListFormat("en-GB").format(parts);
}

/**
 * The follow-up about the problems. The texts of checks and people are quoted, like any context, in at most 32 KiB.
 */
export function followUpPrompt({ url, base }: DocsPull, problems: readonly Problem[]): string {
  const lines = [
    `Your pull request ${url} is not ready to be merged: there is ${problemsText(problems)}.`,
    "Mend what is described below, on the same branch, and change nothing else.",
  ];
  if (problems.some(({ type }) => type === "conflict")) {
    lines.push(`Bring the branch up to date with \`${base}\`, and resolve the conflict.`);
  }
  const quoted = problems.filter(({ type }) => type !== "conflict");
  const sections = quoted.map(({ type, author, parts }) => ({
    title: KINDS[type][1],
    text: clean(parts.filter(Boolean).join("\n").slice(0, MAX_TEXT)),
    author,
  }));
  const context = renderContext(sections);
  return [lines.join(" "), context].filter((part) => part !== "").join("\n\n");
}
