import MarkdownIt, { type StateInline, type Token } from "markdown-it";
import footnote from "markdown-it-footnote";
import { KnownHtml } from "./known-html.ts";
import { areQuotationsCostly } from "./quotation-cost.ts";

const markdown = new MarkdownIt({ html: true }).use(footnote);
// GitHub takes any address for that of a link, and leaves out the harmful ones later.
markdown.validateLink = () => true;
markdown.normalizeLink = (address) => address;
markdown.core.ruler.enableOnly(["normalize", "block", "strip_references"]);
markdown.inline.ruler.before("text", "line_start", noteLineStart);
// Emphasis and entities neither hide text nor change where code, HTML and links begin and end.
markdown.inline.ruler.enableOnly([
  ...["line_start", "text", "newline", "escape", "backticks"],
  ...["link", "image", "autolink", "html_inline"],
]);
markdown.inline.ruler2.enableOnly([]);

/** What of a page a reader sees from a wanted line on. */
export type Shown =
  /** The lines, up to the first part that may not be shown as it is written; `end`: that part, or null for none. */
  | { type: "shown"; lines: string[]; end: string | null }
  /** Wanted lines come after a part that may hide them. */
  | { type: "unclear"; after: string }
  | { type: "hidden" };

/**
 * Finds the first of the wanted lines that a reader of the Markdown page sees as text: not in quotations,
 * code, HTML blocks, comments, footnotes, definitions, or the titles and descriptions of links and images.
 * What this parser and GitHub's may see differently is no text.
 */
export function findShownLine(
  lines: readonly string[],
  isWanted: (line: string) => boolean,
): Shown {
  // Real requests do not look like this, and parsing it could take as long as the whole run.
  if (areQuotationsCostly(lines)) return { type: "hidden" };
  const odd = lines.find((line) => ODD_BLOCK.test(line));
  if (odd !== undefined) return { type: "unclear", after: odd };
  const env = {};
  const page = new PageReader(lines, isWanted);
  for (const block of markdown.parse(lines.join("\n"), env)) {
    const result = page.read(block, env);
    if (result !== null) return result;
  }
  return page.end(lines.length);
}

/** Blocks whose lines are shown as they are written. */
const WRITTEN = /^(?:paragraph_open|heading_open|table_open|fence|code_block|hr)$/;
/** Blocks that hold others. */
const CONTAINER = /^(?:blockquote|(?:bullet|ordered)_list|list_item|footnote_reference)_/;

class PageReader {
  readonly #lines: readonly string[];
  readonly #isWanted: (line: string) => boolean;
  readonly #runs: readonly Run[];
  readonly #html = new KnownHtml();
  readonly #written = new Set<number>();
  #found: number | null = null;
  #quotations = 0;
  #footnotes = 0;
  /** Where the block begins, which neither a table's cells nor all of a heading tell. */
  #row = 0;
  /** Where the last block that has lines of its own ended. */
  #end = 0;

  constructor(lines: readonly string[], isWanted: (line: string) => boolean) {
    this.#lines = lines;
    this.#isWanted = isWanted;
    this.#runs = runsIn(lines);
  }

