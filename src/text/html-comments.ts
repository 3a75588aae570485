import type { StateInline, Token } from "markdown-it";
import { areQuotationsCostly } from "./markdown.ts";
import { textParser } from "./text-parser.ts";

/** Whether it is a comment or text what only some parsers take for a comment, and what an open one hides. */
type Doubt = "text" | "comment";

/** A comment within a line or paragraph: as every version of CommonMark has it, or as any has it. */
const COMMENT: Record<Doubt, RegExp> = {
  text: /<!--(?!-?>)(?:(?!--)[\s\S])*-->/y,
  comment: /<!--(?:-?>|[\s\S]*?-->)/y,
};

/** The comments and tags of HTML, as browsers have them. */
const IN_HTML = new RegExp(
  [
    `</?[a-z](?:=\\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$))|=(?!\\s*["'])|[^=>])*(?:>|$)`,
    "(?<comment><!--(?:-?>|[\\s\\S]*?--!?>))",
    "(?<open><!--[\\s\\S]*)",
    "(?<bogus><(?:[!?]|/(?!>))[^>]*(?:>|$))",
  ].join("|"),
  "gi",
);

const markdown = textParser("comment", "html_inline", noteComment);

/** A part of a text. */
interface Range {
  start: number;
  end: number;
}

/**
 * A Markdown text without its HTML comments, which readers of the page do not see. What begins like one in code, or has
 * no end, is text.
 *
 * @param text with `\n` at the end of lines
 * @param from where the part begins that is returned
 */
export function withoutComments(text: string, from = 0): string {
  return textBetween(commentsIn(text, "text"), text, from);
}

/**
 * The same without all that readers may not see: where parsers differ in what a comment is, and after one in a block of
 * HTML that has no end.
 *
 * @param text with `\n` at the end of lines
 */
export function withoutHidden(text: string): string {
  return textBetween(commentsIn(text, "comment"), text, 0);
}

/** Whether something in a text may begin what is not seen, for which the parser is needed. */
function mayHide(text: string): boolean {
  return /<(?:[!?]|\/[^a-z>])/i.test(text);
}

/** What is between ranges, which may overlap. @param ranges in the order in which they start */
function textBetween(ranges: readonly Range[], text: string, from: number): string {
  let kept = "";
  let position = from;
  for (const { start, end } of ranges) {
    if (end <= position) continue;
    kept += text.slice(position, Math.max(position, start));
    position = end;
  }
  return kept + text.slice(position);
}

/** The comments of a text, in its order. */
function commentsIn(text: string, doubt: Doubt): Range[] {
  const isBegun = (part: string) => part.includes("<!--") || (doubt === "comment" && mayHide(part));
  if (!isBegun(text)) return [];
  const lines = text.split("\n");
  // Nobody writes this by hand, and parsing it could take as long as the whole run.
  if (areQuotationsCostly(lines)) {
    return doubt === "text" ? [] : likelyComments(text, { start: 0, end: text.length });
  }
  const offsets = offsetsOf(lines);
  const partOf = ([first, last]: readonly [number, number]): Range => ({
    start: offsets[first] ?? text.length,
    end: (offsets[last] ?? text.length + 1) - 1,
  });
  const ranges: Range[] = [];
  /** The row whose cells follow, which have no place of their own; null once its comments are found. */
  let row: Range | null = null;
  /** Where a comment begins that only HTML or a comment below can end: what looks like its end in text is none. */
  let open: number | null = null;
  for (const { type, map, content } of markdown.parse(text, {})) {
    if (type === "tr_open") row = map && partOf(map);
    if (type === "html_block" && map !== null) {
      const found = commentsOfHtml(text, partOf(map), doubt, open);
      ranges.push(...found.ranges);
      open = found.open;
    }
    if (type !== "inline" || !isBegun(content)) continue;
    if (map !== null) {
      const found = commentsOfText(content, lines.slice(...map), partOf(map).start, doubt);
      const [first] = found;
      if (open !== null && first !== undefined) {
        ranges.push({ start: open, end: first.end });
        open = null;
      }
      ranges.push(...found);
    } else if (row !== null && doubt === "comment" && inlineComments(content, doubt).length > 0) {
      ranges.push(...likelyComments(text, row));
      row = null;
    }
  }
  return open === null ? ranges : [...ranges, { start: open, end: text.length }];
}

