/** Renders verdicts. Text from outside appears only as code. */

import { pullLink } from "../github/conversation/news.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import { byVerdict, type GateRules, isRed, type PullVerdict } from "./verdict.ts";

const MOST_PATTERNS = 5;
/** Longest reason in a comment, in characters. */
const LONGEST_REASON = 200;

/** The verdict in words. @param reason as it is to be shown */
export function verdictText({ verdict, job }: PullVerdict, reason: string): string {
  if (job?.prLink && verdict === "covered") {
    return `covered by ${pullLink("docs pull request", job.prLink)}`;
  }
  if (verdict === "covered") return `covered by a docs job (${reason})`;
  if (verdict === "not-needed") return `no documentation needed (${reason})`;
  return verdict === "excused" ? `excused by ${reason}` : `documentation ${verdict} (${reason})`;
}

function signOf(judged: Pick<PullVerdict, "verdict">, rules: GateRules): string {
  if (judged.verdict !== "needed") return "✅";
  return isRed(judged, rules) ? "❌" : "⚠️";
}

/** The verdict with a sign before it, and text from outside as code. */
function line(judged: PullVerdict, rules: GateRules, title: string): string {
  const reason = inlineCode(judged.reason.replaceAll("`", ""), LONGEST_REASON);
  return `${signOf(judged, rules)} ${title}${verdictText(judged, reason)}`;
}

/** The summary of several pull requests: those that need documentation come first. */
export function groupText(all: readonly PullVerdict[], rules: GateRules): string {
  const undocumented = all.filter(({ verdict }) => verdict === "needed").length;
  const verb = undocumented === 1 ? "needs" : "need";
  const count = `${undocumented} of ${counted(all.length, "pull request")} ${verb}`;
  const sign = signOf({ verdict: undocumented === 0 ? "covered" : "needed" }, rules);
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
  if (judged.verdict !== "needed") return [head, ...judged.notes].join("\n\n");
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
    ...judged.notes,
    "Do one of these:",
    ways.map((way, nth) => `${nth + 1}. ${way}`).join("\n"),
    "A `/docs` request counts the next time the gate runs: for a push, a label or a review, or on its schedule.",
  ].join("\n\n");
}
