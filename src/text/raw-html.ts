/** Elements that end everything in them with them, but for formatting. */
const BLOCKS = new Set(["blockquote", "details", "pre"]);
/** Formatting, which goes on in whatever follows until it is closed. So, in effect, does `template`. */
const LASTING = new Set(["code", "template", "tt"]);
/**
 * Elements whose content GitHub shows as code, as a quotation, folded up, or not at all. Those that GFM
 * disallows, such as `script`, are missing: GitHub shows their tags as text.
 */
const APART = new Set([...BLOCKS, ...LASTING, "kbd", "q", "samp"]);

/**
 * A comment, a declaration, or a tag with its slash, its name, and a value whose quote is not closed. What
 * does not end goes on to the end of the text, so that no part of it is read twice.
 */
const COMMENT_OR_TAG =
  /<!--(?:-?>|[\s\S]*?(--!?>|$))|<[!?][^>]*|<(\/?)([a-z][a-z\d-]*)(?:[^>=]|=(?:\s*"[^"]*"|\s*'[^']*'|(?!\s*["'])))*(=?)/gi;

/**
 * Follows the raw HTML of a Markdown page from its beginning, to know whether what comes next is shown as
 * plain text. What is not closed counts as open to the end of the page: it hides more than it may do in
 * a browser, but never less.
 */
export class RawHtml {
  readonly #open: string[] = [];
  #isCutOff = false;

  /** Whether text after the HTML so far is in an element apart, or in a comment or value that goes on. */
  get hidesText(): boolean {
    return this.#isCutOff || this.#open.length > 0;
  }

  /** Takes the next piece of raw HTML; what is between two pieces is text. */
  read(html: string): void {
    for (const [, end, slash, name, cut] of html.matchAll(COMMENT_OR_TAG)) {
      this.#isCutOff ||= name === undefined ? end === "" : cut !== "";
      if (name !== undefined) this.#readTag(name.toLowerCase(), slash === "/");
    }
  }

  /** How many elements are open, to be handed to `leave`. */
  get depth(): number {
    return this.#open.length;
  }

  /** Closes all elements that were opened after this depth was recorded. */
  leave(depth: number): void {
    this.#open.push(...this.#open.splice(depth).filter((name) => LASTING.has(name)));
  }

  #readTag(name: string, isEnd: boolean): void {
    if (!APART.has(name)) return;
    if (!isEnd) this.#open.push(name);
    else this.#close(name, this.#open.lastIndexOf(name));
  }

  #close(name: string, index: number): void {
    if (index === -1) return;
    const isStuck = this.#open.slice(index + 1).some((inner) => BLOCKS.has(inner));
    // A browser ignores the end of an element in a line when a block in it is still open.
    if (isStuck && !BLOCKS.has(name) && !LASTING.has(name)) return;
    this.#open.splice(index, 1);
    if (BLOCKS.has(name)) this.leave(index);
  }
}
