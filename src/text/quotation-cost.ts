/** Maximum number of lines that the parser may read again, in total. It takes a second for about ten times as many. */
const MAX_LINES = 500_000;

/** The marks of quotations and lists at the start of a line. */
const PREFIX = /^(?:[\s>]|[-+*]\s|\d{1,9}[.)]\s)*/;

/**
 * Whether the parser needs much time for the quotations of a Markdown text. If a line continues a quotation without
 * its mark, the parser reads up to the next empty line to find the end, and then continues where the quotation ended.
 * In a text of only such lines, it reads nearly the whole text each time.
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

/** The number of quotation marks at the start of a line. */
function depthOf(line: string): number {
  const [prefix = ""] = PREFIX.exec(line) ?? [];
  return prefix.split(">").length - 1;
}
