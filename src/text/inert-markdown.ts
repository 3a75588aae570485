import querystring from "node:querystring";
import createMarkdownIt, { type MarkdownIt, type Token } from "markdown-it";
import { safeLink } from "./link.ts";
import { areQuotationsCostly, visible } from "./markdown.ts";

/** Minimum length of a cut text, in characters. If less fits, nothing is shown. */
const MIN_CUT = 100;
/** Maximum depth of nested quotations, lists and list items. */
const MAX_NESTING = 100;
/** Maximum length of a piece that is parsed: for only opening brackets, the time grows by the square. */
const MAX_INLINE = 16 * 1024;
/** Languages whose blocks GitHub does not show as code. It draws them, or offers to apply them. */
const DRAWN = new Set(["mermaid", "geojson", "topojson", "stl", "math", "suggestion"]);
/** An invisible character that breaks mentions and references. As an entity, it is visible in the source. */
const BREAK = "&#8203;";

const { escapeHtml } = createMarkdownIt().utils;

/**
 * Converts Markdown from outside to HTML for a comment. The structure stays, and all text is escaped. So it mentions,
 * references and closes nothing, contains no HTML and no images of its own, and links only to `https:` URLs (`http:` on
 * loopback). It looks like the Markdown that it was made from, and has no effects.
 *
 * @param room maximum length of the result, in characters; the end is cut off if it does not fit
 */
export function renderInert(markdown: string, room: number): { html: string; isCut: boolean } {
  // A longer text could not be shown, and would take the parser longer.
  const whole = visible(markdown);
  let length = Math.min(whole.length, room);
  const isCostly = areQuotationsCostly(whole.slice(0, length).split("\n"));
  const render = isCostly ? (text: string) => codeBlock(text, "") : asPage;
  do {
    const isCut = length < whole.length;
    const html = render(isCut ? `${whole.slice(0, length).toWellFormed()}…` : whole);
    if (html.length <= room) return { html, isCut };
    // The parts of a text grow by different factors.
    length = Math.floor(length * Math.min(0.98, room / html.length));
  } while (length >= MIN_CUT);
  return { html: "", isCut: true };
}

/** A link to a URL from outside; only its text if the URL is not safe. */
export function inertLink(text: string, address: string): string {
  const link = followable(address);
  return link === null ? inertText(text) : `<a href="${link}">${inertText(text)}</a>`;
}

function asPage(text: string): string {
  const html = createRenderer().render(text);
  // After an empty line, GitHub would read the rest as Markdown again. Without the lookbehind, the time would grow by
  // the square of the white space in code.
  return html.replace(/(?<!\s)\s*\n\s*/g, "\n").trim();
}

function createRenderer(): MarkdownIt {
  const parser = createMarkdownIt({ html: false, maxNesting: MAX_NESTING });
  parser.normalizeLink = (address) => address;
  parser.normalizeLinkText = (text) => text.replace(/^https?:\/\//i, "");
  parser.validateLink = (address) => followable(address) !== null;
  parser.core.ruler.at("inline", ({ tokens, env }) => {
    for (const token of tokens) {
      if (token.type === "inline") parseInline(parser, token, env ?? {});
      // The headings are below the comment's own heading.
      if (token.type.startsWith("heading_")) {
        token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 3)}`;
      }
      const [, align] = /^text-align:(\w+)$/.exec(String(token.attrGet("style"))) ?? [];
      if (align !== undefined) token.attrs = [["align", align]];
    }
  });
  const { rules } = parser.renderer;
  rules.softbreak = () => " ";
  const on = (show: (token: Token) => string) => (tokens: Token[], index: number) => {
    const token = tokens[index];
    return token === undefined ? "" : show(token);
  };
  rules.code_inline = on(({ content }) => `<code>${escaped(content)}</code>`);
  rules.code_block = on(({ content, info }) => codeBlock(content, info));
  rules.fence = rules.code_block;
  // A link cannot contain another link. For an image in a link, the description is shown.
  let links = 0;
  rules.link_open = on((token) => {
    links += 1;
    const link = followable(String(token.attrGet("href")));
    // `[text]()` is a link to nowhere.
    return link === null ? "<a>" : `<a href="${link}">`;
  });
  rules.link_close = () => {
    links -= 1;
    return "</a>";
  };
  // By now, neighboring texts are joined, so that nothing invisible divides a reference.
  rules.text = on(({ content }) => (links > 0 ? inertText(content) : withLinks(content)));
  rules.image = on((token) => {
    if (links > 0) return inertText(token.content);
    return inertLink(token.content || "image", String(token.attrGet("src")));
  });
  return parser;
}

function parseInline(parser: MarkdownIt, token: Token, env: Record<string, unknown>): void {
  const children: Token[] = [];
  for (let at = 0; at < token.content.length; at += MAX_INLINE) {
    parser.inline.parse(token.content.slice(at, at + MAX_INLINE), parser, env, children);
  }
  token.children = children;
}

/** A URL in plain text, at its maximum length according to GitHub. */
const ADDRESS = /(?<![\w/])https?:\/\/[^\s<]+/gi;

/** Turns the URLs in a text into links. The parser's own rule takes time by the square. */
function withLinks(text: string): string {
  let html = "";
  let shown = 0;
  for (const { 0: matched, index } of text.matchAll(ADDRESS)) {
    const address = withoutPunctuation(matched);
    if (followable(address) === null) continue;
    const bare = address.replace(/^https?:\/\//i, "");
    html += inertText(text.slice(shown, index)) + inertLink(bare, address);
    shown = index + address.length;
  }
  return html + inertText(text.slice(shown));
}

/** Removes punctuation at the end of a URL, and a closing parenthesis that was opened before it. */
function withoutPunctuation(address: string): string {
  const ends = `?!.,:;*_~'"${address.includes("(") ? "" : ")"}`;
  let end = address.length;
  while (end > 1 && ends.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}

function codeBlock(text: string, info: string): string {
  const [name = ""] = /^[\w+#.-]{1,30}(?=\s|$)/.exec(info) ?? [];
  const language = name === "" || DRAWN.has(name.toLowerCase()) ? "text" : name;
  const code = escaped(text.trimEnd()).replaceAll("\n", "&#10;");
  return `<pre lang="${language}"><code>${code}</code></pre>\n`;
}

/** Text in which GitHub finds no HTML, URL, mention, formula, reference, or box of a task. */
function inertText(text: string): string {
  return escaped(text.replace(/\s+/g, " ")).replace(
    /@(?=\w)|#(?=\d)|GH-(?=\d)|:(?=\/\/)|www(?=\.)|\$(?=\S)|\[(?=[ x]\](?:\s|$)|$)/gi,
    `$&${BREAK}`,
  );
}

function escaped(text: string): string {
  return escapeHtml(visible(text));
}

/** A URL for a link; null if it is not safe, or if GitHub treats it as a reference. */
function followable(address: string): string | null {
  const link = safeLink(address);
  return link === null || isReference(new URL(link)) ? null : link.replaceAll("&", "&amp;");
}

/** GitHub shows on an issue, pull request, discussion or commit that a comment links to it. */
function isReference({ pathname }: URL): boolean {
  return /^\/+[^/]+\/+[^/]+\/+(issues|pull|pulls|discussions|commit|commits)\/+[^/]/i.test(
    querystring.unescape(pathname),
  );
}
