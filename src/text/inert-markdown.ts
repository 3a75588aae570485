import { BREAK, escapeText, startLines, withoutComments } from "./escape-markdown.ts";
import { attributeOf, inline } from "./inert-inline.ts";
import { codeBlock, visible } from "./markdown.ts";
import { type Block, type Document, parseMarkdown } from "./parse-markdown.ts";
import { areQuotationsCostly } from "./quotation-cost.ts";

/** Deeper lists and quotations are shown as plain text. */
const MAX_DEPTH = 8;
/** A block that has to be cut is not shown at all when no more than so many characters of it fit. */
const MIN_CUT = 100;
/** What a block of code has besides its text and two runs of backticks as long as that, in characters. */
const OWN_SIGNS = 20;
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
  const inert = areQuotationsCostly(source.split("\n"))
    ? renderAsCode(source, room)
    : renderWithin(parseMarkdown(source), room);
  return { markdown: inert.markdown, isCut: inert.isCut || source.length < shown.length };
}

/** As much of a text as fits into a block of code, whose fences may be as long as any text in it. */
function renderAsCode(source: string, room: number): Inert {
  const length = Math.floor((room - OWN_SIGNS) / 3);
  return length < MIN_CUT
    ? { markdown: "", isCut: true }
    : { markdown: codeBlock(source, length), isCut: source.length > length };
}

function renderWithin(document: Document, room: number): Inert {
  const blocks: string[] = [];
  let left = room;
  for (const block of document.blocks) {
    const rendered = renderBlock(document, block, 0);
    if (rendered === "") continue;
    if (rendered.length > left) {
      const piece = renderPiece(document.source(block), rendered.length, left);
      return { markdown: [...blocks, piece].filter(Boolean).join("\n\n"), isCut: true };
    }
    blocks.push(rendered);
    left -= rendered.length + 2;
  }
  return { markdown: blocks.join("\n\n"), isCut: false };
}

/**
 * As much of a block's beginning as fits, by halves: parts of it become longer by different factors.
 *
 * @param rendered length of the whole block when it is rendered
 */
function renderPiece(source: string, rendered: number, room: number): string {
  for (
    let length = Math.floor(Math.min(source.length, (source.length * room) / rendered));
    length >= MIN_CUT;
    length = Math.floor(length / 2)
  ) {
    const text = source.slice(0, length).toWellFormed();
    const document = parseMarkdown(`${text}…`);
    const piece = renderBlocks(document, document.blocks, 0);
    if (piece.length <= room) return piece;
  }
  return "";
}

function renderBlocks(document: Document, blocks: readonly Block[], depth: number): string {
  return blocks
    .map((block) => renderBlock(document, block, depth))
    .filter((block) => block !== "")
    .join("\n\n");
}

function renderBlock(document: Document, block: Block, depth: number): string {
  if (depth > MAX_DEPTH) return renderSource(document.source(block));
  const { type, token, children } = block;
  switch (type) {
    case "heading":
      // Below the comment's own heading.
      return `${"#".repeat(Math.min(6, Number(token.tag.slice(1)) + 3))} ${onOneLine(text(block))}`;
    case "paragraph":
      return startLines(text(block));
    case "fence":
    case "code_block":
      return codeBlock(token.content, Number.POSITIVE_INFINITY, language(token.info));
    case "blockquote":
      return prefixed(renderBlocks(document, children, depth + 1), "> ", "> ");
    case "bullet_list":
    case "ordered_list":
      return renderList(document, block, depth);
    case "table":
      return renderTable(block);
    case "hr":
      return "---";
    case "html_block":
      return startLines(escapeText(withoutComments(token.content)));
    default:
      return "";
  }
}

/** What nests too deep, without the marks of what it stands in. */
function renderSource(source: string): string {
  const marks = /^(?:[\s>]|[-+*]\s|\d{1,9}[.)]\s)+/gm;
  return startLines(escapeText(withoutComments(source.replace(marks, ""))));
}

/** The text of a paragraph, heading or cell. */
function text({ children }: Block, isInTable = false): string {
  return children
    .map(({ token }) =>
      token.children === null ? escapeText(token.content) : inline(token.children, { isInTable }),
    )
    .join("");
}

function renderList(document: Document, list: Block, depth: number): string {
  const isOrdered = list.type === "ordered_list";
  const isLoose = list.children.some(isLooseItem);
  const first = firstNumber(list);
  const items = list.children.map((item, index) => {
    const marker = isOrdered ? `${(first + index) % 1_000_000_000}. ` : "- ";
    const shown = renderItem(document, item, { depth: depth + 1, isLoose });
    return prefixed(shown === "" ? BREAK : shown, marker, " ".repeat(marker.length));
  });
  return items.join(isLoose ? "\n\n" : "\n");
}

/** The parser hides the paragraphs of items that are close together. */
function isLooseItem({ children }: Block): boolean {
  return children.some(({ type, token }) => type === "paragraph" && !token.hidden);
}

function firstNumber({ token }: Block): number {
  const start = Number(attributeOf(token, "start") || 1);
  return Number.isSafeInteger(start) ? start : 1;
}

/** In a list whose items are close together, a list in an item follows its text without a gap. */
function renderItem(
  document: Document,
  item: Block,
  { depth, isLoose }: { depth: number; isLoose: boolean },
): string {
  let shown = "";
  for (const child of item.children) {
    const block =
      shown === ""
        ? withBox(renderBlock(document, child, depth), child)
        : renderBlock(document, child, depth);
    if (block === "") continue;
    const isList = child.type === "bullet_list" || child.type === "ordered_list";
    const isClose =
      !isLoose && isList && (child.type === "bullet_list" || firstNumber(child) === 1);
    shown += (shown === "" ? "" : isClose ? "\n" : "\n\n") + block;
  }
  return shown;
}

/** The box of a task: it is shown, and nobody can tick it. */
function withBox(rendered: string, { type }: Block): string {
  if (type !== "paragraph") return rendered;
  return rendered.replace(/^\\\[([ xX])\\\](?=\s)/, (_, mark) => (mark === " " ? "☐" : "☑"));
}

function renderTable(table: Block): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rows = table.children.flatMap((part) => part.children);
  const rules = (rows[0]?.children ?? []).map(({ token }) => {
    const style = attributeOf(token, "style");
    if (style.endsWith("center")) return ":-:";
    return style.endsWith("right") ? "--:" : "---";
  });
  const lines = rows.map(({ children }) =>
    row(children.map((cell) => onOneLine(text(cell, true)))),
  );
  return [...lines.slice(0, 1), row(rules), ...lines.slice(1)].join("\n");
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
