/** The problems of a docs pull request that the agent can fix, and the follow-up about them. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import type { Check } from "../github/changes/docs-pull-checks.ts";
import type { OpenComment, Review } from "../github/changes/docs-pull-words.ts";
import { clean, renderContext, type Writer, writerOf } from "../github/trigger/prompt-context.ts";
import { counted } from "../text/sentence.ts";
import { countingChecks } from "./checks.ts";
import type { PullFacts } from "./facts.ts";
import type { LandInputs } from "./inputs.ts";
import type { Entry } from "./ledger.ts";
import { approvalOf, commentsOf, isAside, objectionsOf } from "./words.ts";

/** Maximum length of one check, build, review or comment, in characters. */
const MAX_TEXT = 6_000;

/** The name of each type, and the heading above its quotation; null if it quotes nothing. */
const KINDS = {
  check: { name: "failed check", heading: "Failed check" },
  build: {
    name: "failed build of its preview",
    heading: "End of the log of the preview's build",
  },
  review: { name: "review that asks for changes", heading: "Review that asks for changes" },
  comment: { name: "review comment", heading: "Review comment" },
  conflict: { name: "conflict with its base", heading: null },
} as const;

const MACHINE: Writer = { type: "machine" };

export interface Problem {
  readonly type: keyof typeof KINDS;
  /** The agent gets each ID once. */
  readonly id: string;
  /** Who wrote what is quoted. */
  readonly writer: Writer;
  /** The quoted texts, which anyone may have written. */
  readonly parts: readonly string[];
}

type Rules = Pick<
  LandInputs,
  "checks" | "ignoreChecks" | "reviews" | "conflicts" | "requiredChecks" | "allowedBots"
>;

/** Once the last commit is approved, only what keeps it from being merged is sent: a new commit costs the approval. */
export function problemsOf(
  { pull, buildLog }: Pick<PullFacts, "pull" | "buildLog">,
  { preview, updated }: Pick<Entry, "preview" | "updated">,
  rules: Rules,
): Problem[] {
  const { head, isConflicting } = pull;
  const isApproved = approvalOf(pull, { updated }, rules) !== null;
  const problems: Problem[] = [];
  if (rules.checks === "follow-up") {
    const isSent = ({ state, name }: Check) =>
      state === "red" && (!isApproved || rules.requiredChecks.includes(name));
    problems.push(...countingChecks(pull, rules).filter(isSent).map(ofCheck));
    if (!isApproved && preview?.head === head && preview.state === "failed") {
      problems.push(ofBuild(preview.statusId, buildLog));
    }
  }
  if (rules.reviews === "follow-up") {
    const against = objectionsOf(pull, rules).filter(({ body }) => !isAside(body));
    const comments = isApproved ? [] : commentsOf(pull, rules);
    problems.push(...against.map(ofReview), ...comments.map(ofComment));
  }
  if (rules.conflicts === "follow-up" && isConflicting === true) {
    problems.push({ type: "conflict", id: `conflict ${head}`, writer: MACHINE, parts: [] });
  }
  return problems;
}

/** The ID of the problem that a failed check is. */
export function checkIdOf({ id }: Pick<Check, "id">): string {
  return `check ${id}`;
}

function ofCheck(check: Check): Problem {
  const { name, conclusion, text, annotations, log } = check;
  const messages = annotations.map(({ message, ...place }) => `${placeOf(place)}: ${message}`);
  const end = log === null ? [] : [log];
  const parts = [`${name}: ${conclusion}`, text, ...end, ...messages];
  return { type: "check", id: checkIdOf(check), writer: MACHINE, parts };
}

/** The ID of the problem that the build of a preview failed. */
export function buildProblem(statusId: string): string {
  return `build ${statusId}`;
}

function ofBuild(statusId: string, log: string | null): Problem {
  const parts = log === null ? [] : [log];
  return { type: "build", id: buildProblem(statusId), writer: MACHINE, parts };
}

function ofReview({ id, author, body }: Review): Problem {
  return { type: "review", id: `review ${id}`, writer: writerOf(author), parts: [body] };
}

function ofComment({ id, author, body, hunk, ...place }: OpenComment): Problem {
  const parts = [placeOf(place), body, hunk];
  return { type: "comment", id: `comment ${id}`, writer: writerOf(author), parts };
}

function placeOf({ path, line }: { path: string; line: number | null }): string {
  return line === null ? path : `${path}:${line}`;
}

/** For example `1 failed check and 2 review comments`. */
export function problemsText(problems: readonly Problem[]): string {
  const parts = Object.entries(KINDS).flatMap(([type, { name }]) => {
    const count = problems.filter((problem) => problem.type === type).length;
    return count === 0 ? [] : [counted(count, name)];
  });
  return new Intl.ListFormat("en-GB").format(parts);
}

/**
 * The follow-up about the problems. The texts of checks and people are quoted, like any context, in at most 32 KiB.
 */
export function followUpPrompt({ url, base }: DocsPull, problems: readonly Problem[]): string {
  const lines = [
    `Your pull request ${url} is not ready to be merged: there is ${problemsText(problems)}.`,
    "Fix what is described below, on the same branch, and change nothing else.",
  ];
  if (problems.some(({ type }) => type === "conflict")) {
    lines.push(`Bring the branch up to date with \`${base}\`, and resolve the conflict.`);
  }
  const sections = problems.flatMap(({ type, writer, parts }) => {
    const title = KINDS[type].heading;
    const quoted = parts.filter((part) => part !== "").join("\n");
    // A conflict quotes nothing, nor does a build whose log could not be read.
    if (title === null || (type === "build" && quoted === "")) return [];
    return [{ title, text: clean(quoted.slice(0, MAX_TEXT)), writer }];
  });
  const context = renderContext(sections);
  return [lines.join(" "), context].filter((part) => part !== "").join("\n\n");
}