  /** The result, if what comes after this block does not matter. */
  read({ type, nesting, map, level, content }: Token, env: object): Shown | null {
    if (type.startsWith("blockquote_")) this.#quotations += nesting;
    if (type.startsWith("footnote_reference_")) this.#footnotes += nesting;
    if (map !== null && type !== "inline") {
      this.#row = map[0];
      const before = this.#lines[map[0] - 1] ?? "";
      // GitHub goes on with the paragraph that begins with a definition, where another block begins here.
      const isAfterDefinition = before.trim() !== "" && this.#end < map[0];
      if (isAfterDefinition && type !== "paragraph_open") this.#html.unknown ??= before;
      if (!CONTAINER.test(type)) this.#end = map[1];
    }
    if (type === "html_block") this.#html.read(content, this.#options(level === 0));
    if (WRITTEN.test(type) && this.#footnotes === 0 && !this.#html.isFolded) {
      for (let line = this.#row; line < (map?.[1] ?? 0); line++) this.#written.add(line);
    }
    return (
      this.#early(this.#row) ?? (type === "inline" ? this.#readText(content, level, env) : null)
    );
  }

  /** The result, if only so many lines are shown. */
  end(count: number): Shown {
    const found = this.#found;
    if (found === null) return { type: "hidden" };
    const end = this.#html.unknown;
    const first = this.#lines[found] ?? "";
    const others = this.#lines.slice(0, count).filter((text, line) => {
      const isWritten = this.#written.has(line) && this.#runs[line] !== "footnote";
      return line > found && (isWritten || text.trim() === "");
    });
    const isCut = count <= found && end !== null;
    return { type: "shown", lines: [isCut ? before(end, first) : first, ...others], end };
  }

  #early(line: number): Shown | null {
    return this.#found === null || this.#html.unknown === null ? null : this.end(line);
  }

  #options(canFold: boolean) {
    return { canFold, canDescribe: this.#found === null };
  }

  #readText(content: string, level: number, env: object): Shown | null {
    const [block] = (level > 1 ? LAZY_BLOCK : DEFINITION).exec(content) ?? [];
    if (block !== undefined) this.#html.unknown ??= block.trim();
    const parts: Token[] = [];
    markdown.inline.parse(content, markdown, { ...env, starts: startsOf(content) }, parts);
    let line = this.#row;
    for (const { type, content: text, meta, attrs } of parts) {
      const isTitled = type === "image" || attrs?.some(([name]) => name === "title");
      if (type === "line_start") {
        line = this.#row + Number(meta?.line);
        if (this.#isAsking(line, text)) {
          const after = this.#html.unknown ?? (this.#html.isFolded ? "<details>" : null);
          if (after !== null) return { type: "unclear", after };
          this.#found = line;
        }
      } else if (type === "text" || type === "html_inline") {
        this.#html.read(text, this.#options(false));
      } else if (isTitled && this.#found !== null) {
        this.#html.unknown ??= type === "image" ? "![" : "](";
      }
      const early = this.#early(line);
      if (early !== null) return early;
    }
    return null;
  }

  /** After a list's bullet, a line begins otherwise in the page than in the paragraph. */
  #isAsking(line: number, text: string): boolean {
    const isInPlace = this.#quotations + this.#footnotes === 0 && this.#runs[line] === null;
    const isFirst = this.#found === null && isInPlace;
    return isFirst && this.#isWanted(text) && this.#isWanted(this.#lines[line] ?? "");
  }
}

/** What comes before a part of a line. */
function before(part: string, line: string): string {
  return line.slice(0, Math.max(0, line.indexOf(part)));
}

/** What the lines up to the next empty one may be a part of, whatever the parser says. */
type Run = "quotation" | "footnote" | null;

/** What a line in lists begins with that is its own. */
const START = String.raw`^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*`;
const QUOTATION = new RegExp(`${START}>`);
const FOOTNOTE = new RegExp(`${START}>*\\[\\^[^\\]]+\\]:`);

/** GitHub's parser and this one differ in what ends a quotation, and where a footnote begins. */
function runsIn(lines: readonly string[]): Run[] {
  let run: Run = null;
  return lines.map((line) => {
    if (line.trim() === "") run = null;
    else if (FOOTNOTE.test(line)) run = "footnote";
    else if (run === null && QUOTATION.test(line)) run = "quotation";
    return run;
  });
}

/** What begins a block of HTML by one version of CommonMark and not by the other. */
const ODD_BLOCK = new RegExp(
  String.raw`${START}>*[ \t]*<(?:/?(?:source|search)(?![\w-])|![a-z])`,
  "i",
);
/** What may begin a definition on GitHub, whatever paragraph it is a part of here … */
const DEFINITION = /^[ \t]*\[[^\]]*\]:/m;
/** … and, after a list's item, a block of HTML. */
const LAZY_BLOCK = new RegExp(`${DEFINITION.source}|(?<=\\n)[ \\t]*</?[a-z]`, "im");

/** Where the lines of a paragraph's content begin, each with its number and text. */
type Starts = ReadonlyMap<number, { line: number; text: string }>;

function startsOf(content: string): Starts {
  const starts = new Map<number, { line: number; text: string }>();
  let start = 0;
  for (const [line, text] of content.split("\n").entries()) {
    starts.set(start + Math.max(0, text.search(/[^ \t]/)), { line, text });
    start += text.length + 1;
  }
  return starts;
}

/**
 * The parser calls its rules at each position that it reads as text, but never inside code, HTML or
 * addresses. This one takes nothing: it only notes that the parser came by.
 */
function noteLineStart(state: StateInline, isSilent: boolean): boolean {
  const start = (state.env as { starts?: Starts }).starts?.get(state.pos);
  if (isSilent || start === undefined) return false;
  const token = state.push("line_start", "", 0);
  token.content = start.text;
  token.meta = start;
  return false;
}
