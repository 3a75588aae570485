import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { BREAK, decode, escapeText, startLines, withoutComments } from "./escape-markdown.ts";
import { inline } from "./inert-inline.ts";
import { codeBlock, visible } from "./markdown.ts";

/** Deeper lists and quotations are shown as plain text. */
const MAX_DEPTH = 8;
/** A block that has to be cut is not shown at all when no more than so many characters of it fit. */
const MIN_CUT = 100;
/** Languages whose blocks GitHub does not show as code, but draws, or offers to apply. */
const DRAWN = new Set(["mermaid", "geojson", "topojson", "stl", "math", "suggestion"]);

/** Markdown that GitHub shows as its author meant it, and that does nothing. */
export interface Inert {
  markdown: string;
  isCut: boolean;
}

/**
 * Markdown from outside, written anew: its structure stays, and every text in it is escaped. So it
 * mentions, references and closes nothing, holds no HTML, no image and no hidden comment, and links
 * nowhere but to `https:` addresses (`http:` on loopback).
 *
 * @param room how many characters the result may have; what does not fit is left out, from the end
 */
export function renderInert(markdown: string, room: number): Inert {
  // Nothing beyond the room can be shown, and a parser's time is bounded by what it is given.
  const shown = visible(markdown);
  const source = shown.slice(0, room).toWellFormed();
  const isShortened = source.length < shown.length;
  try {
    const inert = renderWithin(lexer(source), room);
    return { markdown: inert.markdown, isCut: inert.isCut || isShortened };
  } catch (error) {
    // Nested so deep that the parser's own stack is not enough.
    if (!(error instanceof RangeError)) throw error;
    const length = Math.max(0, Math.floor(room / 3));
    return { markdown: codeBlock(source, length), isCut: isShortened || source.length > length };
  }
}

function renderWithin(tokens: readonly Token[], room: number): Inert {
  const blocks: string[] = [];
  let left = room;
  for (const token of tokens) {
    const block = renderBlock(token as MarkedToken, 0);
    if (block === "") continue;
    if (block.length > left) {
      const piece = renderPiece(token.raw, left);
      return { markdown: [...blocks, piece].filter(Boolean).join("\n\n"), isCut: true };
    }
    blocks.push(block);
    left -= block.length + 2;
  }
  return { markdown: blocks.join("\n\n"), isCut: false };
}

/** As much of a block's beginning as fits, by halves: escaping makes it longer by an unknown factor. */
function renderPiece(raw: string, room: number): string {
  for (
    let length = Math.min(raw.length, room);
    length >= MIN_CUT;
    length = Math.floor(length / 2)
  ) {
    const text = raw.slice(0, length).toWellFormed();
    const piece = renderBlocks(lexer(`${text}…`), 0);
    if (piece.length <= room) return piece;
  }
  return "";
}

function renderBlocks(tokens: readonly Token[], depth: number): string {
  return tokens
    .map((token) => renderBlock(token as MarkedToken, depth))
    .filter((block) => block !== "")
    .join("\n\n");
}

function renderBlock(token: MarkedToken, depth: number): string {
  if (depth > MAX_DEPTH) return startLines(escapeText(token.raw));
  switch (token.type) {
    case "heading":
      // Below the comment's own heading.
      return `${"#".repeat(Math.min(6, token.depth + 3))} ${onOneLine(inline(token.tokens))}`;
    case "paragraph":
      return startLines(inline(token.tokens));
    case "text":
      return startLines(
        token.tokens === undefined ? escapeText(decode(token.text)) : inline(token.tokens),
      );
    case "code":
      return codeBlock(token.text, Number.POSITIVE_INFINITY, language(token.lang));
    case "blockquote":
      return prefixed(renderBlocks(token.tokens, depth + 1), "> ", "> ");
    case "list":
      return renderList(token, depth);
    case "table":
      return renderTable(token);
    case "hr":
      return "---";
    case "html":
      return startLines(escapeText(withoutComments(token.text)));
    case "checkbox":
      return token.checked ? "☑" : "☐";
    default:
      return "";
  }
}

function renderList(list: Tokens.List, depth: number): string {
  const first = Number.isSafeInteger(list.start) ? Number(list.start) : 1;
  const items = list.items.map((item, index) => {
    const marker = list.ordered ? `${(first + index) % 1_000_000_000}. ` : "- ";
    const text = renderItem(item, depth + 1);
    return prefixed(text === "" ? BREAK : text, marker, " ".repeat(marker.length));
  });
  return items.join(list.loose ? "\n\n" : "\n");
}

/** In a list whose items are close together, a list in an item follows its text without a gap. */
function renderItem(item: Tokens.ListItem, depth: number): string {
  let text = "";
  for (const token of item.tokens as MarkedToken[]) {
    const block = renderBlock(token, depth);
    if (block === "") continue;
    const isClose = !item.loose && token.type === "list" && (!token.ordered || token.start === 1);
    const gap = text === "" ? "" : text === "☐" || text === "☑" ? " " : isClose ? "\n" : "\n\n";
    text += gap + block;
  }
  return text;
}

function renderTable({ header, align, rows }: Tokens.Table): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const cell = ({ tokens }: Tokens.TableCell) => onOneLine(inline(tokens, { isInTable: true }));
  const rules = align.map((side) => {
    if (side === "center") return ":-:";
    return side === "right" ? "--:" : "---";
  });
  return [row(header.map(cell)), row(rules), ...rows.map((cells) => row(cells.map(cell)))].join(
    "\n",
  );
}

function prefixed(text: string, first: string, others: string): string {
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? first : others) + line)
    .map((line) => line.trimEnd())
    .join("\n");
}

function onOneLine(markdown: string): string {
  return markdown.replace(/\\?\n/g, " ").trim();
}

/** A code block's language, if it is one that changes nothing but colours. */
function language(info: string | undefined): string {
  const [name = ""] = /^[\w+#.-]{1,30}(?=\s|$)/.exec(info ?? "") ?? [];
  return name === "" || DRAWN.has(name.toLowerCase()) ? "text" : name;
}
