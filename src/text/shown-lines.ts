import type { StateInline, Token } from "markdown-it";
import { areQuotationsCostly } from "./markdown.ts";
import { textParser } from "./text-parser.ts";

/**
 * Raw HTML. It is certain how GitHub renders comments and a few tags, of which only images have attributes. The groups
 * are: a tag of a collapsed section, and any other HTML or a formula.
 */
const HTML = new RegExp(
  [
    "<!--(?!-?>)-?(?:(?!--)[\\s\\S])*--+>|</?(?:b|i|kbd|sub|sup)>|<br ?/?>",
    '<img(?: (?:src|alt|width|height)="[^"<>\\n]*")+ ?/?>',
    "(</?(?:details|summary)>)",
    "(<[a-z/!?][^>]{0,60}>?|\\$\\$)",
  ].join("|"),
  "gi",
);

const markdown = textParser("line_start", "text", noteLineStart);

/**
 * Finds the first wanted line that readers of the Markdown page see as text: outside of quotations, code, HTML,
 * comments, and the titles and descriptions of links and images. A line is not found where this parser and GitHub's may
 * differ, for example after definitions, footnotes and HTML. What follows its paragraph plays no part.
 *
 * @returns its number, null if there is none; and the part that may hide the wanted line, null for none
 */
export function findShownLine(
  lines: readonly string[],
  isWanted: (line: string) => boolean,
): { line: number | null; unclear: string | null } {
  // Real requests do not look like this, and parsing it could take as long as the whole run.
  if (areQuotationsCostly(lines)) return { line: null, unclear: null };
  const isQuoted = quotedLines(lines);
  /** The first part for which it is not certain what readers see. */
  let unclear: string | null = null;
  /** How many collapsed sections are open. */
  let folds = 0;
  const { pieces, definition } = piecesOf(lines);
  for (const { type, line, text, first, isNested, isFoldable = false } of pieces) {
    const whole = lines[line];
    // After the bullet of a list, the line of the page differs from the line of the paragraph.
    const isFound = type === "line" && !isQuoted[line] && isWanted(text);
    if (isFound && whole !== undefined && isWanted(whole)) {
      const before = unclear ?? (folds > 0 ? "<details>" : null);
      const obstacle = before ?? obstacleAround(lines, { line, first, isNested }, definition);
      return obstacle === null ? { line, unclear: null } : { line: null, unclear: obstacle };
    }
    if (type === "unclear") unclear ??= text;
    for (const [tag, fold, other] of type === "html" ? text.matchAll(HTML) : []) {
      const isUncertain = other !== undefined || (fold !== undefined && !isFoldable);
      if (isUncertain) unclear ??= tag;
      if (/^<details>/i.test(tag)) folds += 1;
      if (/^<\/details>/i.test(tag)) folds = Math.max(0, folds - 1);
    }
  }
  return { line: null, unclear: null };
}

/**
 * What may hide a line in one parser but not in another: something before it, or, if it is not the first of its
 * paragraph, something in the rest of that, which may end what began before it.
 *
 * @param definition the name of one somewhere in the text; null for none
 */
function obstacleAround(
  lines: readonly string[],
  { line, first, isNested }: Pick<Piece, "line" | "first" | "isNested">,
  definition: string | null,
): string | null {
  const isFirst = line === first;
  const end = lines.findIndex((text, index) => index > line && text.trim() === "");
  const around = isFirst ? lines.slice(0, line) : lines.slice(0, end < 0 ? lines.length : end);
  const odd = around.find((text) => ODD_BLOCK.test(text));
  if (odd !== undefined) return odd;
  const isDefined = definition !== null && (around.some((text) => text.includes("]:")) || !isFirst);
  if (isDefined) return `[${definition}]:`;
  const [block = null] = isFirst
    ? []
    : (blockIn(isNested).exec(lines.slice(first, around.length).join("\n")) ?? []);
  return block?.trim() ?? null;
}

/**
 * The texts of a Markdown page that readers see outside of code and HTML, with the number of the line. Cells of tables
 * are not included.
 */
export function* shownTexts(lines: readonly string[]): Generator<{ line: number; text: string }> {
  // Nobody writes this by hand, and parsing it could take as long as the whole run.
  if (areQuotationsCostly(lines)) return;
  for (const { type, map, content } of markdown.parse(lines.join("\n"), {})) {
    const first = map?.[0];
    if (type !== "inline" || first === undefined) continue;
    let line = first;
    for (const { type, content: text, meta } of inlineTokens(content)) {
      if (type === "line_start") line = first + Number(meta?.line);
      if (type === "text") yield { line, text };
    }
  }
}

/**
 * Which lines are in a block of code that ends before the text does: nobody else's text, with a mark after it, can make
 * such a block.
 */
