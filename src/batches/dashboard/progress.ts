import { counted } from "../../text/sentence.ts";

/**
 * The counts that are not zero: `41 of 43 changes documented, 1 in review`, or `3 changes: 2 in review, 1 waiting`.
 *
 * @param counts the first one is the aim
 * @param noun such as `change`
 */
export function progressText(counts: Readonly<Record<string, number>>, noun: string): string {
  const [aim = ""] = Object.keys(counts);
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  let total = 0;
  for (const [, count] of parts) total += count;
  if (total === 0) return `no ${noun}s`;
  const all = counted(total, noun);
  const texts = parts.map(([name, count]) => {
    const words = count === 1 ? name.toLowerCase() : name.toLowerCase().replace(/^needs/, "need");
    return `${name === aim ? `${count} of ${all}` : count} ${words}`;
  });
  return `${parts[0]?.[0] === aim ? "" : `${all}: `}${texts.join(", ")}`;
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
