/** What people read of a verdict: in the comment and in the summary. Text from outside stands only in code. */

import { type Link, pullLink } from "../github/news.ts";
import type { GateInputs } from "../inputs/gate.ts";
import { codeBlock, inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import { byVerdict, type Judged } from "./verdict.ts";

/** The verdict on a pull request. */
export interface PullVerdict extends Judged {
  number: number;
  url: string;
  /** What else there is to know, such as why there is no draft. */
  notes: string[];
}

export type ReportRules = Pick<GateInputs, "ifNeeded" | "ignoreLabels" | "docsPatterns">;

const MOST_PATTERNS = 5;
const REQUEST = "/docs Document this pull request.";

/** What the verdict is, in words. @param pull shows the docs pull request */
export function verdictText({ verdict, job }: Judged, why: string, pull: Link): string {
  switch (verdict) {
    case "not-needed":
      return `no documentation needed (${why})`;
    case "included":
      return `documentation included (${why})`;
    case "covered":
      return `covered by ${job?.prLink ? pull(job.prLink) : `a docs job (${why})`}`;
    case "needed":
      return `documentation needed (${why})`;
  }
}

/** With a sign before it, and what comes from outside in code. */
function line(judged: Judged, ifNeeded: GateInputs["ifNeeded"], title: string): string {
  const sign = judged.verdict !== "needed" ? "✅" : ifNeeded === "fail" ? "❌" : "⚠️";
  const why = inlineCode(judged.why.replaceAll("`", ""), 200);
  const pull: Link = (link) => pullLink("docs pull request", link) ?? "a docs pull request";
  return `${sign} ${title}${verdictText(judged, why, pull)}`;
}

/** The summary of a group of pull requests: those that need documentation come first. */
export function groupText(all: readonly PullVerdict[], { ifNeeded }: ReportRules): string {
  const needy = all.filter(({ verdict }) => verdict === "needed").length;
  const count = `${needy} of ${counted(all.length, "pull request")} ${needy === 1 ? "needs" : "need"}`;
  const sign = needy === 0 ? "✅" : ifNeeded === "fail" ? "❌" : "⚠️";
  const lines = byVerdict(all).map((it) => {
    const pull = pullLink("pull request", it.url) ?? `pull request #${it.number}`;
    return `- ${line(it, ifNeeded, `${pull}: `)}`;
  });
  return `### ${sign} Docs gate: ${count} documentation\n\n${lines.join("\n")}`;
}

/** The comment: one line, unless somebody has to do something. */
export function reportText(judged: PullVerdict, rules: ReportRules): string {
  const head = line(judged, rules.ifNeeded, "Docs gate: ");
  if (judged.verdict !== "needed") return [head, ...judged.notes].join("\n\n");
  const patterns = rules.docsPatterns.slice(0, MOST_PATTERNS).map((it) => inlineCode(it, 80));
  const label = inlineCode(rules.ignoreLabels[0] ?? "", 80);
  const ways = [
    `Change the documentation in this pull request: a file that matches ${patterns.join(", ")}.`,
    `Ask the documentation agent, with a new comment:\n\n   ${codeBlock(REQUEST).replaceAll("\n", "\n   ")}`,
    ...(label === "" ? [] : [`If it needs no documentation, set the label ${label}.`]),
  ];
  return [
    `### ${head}`,
    ...judged.notes,
    "Do one of these:",
    ways.map((way, nth) => `${nth + 1}. ${way}`).join("\n"),
    `A \`/docs\` that is asked for now counts at the gate's next run: a push, a label, a review, or *Re-run* on the check.`,
  ].join("\n\n");
}

/** For the comment on a pull request that was closed without merging. */
export function orphanText(prLink: string): string {
  const pull = pullLink("docs pull request", prLink) ?? "docs pull request";
  return `### Docs gate: this pull request was closed without merging\n\nThe ${pull} documents it and is no longer needed: close it.`;
}
