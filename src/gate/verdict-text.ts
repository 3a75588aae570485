/** Renders verdicts as Markdown. Text from outside appears only as code. */

import { pullLink } from "../github/conversation/news.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import type { GateRules } from "./inputs.ts";
import { type GateVerdict, gateReasonText, plainReason, VERDICT_REASONS } from "./reasons.ts";
import { byVerdict, isRed, type PullVerdict } from "./verdict.ts";

const MOST_PATTERNS = 5;

/** The verdict in words. @param reason as it is to be shown */
export function verdictText({ verdict, job }: PullVerdict, reason: string): string {
  switch (verdict) {
    case "covered":
      return job?.prLink
        ? `covered by ${pullLink("docs pull request", job.prLink)}`
        : `covered by a docs job (${reason})`;
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
  const count = `${undocumented} of ${counted(all.length, "pull request")} ${verb}`;
  const sign = signOf(undocumented === 0 ? "covered" : "needed", rules);
  const lines = byVerdict(all).map((verdict) => {
    return `- ${line(verdict, rules, `${pullLink("pull request", verdict.url)}: `)}`;
  });
  return `### ${sign} Docs gate: ${count} documentation\n\n${lines.join("\n")}`;
}

const ASK =
  "Ask the documentation agent, with a new comment:\n\n   ```text\n   /docs Document this pull request.\n   ```";
const EXCUSE =
  "say why in a line `docs: none, REASON` of the description or of a comment, with write permission";

/** The comment: one line, unless somebody has to act. */
export function reportText(judged: PullVerdict, rules: GateRules): string {
  const head = line(judged, rules, "Docs gate: ");
  const notes = judged.notes.map((note) => gateReasonText(note));
  if (judged.verdict !== "needed") return [head, ...notes].join("\n\n");
  const patterns = rules.docsPatterns
    .slice(0, MOST_PATTERNS)
    .map((pattern) => inlineCode(pattern, 80));
  const [label] = rules.ignoreLabels;
  const setLabel = label === undefined ? "" : `set the label ${inlineCode(label, 80)}, or `;
  const ways = [
    `Change the documentation in this pull request: a file that matches ${patterns.join(", ")}.`,
    ASK,
    `If it needs no documentation, ${setLabel}${EXCUSE}.`,
  ];
  return [
    `### ${head}`,
    ...notes,
    "Do one of these:",
    ways.map((way, nth) => `${nth + 1}. ${way}`).join("\n"),
    "A `/docs` request counts the next time the gate runs: for a push, a label or a review, or on its schedule.",
  ].join("\n\n");
}

/** What to do about a pull request that needs documentation, for the log. */
export function neededMessage({ number, reason }: PullVerdict): string {
  const { wayOut } = VERDICT_REASONS[reason.code];
  return `Pull request #${number} needs documentation: ${plainReason(reason)}. ${wayOut}`;
}
