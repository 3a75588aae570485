/** Writes what was found: outputs, log, summary. */

import type { Dependencies } from "../runtime/dependencies.ts";
import { counted } from "../text/sentence.ts";
import { type Finding, type FindingState, verdictOf } from "./findings.ts";

const ICONS: Record<FindingState, string> = { wrong: "❌", unknown: "❔", fine: "✅" };

const HEADINGS: Record<FindingState, string> = {
  wrong: "To correct",
  unknown: "Not known",
  fine: "Fine",
};

/** @returns whether the step fails */
export function report(
  findings: readonly Finding[],
  { outputs, log }: Pick<Dependencies, "outputs" | "log">,
): boolean {
  const verdict = verdictOf(findings);
  outputs.setOutput("verdict", verdict);
  outputs.setOutput("findings", JSON.stringify(findings));
  outputs.writeSummary(renderFindings(findings));
  for (const { check, state, what, advice } of findings) {
    const text = advice === "" ? what : `${what} ${advice}`;
    if (state === "wrong") log.error(text, check);
    else log.info(`${ICONS[state]} ${check}: ${text}`);
  }
  return verdict === "unwell";
}

export function renderFindings(findings: readonly Finding[]): string {
  const wrong = findings.filter(({ state }) => state === "wrong").length;
  const heading =
    wrong === 0
      ? "### ✅ Docs doctor: nothing is wrong"
      : `### ❌ Docs doctor: ${counted(wrong, "thing")} to correct`;
  const sections = (["wrong", "unknown", "fine"] as const).map((state) =>
    section(
      state,
      findings.filter((finding) => finding.state === state),
    ),
  );
  return [heading, ...sections].filter((part) => part !== "").join("\n\n");
}

function section(state: FindingState, findings: readonly Finding[]): string {
  if (findings.length === 0) return "";
  const items = findings.map(({ check, what, advice }) => {
    const next = advice === "" ? "" : `<br>→ ${advice}`;
    return `- ${ICONS[state]} **${check}**: ${what}${next}`;
  });
  if (state === "wrong") return [`#### ${HEADINGS[state]}`, items.join("\n")].join("\n\n");
  const title = `${HEADINGS[state]} (${findings.length})`;
  return `<details><summary>${title}</summary>\n\n${items.join("\n")}\n\n</details>`;
}