/** What looks like one in a part of a text, whatever is around it. */
function likelyComments(text: string, { start, end }: Range): Range[] {
  const matches = text.slice(start, end).matchAll(/<!--[\s\S]*?(?:-->|$)/g);
  return Array.from(matches, ({ 0: whole, index }) => {
    return { start: start + index, end: start + index + whole.length };
  });
}

/**
 * Those of a part of a text that is HTML, and where one begins that does not end in it. With doubt, all that browsers
 * take for a comment is one; without, one that does not end is text.
 *
 * @param open where one begins that did not end before it
 */
function commentsOfHtml(text: string, part: Range, doubt: Doubt, open: number | null) {
  const ranges: Range[] = [];
  let { start: from } = part;
  if (open !== null) {
    const end = /--!?>/.exec(text.slice(from, part.end));
    if (end === null) return { ranges, open };
    from += end.index + end[0].length;
    ranges.push({ start: open, end: from });
  }
  for (const { 0: whole, index, groups = {} } of text.slice(from, part.end).matchAll(IN_HTML)) {
    const start = from + index;
    if (groups.open !== undefined) return { ranges, open: doubt === "comment" ? start : null };
    if (groups.comment !== undefined || (groups.bogus !== undefined && doubt === "comment")) {
      ranges.push({ start, end: start + whole.length });
    }
  }
  return { ranges, open: null };
}

/** Those of a paragraph. @param source its lines, of which its text lacks indentation and marks */
function commentsOfText(
  content: string,
  source: readonly string[],
  offset: number,
  doubt: Doubt,
): Range[] {
  const inText = offsetsOf(content.split("\n"));
  const inSource = offsetsOf(source);
  /** For each line of the text, what to add to a position in it. Tabs before it may have become spaces. */
  const shifts = content.split("\n").map((line, index) => {
    const { [index]: whole = "" } = source;
    const isAtEnd = whole.trimEnd().endsWith(line.trim());
    const at = isAtEnd ? whole.trimEnd().length - line.trimEnd().length : whole.indexOf(line);
    const start = inText[index];
    const base = inSource[index];
    if (start === undefined || base === undefined || (at < 0 && !isAtEnd)) return null;
    return offset + base + at - start;
  });
  // Positions are placed in their order.
  let line = 0;
  const placed = (position: number): number | null => {
    while ((inText[line + 1] ?? Number.POSITIVE_INFINITY) <= position) line += 1;
    const shift = shifts[line] ?? null;
    return shift === null ? null : position + shift;
  };
  return inlineComments(content, doubt).flatMap((range) => {
    const start = placed(range.start);
    const end = placed(range.end);
    return start === null || end === null ? [] : [{ start, end }];
  });
}

/** Where each line begins. */
function offsetsOf(lines: readonly string[]): number[] {
  let offset = 0;
  return lines.map((line) => {
    const start = offset;
    offset += line.length + 1;
    return start;
  });
}

function inlineComments(content: string, doubt: Doubt): Range[] {
  const tokens: Token[] = [];
  // Where the last comment may end.
  const last = content.lastIndexOf("-->");
  markdown.inline.parse(content, markdown, { doubt, last }, tokens);
  return tokens.flatMap(({ type, meta }) =>
    type === "comment" ? [{ start: Number(meta?.start), end: Number(meta?.end) }] : [],
  );
}

function noteComment(state: StateInline, isSilent: boolean): boolean {
  const { doubt, last } = state.env;
  if (state.pos > Number(last)) return false;
  const pattern = doubt === "comment" ? COMMENT.comment : COMMENT.text;
  pattern.lastIndex = state.pos;
  const [comment] = pattern.exec(state.src) ?? [];
  const end = state.pos + (comment?.length ?? 0);
  if (comment === undefined || end > state.posMax) return false;
  if (!isSilent) state.push("comment", "", 0).meta = { start: state.pos, end };
  state.pos = end;
  return true;
}