export function codeLines(lines: readonly string[]): boolean[] {
  const isCode = lines.map(() => false);
  if (areQuotationsCostly(lines)) return isCode;
  for (const { type, map, markup } of markdown.parse(lines.join("\n"), {})) {
    if (map === null || (type !== "fence" && type !== "code_block")) continue;
    const last = lines[map[1] - 1] ?? "";
    if (type === "fence" && !last.trimEnd().endsWith(markup)) continue;
    isCode.fill(true, map[0], map[1]);
  }
  return isCode;
}

/** A part of a page, in the order of the page. */
interface Piece {
  /** `line`: a line of text begins here; `html`: it is or may be raw HTML. */
  type: "line" | "unclear" | "html";
  line: number;
  text: string;
  /** The first line of its block. */
  first: number;
  /** Whether the block is in a list or a quotation. */
  isNested: boolean;
  /** Whether all parsers agree here where a collapsed section begins and ends. */
  isFoldable?: boolean;
}

/** @returns the parts, and the name of a definition; null if there is none */
function piecesOf(lines: readonly string[]) {
  const env: { references?: Record<string, never> } = {};
  const blocks = markdown.parse(lines.join("\n"), env);
  const [definition = null] = Object.keys(env.references ?? {});
  return { pieces: piecesOfBlocks(blocks), definition };
}

function* piecesOfBlocks(blocks: readonly Token[]): Generator<Piece> {
  for (const { type, map, level, content } of blocks) {
    // Only the cells of a table have no line number. No request begins there.
    const line = map?.[0] ?? -1;
    if (type === "html_block") {
      const isFoldable = level === 0;
      yield { type: "html", line, first: line, isNested: level > 0, text: content, isFoldable };
    }
    if (type === "inline") yield* piecesOfText(content, line, level > 1);
  }
}

function* piecesOfText(content: string, first: number, isNested: boolean): Generator<Piece> {
  let line = first;
  for (const { type, content: text, meta } of inlineTokens(content)) {
    if (type === "line_start") {
      line = first + Number(meta?.line);
      yield { type: "line", line, first, isNested, text };
    }
    if (type === "text" || type === "html_inline")
      yield { type: "html", line, first, isNested, text };
  }
  const [block] = blockIn(isNested).exec(content) ?? [];
  if (block !== undefined) yield { type: "unclear", line, first, isNested, text: block.trim() };
}

/** The parts of a paragraph, with a token at the start of each line of text. */
function inlineTokens(content: string): Token[] {
  const parts: Token[] = [];
  const env = {};
  STARTS.set(env, startsOf(content));
  markdown.inline.parse(content, markdown, env, parts);
  return parts;
}

/** The beginning of a line in a quotation, also inside lists. */
const QUOTATION = /^(?:[ \t]|(?:[-+*]|\d{1,9}[.)])[ \t])*>/;

/** A quotation may last until the next empty line, because this parser and GitHub's differ in what ends it. */
function quotedLines(lines: readonly string[]): boolean[] {
  let isQuoted = false;
  return lines.map((line) => {
    isQuoted = line.trim() !== "" && (isQuoted || QUOTATION.test(line));
    return isQuoted;
  });
}

/** The beginning of an HTML block in one version of CommonMark, but not in another. */
const ODD_BLOCK =
  /^(?:[ \t>]|(?:[-+*]|\d{1,9}[.)])[ \t])*<(?:\/?(?:source|search)(?![\w-])|![a-z])/i;
/** The possible beginning of a definition or footnote on GitHub, in any paragraph of this parser … */
const DEFINITION = /^[ \t]*\[[\s\S]{0,1000}?\]:/m;
/** … and, in a list or quotation, of an HTML block. */
const LAZY_BLOCK = new RegExp(`${DEFINITION.source}|(?<=\\n)[ \\t]*</?[a-z]`, "im");

/** Finds text of a paragraph that may begin another block on GitHub. */
function blockIn(isNested: boolean): RegExp {
  return isNested ? LAZY_BLOCK : DEFINITION;
}

/** By the environment of the parser's call, which its rules get. */
const STARTS = new WeakMap<object, ReturnType<typeof startsOf>>();

/** The lines of a paragraph's content by their positions. */
function startsOf(content: string) {
  const starts = new Map<number, { line: number; text: string }>();
  let start = 0;
  for (const [line, text] of content.split("\n").entries()) {
    starts.set(start + Math.max(0, text.search(/[^ \t]/)), { line, text });
    start += text.length + 1;
  }
  return starts;
}

/** This rule consumes nothing. It only notes the position. */
function noteLineStart(state: StateInline, isSilent: boolean): boolean {
  const start = STARTS.get(state.env)?.get(state.pos);
  if (isSilent || start === undefined) return false;
  const token = state.push("line_start", "", 0);
  token.content = start.text;
  token.meta = start;
  return false;
}
