import { counted } from "../../text/sentence.ts";

/** The counts, for example `41 of 43 changes documented, 1 in review`. @param noun such as `change` */
export function progressText(counts: Readonly<Record<string, number>>, noun: string): string {
  let total = 0;
  for (const count of Object.values(counts)) total += count;
  const parts: string[] = [];
  for (const [name, count] of Object.entries(counts)) {
    const words = count === 1 ? name.toLowerCase() : name.toLowerCase().replace(/^needs/, "need");
    // The first count is shown even if it is zero.
    if (parts.length === 0) parts.push(`${count} of ${counted(total, noun)} ${words}`);
    else if (count > 0) parts.push(`${count} ${words}`);
  }
  return parts.join(", ");
}

/** Of a chart's slices: dark enough for white text, and visible on a dark page, which Mermaid's own are not. */
const COLORS = ["#1a7f37", "#0969da", "#8250df", "#59636e", "#cf222e", "#9a6700", "#1b7c83"];

/** A pie chart for Mermaid, in Markdown; empty for fewer than two slices. */
export function renderPie(counts: Readonly<Record<string, number>>): string {
  const slices = Object.entries(counts).filter(([, count]) => count > 0);
  if (slices.length < 2) return "";
  const colors = COLORS.map((color, nth) => [`pie${nth + 1}`, color]);
  const text = { pieSectionTextColor: "#ffffff", pieOpacity: "1" };
  const themeVariables = { ...Object.fromEntries(colors), ...text };
  const settings = `%%{init: ${JSON.stringify({ themeVariables })}}%%`;
  const lines = slices.map(([name, count]) => `  "${name}" : ${count}`);
  return ["```mermaid", settings, "pie showData", ...lines, "```"].join("\n");
}
