import { counted } from "./sentence.ts";

/** Colours for the meaning of a slice: dark enough for white text, and visible on a dark page. */
const COLORS = {
  good: "#1a7f37",
  "at work": "#0969da",
  "at rest": "#59636e",
  wrong: "#cf222e",
} as const;

type SliceMeaning = keyof typeof COLORS;

export interface Slice {
  name: string;
  meaning: SliceMeaning;
  count: number;
}

/**
 * The counts of all slices as a sentence, for example `41 of 43 changes documented, 1 in review, 1 needs a decision`.
 *
 * @param what the noun in the singular, such as `change`
 */
export function progressText(slices: readonly Slice[], what: string): string {
  const all = slices.reduce((sum, { count }) => sum + count, 0);
  const told = slices.flatMap(({ name, count }, index) => {
    const words = count === 1 ? name.toLowerCase() : name.toLowerCase().replace(/^needs/, "need");
    if (index === 0) return `${count} of ${counted(all, what)} ${words}`;
    return count === 0 ? [] : `${count} ${words}`;
  });
  return told.join(", ");
}

/**
 * A pie chart for Mermaid, in Markdown; empty for fewer than two slices. The largest slice comes first,
 * because some versions of Mermaid sort the slices before they colour them.
 */
export function renderPie(all: readonly Slice[]): string {
  const slices = all.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  if (slices.length < 2) return "";
  const themeVariables = {
    ...Object.fromEntries(slices.map(({ meaning }, index) => [`pie${index + 1}`, COLORS[meaning]])),
    pieSectionTextColor: "#ffffff",
    pieOpacity: "1",
    pieStrokeWidth: "0px",
    pieOuterStrokeWidth: "0px",
  };
  const lines = slices.map(({ name, count }) => `  "${name}" : ${count}`);
  const settings = `%%{init: ${JSON.stringify({ themeVariables })}}%%`;
  return ["```mermaid", settings, "pie showData", ...lines, "```"].join("\n");
}
