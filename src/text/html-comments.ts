import MarkdownIt, { type StateInline, type Token } from "markdown-it";
import { areQuotationsCostly } from "./markdown.ts";

/** A comment within a line or paragraph, as every version of CommonMark has it. */
const COMMENT = /<!--(?!-?>)(?:(?!--)[\s\S])*-->/y;

const markdown = new MarkdownIt({ html: true });
markdown.validateLink = () => true;
markdown.normalizeLink = (address) => address;
markdown.core.ruler.enableOnly(["normalize", "block"]);
markdown.inline.ruler.before("html_inline", "comment", noteComment);
markdown.inline.ruler.enableOnly([
  "text",
  "newline",
  "escape",
  "backticks",
  "link",
  "image",
  "autolink",
  "comment",
  "html_inline",
]);
markdown.inline.ruler2.enableOnly([]);

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
  let kept = "";
  let position = from;
  for (const { start, end } of commentsIn(text)) {
    if (end <= position) continue;
    kept += text.slice(position, Math.max(position, start));
    position = end;
  }
  return kept + text.slice(position);
}

/** The comments of a text, in its order. */
function commentsIn(text: string): Range[] {
  if (!text.includes("<!--")) return [];
  const lines = text.split("\n");
  // Nobody writes this by hand, and parsing it could take as long as the whole run.
  if (areQuotationsCostly(lines)) return [];
  const offsets = offsetsOf(lines);
  const ranges: Range[] = [];
  for (const { type, map, content } of markdown.parse(text, {})) {
    const offset = offsets[map?.[0] ?? -1];
    if (map === null || offset === undefined || !content.includes("<!--")) continue;
    const source = lines.slice(map[0], map[1]);
    if (type === "html_block" && /^\s*<!--/.test(content)) {
      ranges.push(...blockComments(source.join("\n"), offset));
    }
    if (type === "inline") ranges.push(...commentsOfText(content, source, offset));
  }
  return ranges;
}

/** Those of a block that begins with one. */
function blockComments(source: string, offset: number): Range[] {
  const ranges: Range[] = [];
  for (let at = 0; ; ) {
    const start = source.indexOf("<!--", at);
    const last = start < 0 ? -1 : source.indexOf("-->", start + 4);
    if (last < 0) return ranges;
    at = last + 3;
    ranges.push({ start: offset + start, end: offset + at });
  }
}

/** Those of a paragraph. @param source its lines, of which its text lacks indentation and marks */
function commentsOfText(content: string, source: readonly string[], offset: number): Range[] {
  const inText = offsetsOf(content.split("\n"));
  const inSource = offsetsOf(source);
  /** For each line of the text, what to add to a position in it. */
  const shifts = content.split("\n").map((line, index) => {
    const { [index]: whole = "" } = source;
    const at = whole.trimEnd().endsWith(line.trimEnd())
      ? whole.trimEnd().length - line.trimEnd().length
      : whole.indexOf(line);
    const start = inText[index];
    const base = inSource[index];
    return at < 0 || start === undefined || base === undefined ? null : offset + base + at - start;
  });
  // Positions are placed in their order.
  let line = 0;
  const placed = (position: number): number | null => {
    while ((inText[line + 1] ?? Number.POSITIVE_INFINITY) <= position) line += 1;
    const shift = shifts[line] ?? null;
    return shift === null ? null : position + shift;
  };
  return inlineComments(content).flatMap((range) => {
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

function inlineComments(content: string): Range[] {
  const tokens: Token[] = [];
  markdown.inline.parse(content, markdown, {}, tokens);
  return tokens.flatMap(({ type, meta }) =>
    type === "comment" ? [{ start: Number(meta?.start), end: Number(meta?.end) }] : [],
  );
}

/** The parser calls its rules only at positions that it reads as text: never in code, HTML or URLs. */
function noteComment(state: StateInline, isSilent: boolean): boolean {
  COMMENT.lastIndex = state.pos;
  const [comment] = COMMENT.exec(state.src) ?? [];
  const end = state.pos + (comment?.length ?? 0);
  if (comment === undefined || end > state.posMax) return false;
  if (!isSilent) state.push("comment", "", 0).meta = { start: state.pos, end };
  state.pos = end;
  return true;
}
