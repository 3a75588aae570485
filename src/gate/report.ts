/** What people read of a verdict: in the comment and in the summary. Text from outside stands only in code. */

import type { GateInputs } from "../inputs/gate.ts";
import { pullLink } from "../ledger/dashboard/change-text.ts";
import { codeBlock, inlineCode } from "../text/markdown.ts";
import type { Judged } from "./verdict.ts";

/** The verdict on a pull request. */
export interface PullVerdict extends Judged {
  number: number;
  /** What else there is to know, such as why there is no draft. */
  notes: string[];
}

export type ReportRules = Pick<GateInputs, "ifNeeded" | "ignoreLabels" | "docsPatterns">;

const MOST_PATTERNS = 5;
const REQUEST = "/docs Document this pull request.";

/** What the verdict is, in one line. */
export function headline({ verdict, why, job }: Judged, ifNeeded: GateInputs["ifNeeded"]): string {
  const quoted = inlineCode(why.replaceAll("`", ""), 200);
  switch (verdict) {
    case "not-needed":
      return `✅ Docs gate: no documentation needed (${quoted})`;
    case "included":
      return `✅ Docs gate: documentation included (${quoted})`;
    case "covered": {
      const pull = pullLink("docs pull request", job?.prLink ?? null);
      return `✅ Docs gate: covered by ${pull ?? `a docs job (${quoted})`}`;
    }
    case "needed":
      return `${ifNeeded === "fail" ? "❌" : "⚠️"} Docs gate: documentation needed (${quoted})`;
  }
}

/** The comment: one line, unless somebody has to do something. */
export function reportText(judged: PullVerdict, rules: ReportRules): string {
  const line = headline(judged, rules.ifNeeded);
  if (judged.verdict !== "needed") return [line, ...judged.notes].join("\n\n");
  const patterns = rules.docsPatterns.slice(0, MOST_PATTERNS).map((it) => inlineCode(it, 80));
  const label = inlineCode(rules.ignoreLabels[0] ?? "", 80);
  const ways = [
    `Change the documentation in this pull request: a file that matches ${patterns.join(", ")}.`,
    `Ask the documentation agent, with a new comment:\n\n   ${codeBlock(REQUEST).replaceAll("\n", "\n   ")}`,
    ...(label === "" ? [] : [`If it needs no documentation, set the label ${label}.`]),
  ];
  return [
    `### ${line}`,
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
