import { listed } from "../../text/markdown.ts";

/** A section of the dashboard. */
export interface Section {
  title: string;
  /** What stands above the items; empty for nothing. */
  intro: string;
  /** One per line; an item may have more lines. */
  items: string[];
  /** How many items there are beside those. */
  more: number;
}

/** @param most how many items it shows */
export function section(
  title: string,
  items: readonly string[],
  most: number,
  intro = "",
): Section {
  const more = Math.max(0, items.length - most);
  return { title, intro, items: items.slice(0, most), more };
}

/** How many items a section keeps as long as another one has more. */
const KEPT = 5;

/**
 * The text of a dashboard: head, sections, tail. If it is too long, sections at the bottom lose items first.
 *
 * @param longest in characters
 */
export function joinSections(
  head: string,
  sections: readonly Section[],
  tail: string,
  longest: number,
): string {
  const kept = sections.map((it) => ({ ...it, items: [...it.items] }));
  const whole = () =>
    [head, ...kept.map(sectionText), tail].filter((part) => part !== "").join("\n\n");
  while (whole().length > longest) {
    const least = kept.some(({ items }) => items.length > KEPT) ? KEPT : 0;
    const cut = kept.findLast(({ items }) => items.length > least);
    if (cut === undefined) break;
    const count = Math.ceil((cut.items.length - least) / 2);
    cut.more += count;
    cut.items.splice(cut.items.length - count);
  }
  return whole();
}

function sectionText({ title, intro, items, more }: Section): string {
  if (items.length === 0 && more === 0) return "";
  const head = intro === "" ? [`## ${title}`] : [`## ${title}`, intro];
  return [...head, listed(items, items.length, more).join("\n")].join("\n\n");
}
