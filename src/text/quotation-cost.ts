/** The most lines that a parser may read over again, in all. It takes a second for about ten times as many. */
const MAX_LINES = 500_000;

/** What a line begins with in quotations and lists. */
const PREFIX = /^(?:[\s>]|[-+*]\s|\d{1,9}[.)]\s)*/;

/**
 * Whether the quotations of a Markdown text are written so that its parser would take long for them. Where
 * a line goes on without a quotation's mark, the parser reads up to the next empty line to find its end, and
 * begins again where it ended: in a text of such lines alone, each time over nearly all of it.
 */
export function areQuotationsCostly(lines: readonly string[]): boolean {
  let cost = 0;
  let paragraphEnd = lines.length;
  let depthBelow = 0;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] ?? "";
    if (line.trim() === "") {
      paragraphEnd = index;
      depthBelow = 0;
      continue;
    }
    const depth = depthOf(line);
    if (depth > depthBelow && index + 1 < paragraphEnd) cost += paragraphEnd - index;
    depthBelow = depth;
  }
  return cost > MAX_LINES;
}

/** In how many quotations a line says that it is. */
function depthOf(line: string): number {
  const [prefix = ""] = PREFIX.exec(line) ?? [];
  return prefix.split(">").length - 1;
}
