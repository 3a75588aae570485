import MarkdownIt, { type StateInline, type Token } from "markdown-it";
import { areQuotationsCostly } from "./markdown.ts";

/**
 * Raw HTML. It is certain how GitHub renders comments and a few tags, of which only images have attributes. The groups
 * are: an image, a tag of a collapsed section, and any other HTML or a formula.
 */
const HTML = new RegExp(
  [
    "<!--(?!-?>)-?(?:(?!--)[\\s\\S])*--+>|</?(?:b|i|kbd|sub|sup)>|<br ?/?>",
    '(<img(?: (?:src|alt|width|height)="[^"<>\\n]*")+ ?/?>)',
    "(</?(?:details|summary)>)",
    "(<[a-z/!?][^>]{0,60}>?|\\$\\$)",
  ].join("|"),
  "gi",
);

const markdown = new MarkdownIt({ html: true });
// GitHub accepts any URL in a link, and removes harmful ones later.
markdown.validateLink = () => true;
markdown.normalizeLink = (address) => address;
markdown.core.ruler.enableOnly(["normalize", "block"]);
markdown.inline.ruler.before("text", "line_start", noteLineStart);
// Emphasis and entities do not hide text, and do not change where code, HTML and links begin and end.
markdown.inline.ruler.enableOnly([
  "line_start",
  "text",
  "newline",
  "escape",
  "backticks",
  "link",
  "image",
  "autolink",
  "html_inline",
]);
markdown.inline.ruler2.enableOnly([]);

/**
 * Finds the first wanted line that readers of the Markdown page see as text: outside of quotations, code, HTML,
 * comments, and the titles and descriptions of links and images. A line is not found where this parser and GitHub's may
 * differ, for example near definitions, footnotes and HTML.
 *
 * @returns the lines from it on, before the first part that may be hidden, null if there are none; and the part that
 * may hide the wanted line, or that ends the lines, null for none
 */
export function findShownLine(
  lines: readonly string[],
  isWanted: (line: string) => boolean,
): { lines: string[] | null; unclear: string | null } {
  // Real requests do not look like this, and parsing it could take as long as the whole run.
  if (areQuotationsCostly(lines)) return { lines: null, unclear: null };
  const odd = lines.find((line) => ODD_BLOCK.test(line));
  if (odd !== undefined) return { lines: null, unclear: odd };
  const isQuoted = quotedLines(lines);
  /** The number of the wanted line. */
  let wanted: number | null = null;
  /** The first part for which it is not certain what readers see. */
  let unclear: string | null = null;
  /** How many collapsed sections are open. */
  let folds = 0;
  for (const { type, line, text, isFoldable = false } of piecesOf(lines)) {
    const whole = lines[line];
    const isPlace = type === "line" && wanted === null && !isQuoted[line];
    // After the bullet of a list, the line of the page differs from the line of the paragraph.
    if (isPlace && isWanted(text) && whole !== undefined && isWanted(whole)) {
      const obstacle = unclear ?? (folds > 0 ? "<details>" : null);
      if (obstacle !== null) return { lines: null, unclear: obstacle };
      wanted = line;
    }
    if (type === "unclear" || (type === "unseen" && wanted !== null)) unclear ??= text;
    for (const [tag, image, fold, other] of type === "html" ? text.matchAll(HTML) : []) {
      // A request has no hidden parts, such as collapsed text or the description of an image.
      const isUnseen = wanted !== null && (image ?? fold) !== undefined;
      const isUncertain = other !== undefined || (fold !== undefined && !isFoldable);
      if (isUncertain || isUnseen) unclear ??= tag;
      if (/^<details>/i.test(tag)) folds += 1;
      if (/^<\/details>/i.test(tag)) folds = Math.max(0, folds - 1);
    }
    if (wanted !== null && unclear !== null) {
      const shown = lines.slice(wanted, line);
      if (line === wanted && whole !== undefined) {
        shown.push(whole.slice(0, Math.max(0, whole.indexOf(unclear))));
      }
      return { lines: shown, unclear };
    }
  }
  return { lines: wanted === null ? null : lines.slice(wanted), unclear: null };
}

/**
 * The texts of a Markdown page that readers see outside of quotations, code and HTML, with the number of the line. The
 * line below a quotation is included, though it is shown as a part of it. Cells of tables are not.
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
      const isQuoted = lines.slice(line, line + 1).some((whole) => QUOTATION.test(whole));
      if (type === "text" && !isQuoted) yield { line, text };
    }
  }
}

/** A part of a page, in the order of the page. */
interface Piece {
  /** `line`: a line of text begins here; `unseen`: readers do not see all of it; `html`: it is or may be raw HTML. */
  type: "line" | "unclear" | "unseen" | "html";
  line: number;
  text: string;
  /** Whether all parsers agree here where a collapsed section begins and ends. */
  isFoldable?: boolean;
}

function* piecesOf(lines: readonly string[]): Generator<Piece> {
  const env: { references?: Record<string, never> } = {};
  const blocks = markdown.parse(lines.join("\n"), env);
  const [definition] = Object.keys(env.references ?? {});
  if (definition !== undefined) yield { type: "unclear", line: 0, text: `[${definition}]:` };
  for (const { type, map, level, content, info } of blocks) {
    // Only the cells of a table have no line number. No request begins there.
    const line = map?.[0] ?? -1;
    if (type === "html_block") yield { type: "html", line, text: content, isFoldable: level === 0 };
    if (type === "fence" && /\S\s+\S/.test(info)) yield { type: "unseen", line, text: info };
    // A row may have more cells than GitHub shows.
    if (type === "table_open") yield { type: "unseen", line, text: "|" };
    if (type === "inline") yield* piecesOfText(content, line, level > 1 ? LAZY_BLOCK : DEFINITION);
  }
}

/** @param unclear finds text that may begin another block on GitHub */
function* piecesOfText(content: string, first: number, unclear: RegExp): Generator<Piece> {
  const [block] = unclear.exec(content) ?? [];
  if (block !== undefined) yield { type: "unclear", line: first, text: block.trim() };
  let line = first;
  for (const { type, content: text, meta, attrs } of inlineTokens(content)) {
    if (type === "line_start") {
      line = first + Number(meta?.line);
      yield { type: "line", line, text };
    }
    if (type === "text" || type === "html_inline") yield { type: "html", line, text };
    if (type === "image") yield { type: "unseen", line, text: "![" };
    const isUnseen = attrs?.some(([name, value]) => name === "title" || /\s/.test(String(value)));
    if (type === "link_open" && isUnseen) yield { type: "unseen", line, text: "](" };
  }
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

/**
 * The parser calls its rules at each position that it reads as text, but never inside code, HTML or URLs. This rule
 * consumes nothing. It only notes the position.
 */
function noteLineStart(state: StateInline, isSilent: boolean): boolean {
  const start = STARTS.get(state.env)?.get(state.pos);
  if (isSilent || start === undefined) return false;
  const token = state.push("line_start", "", 0);
  token.content = start.text;
  token.meta = start;
  return false;
}
