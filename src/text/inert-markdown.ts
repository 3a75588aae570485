import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { safeLink } from "./link.ts";
import { codeBlock, inlineCode, visible } from "./markdown.ts";

/** Breaks what GitHub would read something into; nobody sees it. As an entity, an editor shows it. */
const BREAK = "&#8203;";
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

/**
 * A link to an address from outside, or its text alone when that is not an address to follow.
 *
 * @param text plain, from outside
 */
export function inertLink(text: string, address: string): string {
  const link = followable(address);
  return link === null ? startLines(escapeText(text)) : `[${escapeText(text)}](${link})`;
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

/** What inline tokens stand in: a bar ends a cell, and no link holds another. */
interface Surroundings {
  isInTable?: boolean;
  isInLink?: boolean;
}

/** Text that is to be escaped as one, or Markdown of the renderer's own. */
type Segment = { text: string } | { markdown: string };

/**
 * Inline tokens as Markdown. Texts that come to stand side by side are escaped together: what leaves
 * no trace, such as a comment, cannot divide a reference and so hide it.
 */
function inline(tokens: readonly Token[], surroundings: Surroundings = {}): string {
  let markdown = "";
  let text = "";
  for (const segment of tokens.flatMap((it) => segments(it as MarkedToken, surroundings))) {
    if ("text" in segment) text += segment.text;
    else if (segment.markdown !== "") {
      markdown += escapeText(text) + segment.markdown;
      text = "";
    }
  }
  return markdown + escapeText(text);
}

function segments(token: MarkedToken, surroundings: Surroundings): Segment[] {
  switch (token.type) {
    case "text":
      return token.tokens === undefined
        ? [{ text: decode(token.text) }]
        : token.tokens.flatMap((it) => segments(it as MarkedToken, surroundings));
    case "escape":
      return [{ text: token.text }];
    case "strong":
      return [{ markdown: around("**", inline(token.tokens, surroundings)) }];
    case "em":
      return [{ markdown: around("*", inline(token.tokens, surroundings)) }];
    case "del":
      return [{ markdown: around("~~", inline(token.tokens, surroundings)) }];
    case "codespan": {
      const code = inlineCode(token.text, Number.POSITIVE_INFINITY);
      return [{ markdown: surroundings.isInTable ? code.replaceAll("|", "\\|") : code }];
    }
    case "br":
      return [{ markdown: "\\\n" }];
    case "link":
      return linkSegments(token, surroundings);
    case "image": {
      const text = decode(token.text) || "image";
      return [surroundings.isInLink ? { text } : { markdown: inertLink(text, token.href) }];
    }
    case "checkbox":
      return [{ markdown: token.checked ? "☑ " : "☐ " }];
    case "html":
      return [{ text: /^<br\s*\/?>$/i.test(token.text) ? " " : withoutComments(token.text) }];
    default:
      return [{ text: token.raw }];
  }
}

function linkSegments(token: Tokens.Link, surroundings: Surroundings): Segment[] {
  const link = followable(token.href);
  if (token.autolink === true) {
    // Without its scheme it is not taken for a bare address, which GitHub may turn into something else.
    const text = token.text.replace(/^https?:\/\//i, "");
    return link === null
      ? [{ text: token.text }]
      : [{ markdown: `[${escapeText(text)}](${link})` }];
  }
  if (link === null) return token.tokens.flatMap((it) => segments(it as MarkedToken, surroundings));
  const text = inline(token.tokens, { ...surroundings, isInLink: true });
  return [{ markdown: `[${text}](${link})` }];
}

/** An address that may stand in a link; null for one that is not safe, or that GitHub takes for a reference. */
function followable(address: string): string | null {
  const link = safeLink(address);
  return link === null || isReference(new URL(link)) ? null : link;
}

/** GitHub notes on an issue, pull request, discussion or commit that somebody linked to it. */
function isReference({ pathname }: URL): boolean {
  return /^\/+[^/]+\/+[^/]+\/+(issues|pull|pulls|discussions|commit|commits)\/+[^/]/i.test(
    pathname.replace(/%[0-9a-f]{2}/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    ),
  );
}

/** Text in which GitHub finds no Markdown, no HTML, no address, no mention and no reference. */
function escapeText(text: string): string {
  return (
    visible(text)
      .replace(/\s+/g, " ")
      // An exclamation mark before a link would make an image of it.
      .replace(/[\\`*_[\]~|$]|!$/g, "\\$&")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replace(/@(?=\w)|#(?=\d)|GH-(?=\d)|:(?=\/\/)|www(?=\.)/gi, `$&${BREAK}`)
  );
}

/** No line of a paragraph begins another kind of block. */
function startLines(paragraph: string): string {
  return paragraph
    .split("\n")
    .map((line) => line.trimStart().replace(/^(?=[-+=:#])|^\d+(?=[.)])/, "$&\\"))
    .join("\n")
    .trim();
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

/** Emphasis begins and ends at a letter or sign, or it is none. */
function around(mark: string, inner: string): string {
  const trimmed = inner.trim();
  if (trimmed === "") return inner;
  const start = inner.startsWith(trimmed.charAt(0)) ? "" : " ";
  const end = inner.endsWith(trimmed.charAt(trimmed.length - 1)) ? "" : " ";
  return `${start}${mark}${trimmed}${mark}${end}`;
}

function withoutComments(html: string): string {
  return html.replace(/<!--[\s\S]*?(?:-->|$)/g, " ");
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " };

/** The few named entities that people write; any other is shown as it is written. */
function decode(text: string): string {
  return text.replace(
    /&(amp|lt|gt|quot|nbsp);/g,
    (entity, name: string) => ENTITIES[name] ?? entity,
  );
}

/** A code block's language, if it is one that changes nothing but colours. */
function language(info: string | undefined): string {
  const [name = ""] = /^[\w+#.-]{1,30}(?=\s|$)/.exec(info ?? "") ?? [];
  return name === "" || DRAWN.has(name.toLowerCase()) ? "text" : name;
}
