/** Writes what was found: outputs, log, summary. */

import type { Dependencies } from "../runtime/dependencies.ts";
import { counted } from "../text/sentence.ts";
import { type Finding, type FindingState, isBlocking, isReady, verdictOf } from "./findings.ts";

/** Of a step, GitHub shows 10 errors. */
const MOST_ERRORS = 8;

const ICONS: Record<FindingState, string> = { wrong: "❌", unknown: "❔", fine: "✅" };

/** What is wrong stands right below the headline. */
const FOLDED = { unknown: "Not known", fine: "Fine" };

/**
 * What keeps runs from working is an error. Anything else that is wrong is a warning: in the team workflow, runs go on
 * in spite of it.
 *
 * @returns whether the step fails
 */
export function report(findings: readonly Finding[], { outputs, log }: Dependencies): boolean {
  const verdict = verdictOf(findings);
  outputs.setOutput("verdict", verdict);
  outputs.setOutput("ready", String(isReady(findings)));
  outputs.setOutput("findings", JSON.stringify(findings.map(outputOf)));
  outputs.writeSummary(renderFindings(findings));
  const blocking = findings.filter(isBlocking);
  const errors = blocking.length > MOST_ERRORS ? blocking.slice(0, MOST_ERRORS - 1) : blocking;
  for (const finding of findings) {
    const { check, state } = finding;
    if (errors.includes(finding)) log.error(textOf(finding), check);
    else if (state === "wrong" && !isBlocking(finding)) log.warning(textOf(finding), check);
    else log.info(`${ICONS[state]} ${check}: ${textOf(finding)}`);
  }
  const others = blocking.length - errors.length;
  if (others > 0) log.error(`${others} more findings to correct are in the step summary.`);
  return verdict === "unwell";
}

/** A finding in the output `findings`, where no advice is an empty text. */
function outputOf({ check, state, what, advice }: Finding) {
  return { check, state, what, advice: advice ?? "" };
}

function textOf({ what, advice }: Finding): string {
  return advice === null ? what : `${what} ${advice}`;
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
    const next = advice === null ? "" : `<br>→ ${advice}`;
    return `- ${ICONS[state]} **${check}**: ${what}${next}`;
  });
  if (state === "wrong") return items.join("\n");
  const title = `${FOLDED[state]} (${findings.length})`;
  return `<details><summary>${title}</summary>\n\n${items.join("\n")}\n\n</details>`;
}
