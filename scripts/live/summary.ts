import type { TrialResult } from "./trial.ts";

/** What was tried, as Markdown: what differs comes first. */
export function summaryOf({ tried, leftOver }: TrialResult): string {
  const wrong = tried.filter(({ holds }) => !holds);
  const right = tried.filter(({ holds }) => holds);
  const title =
    wrong.length === 0
      ? `GitHub does as believed in all ${tried.length} trials`
      : `GitHub does otherwise in ${wrong.length} of ${tried.length} trials`;
  const rows = [...wrong, ...right].map(({ habit, believed, answered, holds }) =>
    [holds ? "✅" : "❌", habit, believed.join(" or "), answered].map(cell).join(" | "),
  );
  const left = leftOver.map((problem) => `- ${problem}`);
  return [
    `## ${title}`,
    ["|  | What was tried | Believed | Answered |", "| --- | --- | --- | --- |"].join("\n") +
      rows.map((row) => `\n| ${row} |`).join(""),
    ...(left.length === 0 ? [] : ["What the trial could not take away:", left.join("\n")]),
    "",
  ].join("\n\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}
