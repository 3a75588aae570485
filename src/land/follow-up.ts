/** The follow-up that tells the agent what is wrong with its docs pull request. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import {
  plainText,
  renderContext,
  shownText,
  type Writer,
  writerOf,
} from "../github/trigger/prompt-context.ts";
import { countsOf, type PullProblem } from "./problems.ts";
import { problemsText } from "./reason-kinds.ts";

/** Maximum length of one check, build, review or comment, in characters. */
const MAX_TEXT = 6_000;
/** For how many failed jobs of a docs pull request the log is read. */
const MOST_LOGS = 5;

const MACHINE: Writer = { type: "machine" };

/**
 * The follow-up about the problems. The texts of checks and people are quoted, like any context, in at most 32 KiB.
 *
 * @param logOf reads the end of the log of a failed job or build; null if it cannot be read
 */
export async function followUpPrompt(
  pull: DocsPull,
  problems: readonly PullProblem[],
  logOf: (problem: PullProblem) => Promise<string | null>,
): Promise<string> {
  const lines = [
    `Your pull request ${pull.url} is not ready to be merged: there is ${problemsText(countsOf(problems))}.`,
    "Fix what is described below, on the same branch, and change nothing else.",
  ];
  if (problems.some(({ type }) => type === "conflict")) {
    lines.push(`Bring the branch up to date with \`${pull.base}\`, and resolve the conflict.`);
  }
  const logs = await logsOf(problems, logOf);
  const quotations = await Promise.all(
    problems.map((problem) => quotationOf(problem, logs.get(problem) ?? null)),
  );
  const sections = quotations.flatMap((quoted) => {
    if (quoted === null) return [];
    const { title, writer, parts } = quoted;
    const text = parts.filter((part) => part !== "").join("\n");
    return [{ title, text: text.slice(0, MAX_TEXT).toWellFormed().trim(), writer }];
  });
  const context = renderContext(sections);
  return [lines.join(" "), context].filter((part) => part !== "").join("\n\n");
}

/** The logs that could be read. */
async function logsOf(
  problems: readonly PullProblem[],
  logOf: (problem: PullProblem) => Promise<string | null>,
): Promise<Map<PullProblem, string>> {
  const jobs = problems.filter((problem) => problem.type === "check" && problem.check.isJob);
  const builds = problems.filter(({ type }) => type === "build");
  const logs = new Map<PullProblem, string>();
  for (const problem of [...jobs.slice(0, MOST_LOGS), ...builds]) {
    const log = await logOf(problem);
    if (log !== null) logs.set(problem, log);
  }
  return logs;
}

/**
 * Texts that anyone may have written, below a heading; null if it quotes nothing: a conflict, or a build whose log
 * could not be read.
 */
async function quotationOf(problem: PullProblem, log: string | null) {
  switch (problem.type) {
    case "check": {
      const { name, conclusion, text, annotations } = problem.check;
      const messages = annotations.map(({ message, ...place }) => `${placeIn(place)}: ${message}`);
      const named = plainText(`${name}: ${conclusion}`);
      const parts = [named, await shownText(text), ...[log ?? "", ...messages].map(plainText)];
      return { title: "Failed check", writer: MACHINE, parts };
    }
    case "build": {
      const title = "End of the log of the preview's build";
      return log === null || log === ""
        ? null
        : { title, writer: MACHINE, parts: [plainText(log)] };
    }
    case "review": {
      const { author, body } = problem.review;
      return {
        title: "Review that asks for changes",
        writer: writerOf(author),
        parts: [await shownText(body)],
      };
    }
    case "comment": {
      const { author, body, hunk, path, line } = problem.comment;
      const parts = [plainText(placeIn({ path, line })), await shownText(body), plainText(hunk)];
      return { title: "Review comment", writer: writerOf(author), parts };
    }
    case "conflict":
      return null;
  }
}

function placeIn({ path, line }: { path: string; line: number | null }): string {
  return line === null ? path : `${path}:${line}`;
}
