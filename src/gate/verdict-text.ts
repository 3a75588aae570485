/** Renders verdicts as Markdown. Text from outside appears only as code. */

import { pullLink } from "../github/conversation/news.ts";
import { inlineCode } from "../text/markdown.ts";
import { capitalized, counted } from "../text/sentence.ts";
import type { GateRules } from "./inputs.ts";
import { type GateNote, type GateVerdict, gateReasonText, plainReason } from "./reasons.ts";
import { byVerdict, isRed, type PullVerdict } from "./verdict.ts";

const MOST_PATTERNS = 5;

/** The verdict in words. @param reason as it is to be shown */
export function verdictText({ verdict, job }: PullVerdict, reason: string): string {
  switch (verdict) {
    case "covered":
      return `covered by ${job?.prLink ? pullLink("docs pull request", job.prLink) : reason}`;
    case "not-needed":
      return `no documentation needed (${reason})`;
    case "excused":
      return `excused by ${reason}`;
    case "included":
    case "needed":
      return `documentation ${verdict} (${reason})`;
  }
}

function signOf(verdict: GateVerdict, rules: GateRules): string {
  if (verdict !== "needed") return "✅";
  return isRed({ verdict }, rules) ? "❌" : "⚠️";
}

/** The verdict with a sign before it. */
function line(judged: PullVerdict, rules: GateRules, title: string): string {
  const text = verdictText(judged, gateReasonText(judged.reason));
  return `${signOf(judged.verdict, rules)} ${title}${text}`;
}

/** The summary of several pull requests: those that need documentation come first. */
export function groupText(all: readonly PullVerdict[], rules: GateRules): string {
  const undocumented = all.filter(({ verdict }) => verdict === "needed").length;
  const verb = undocumented === 1 ? "needs" : "need";
  const count =
    undocumented === 0
      ? "no pull request needs"
      : `${undocumented} of ${counted(all.length, "pull request")} ${verb}`;
  const sign = signOf(undocumented === 0 ? "covered" : "needed", rules);
  const lines = byVerdict(all).map((verdict) => {
    return `- ${line(verdict, rules, `${pullLink("pull request", verdict.url)}: `)}`;
  });
  return `### ${sign} Docs gate: ${count} documentation\n\n${lines.join("\n")}`;
}

const ASK =
  "Ask the documentation agent in a new comment:\n\n   ```text\n   /docs Document this pull request.\n   ```";
const EXCUSE =
  "write why in a line `docs: none, REASON`, in the description or in a comment (with write permission)";

/** The comment: one line, unless somebody has to act. @param newPage where to create a page; null if not known */
export function reportText(judged: PullVerdict, rules: GateRules, newPage: string | null): string {
  const { verdict, reason } = judged;
  const notes = judged.notes.map(noteText);
  if (verdict !== "needed") return [line(judged, rules, "Docs gate: "), ...notes].join("\n\n");
  const patterns = rules.docsPatterns
    .slice(0, MOST_PATTERNS)
    .map((pattern) => inlineCode(pattern, 80));
  const create = newPage === null ? "" : `[create a page](${newPage}), or `;
  const [label] = rules.ignoreLabels;
  const setLabel = label === undefined ? "" : `set the label ${inlineCode(label, 80)}, or `;
  const ways = [
    `Document it here: ${create}change a file that matches ${patterns.join(", ")}.`,
    ASK,
    `If it needs no documentation, ${setLabel}${EXCUSE}.`,
  ];
  return [
    `### ${signOf(verdict, rules)} This change needs documentation`,
    `${capitalized(gateReasonText(reason))}. Do one of these:`,
    ways.map((way, nth) => `${nth + 1}. ${way}`).join("\n"),
    "After `/docs`, the status follows when the gate runs next: for a push, a label or a review, or on its schedule.",
    ...notes,
  ].join("\n\n");
}

/** A note beside a verdict. What a request to the service came to is folded. */
function noteText(note: GateNote): string {
  switch (note.code) {
    case "no-draft":
      return folded("There is no draft: it could not be requested", note.message);
    case "uncertain":
      return folded("There is no draft: the service may have received its request", note.words);
    default:
      return gateReasonText(note);
  }
}

function folded(summary: string, text: string): string {
  return `<details><summary>${summary}</summary>\n\n${inlineCode(text, 400)}\n\n</details>`;
}

const WAYS =
  "Change the docs in it, ask the agent with /docs, set a label that says that it needs none, " +
  'or write why in a line "docs: none, REASON".';

/** What to do about a pull request that needs documentation, for the log. */
export function neededMessage({ number, reason }: PullVerdict): string {
  return `Pull request #${number} needs documentation: ${plainReason(reason)}. ${WAYS}`;
}
