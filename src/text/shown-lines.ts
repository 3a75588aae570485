import MarkdownIt, { type StateInline, type Token } from "markdown-it";
import footnote from "markdown-it-footnote";
import { areQuotationsCostly } from "./quotation-cost.ts";
import { RawHtml } from "./raw-html.ts";

/** Blocks that are not shown in their place as what their author says; a footnote may not be shown at all. */
const APART = new Set([
  ...["blockquote_open", "blockquote_close"],
  ...["footnote_reference_open", "footnote_reference_close"],
]);

/** Blocks that end what HTML has begun in them. */
const CONTAINERS = new Set([
  ...["list_item_open", "list_item_close"],
  ...["blockquote_open", "blockquote_close"],
]);

/** Where the wanted lines begin in a paragraph's content, and the number of each in the page. */
type Wanted = ReadonlyMap<number, number>;

const markdown = new MarkdownIt({ html: true }).use(footnote);
// GitHub takes any address for that of a link, and leaves out the harmful ones later.
markdown.validateLink = () => true;
markdown.normalizeLink = (address) => address;
markdown.core.ruler.enableOnly(["normalize", "block", "strip_references"]);
markdown.inline.ruler.before("text", "wanted_line", noteWantedLine);
// Emphasis and entities neither hide text nor change where code, HTML and links begin and end.
markdown.inline.ruler.enableOnly([
  ...["wanted_line", "text", "newline", "escape", "backticks"],
  ...["link", "image", "autolink", "html_inline"],
]);
markdown.inline.ruler2.enableOnly([]);

/**
 * Finds the first of the wanted lines that a reader of the Markdown page sees as text: not in quotations,
 * code, HTML blocks, comments, footnotes, definitions, or the titles and descriptions of links and images.
 *
 * @returns the line's number from 0; null when there is none
 */
export function findShownLine(
  lines: readonly string[],
  isWanted: (line: string) => boolean,
): number | null {
  // Real requests do not look like this, and parsing it could take as long as the whole run.
  if (areQuotationsCostly(lines)) return null;
  const env: Record<string, unknown> = {};
  const html = new RawHtml();
  const containers: number[] = [];
  let depth = 0;
  let row = 0;
  for (const block of markdown.parse(lines.join("\n"), env)) {
    if (APART.has(block.type)) depth += block.nesting;
    if (CONTAINERS.has(block.type)) {
      if (block.nesting > 0) containers.push(html.depth);
      else html.leave(containers.pop() ?? 0);
    }
    if (block.type === "tr_open") row = block.map?.[0] ?? 0;
    if (block.type === "html_block") html.read(block.content);
    if (block.type !== "inline") continue;
    // The cells of a table do not say where they are; their row does.
    const wanted = wantedIn(block.content, block.map?.[0] ?? row, { lines, isWanted });
    if (wanted.size === 0 && !block.content.includes("<")) continue;
    for (const part of parseInline(block.content, { ...env, wanted })) {
      if (part.type === "html_inline") html.read(part.content);
      const isShown = part.type === "wanted_line" && depth === 0 && !html.hidesText;
      if (isShown) return Number(part.meta?.line);
    }
  }
  return null;
}

/** A line counts if it begins with what is wanted in the page and in the paragraph: not after a list's bullet. */
function wantedIn(
  content: string,
  first: number,
  { lines, isWanted }: { lines: readonly string[]; isWanted: (line: string) => boolean },
): Wanted {
  const wanted = new Map<number, number>();
  let start = 0;
  for (const [index, line] of content.split("\n").entries()) {
    const isBoth = isWanted(line) && isWanted(lines[first + index] ?? "");
    if (isBoth) wanted.set(start + line.search(/[^ \t]/), first + index);
    start += line.length + 1;
  }
  return wanted;
}

function parseInline(content: string, env: { wanted: Wanted }): Token[] {
  const tokens: Token[] = [];
  markdown.inline.parse(content, markdown, env, tokens);
  return tokens;
}

/**
 * The parser calls its rules at each position that it reads as text, but never inside code, HTML or
 * addresses. This one takes nothing: it only notes that the parser came by.
 */
function noteWantedLine(state: StateInline, isSilent: boolean): boolean {
  const { wanted } = state.env as { wanted?: Wanted };
  const line = wanted?.get(state.pos);
  if (!isSilent && line !== undefined) state.push("wanted_line", "", 0).meta = { line };
  return false;
}
