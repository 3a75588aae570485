/** A section of the dashboard: what is too much for it is counted. */
export interface DashboardSection {
  title: string;
  intro: string;
  lines: string[];
  more: number;
}

/**
 * @param max how many lines it shows
 * @param more how many lines there are beside those given
 */
export function section(
  title: string,
  lines: readonly string[],
  { intro = "", max, more = 0 }: { intro?: string; max: number; more?: number },
): DashboardSection {
  const left = Math.max(0, lines.length - max);
  return { title, intro, lines: lines.slice(0, max), more: left + more };
}

/**
 * The text of a dashboard: head, sections, tail. What is too long loses lines from the sections at the
 * bottom first.
 *
 * @param most characters
 */
export function joinSections(
  { head, sections, tail }: { head: string; sections: DashboardSection[]; tail: string },
  most: number,
): string {
  const kept = sections.map((it) => ({ ...it, lines: [...it.lines] }));
  const whole = () =>
    [head, ...kept.map(sectionText), tail].filter((part) => part !== "").join("\n\n");
  while (whole().length > most) {
    const longest = kept.findLast(({ lines }) => lines.length > 5) ?? kept.findLast(hasLines);
    if (longest === undefined) break;
    const cut = Math.ceil(longest.lines.length / 2);
    longest.more += cut;
    longest.lines.splice(longest.lines.length - cut);
  }
  return whole();
}

function hasLines({ lines }: DashboardSection): boolean {
  return lines.length > 0;
}

function sectionText({ title, intro, lines, more }: DashboardSection): string {
  if (lines.length === 0 && more === 0) return "";
  const head = intro === "" ? `## ${title}` : `## ${title}\n\n${intro}`;
  return `${head}\n\n${[...lines, ...moreLines(more)].join("\n")}`;
}

/** Says how many of a list are not shown; none if all are. */
export function moreLines(more: number): string[] {
  return more > 0 ? [`- … and ${more} more`] : [];
}
