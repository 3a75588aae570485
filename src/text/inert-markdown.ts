import createMarkdownIt, { type MarkdownIt, type Token } from "markdown-it";
import { safeLink } from "./link.ts";
import { visible } from "./markdown.ts";
import { areQuotationsCostly } from "./quotation-cost.ts";

/** A text that has to be cut is not shown at all when no more than so many characters of it fit. */
const MIN_CUT = 100;
/** Quotations, lists and their items inside of each other that are shown. */
const MAX_NESTING = 100;
/**
 * Emphasis, links and code are looked for in pieces of at most so many characters. A text of nothing but opening
 * brackets, and a few others, take time by the square of their length.
 */
const MAX_INLINE = 16 * 1024;
/** Languages whose blocks GitHub does not show as code, but draws, or offers to apply. */
const DRAWN = new Set(["mermaid", "geojson", "topojson", "stl", "math", "suggestion"]);
/** Breaks what GitHub would read something into; nobody sees it. As an entity, an editor shows it. */
const BREAK = "&#8203;";

/** HTML for a comment: GitHub shows the Markdown that it is made of as its author meant it, and it does nothing. */
interface Inert {
  html: string;
  isCut: boolean;
}

/**
 * Markdown from outside as HTML that a comment can hold: its structure stays, and every text in it is escaped.
 * So it mentions, references and closes nothing, holds no HTML or image of its own, and links nowhere but to
 * `https:` addresses (`http:` on loopback).
 *
 * @param room how many characters the result may have; what does not fit is left out, from the end
 */
export function renderInert(markdown: string, room: number): Inert {
  // Nothing beyond the room can be shown, and a parser's time is bounded by what it is given.
  const whole = visible(markdown);
  let length = Math.min(whole.length, room);
  const render = areQuotationsCostly(whole.slice(0, length).split("\n")) ? asCode : asPage;
  do {
    const isCut = length < whole.length;
    const html = render(isCut ? `${whole.slice(0, length).toWellFormed()}…` : whole);
    if (html.length <= room) return { html, isCut };
    // Parts of a text become longer by different factors.
    length = Math.floor(length * Math.min(0.98, room / html.length));
  } while (length >= MIN_CUT);
  return { html: "", isCut: true };
}

/**
 * A link to an address from outside, or its text alone when that is not an address to follow.
 *
 * @param text plain, from outside
 */
export function inertLink(text: string, address: string): string {
  const link = followable(address);
  return link === null ? inertText(text) : `<a href="${link}">${inertText(text)}</a>`;
}

function asCode(text: string): string {
  return codeBlock(text, "");
}

function asPage(text: string): string {
  const html = createRenderer().render(text);
  // An empty line would end the HTML, and what follows would be Markdown again.
  return html.replace(/\s*\n\s*/g, "\n").trim();
}

function createRenderer(): MarkdownIt {
  const parser = createMarkdownIt({ html: false, maxNesting: MAX_NESTING });
  parser.normalizeLink = (address) => address;
  parser.normalizeLinkText = (text) => text.replace(/^https?:\/\//i, "");
  parser.validateLink = (address) => followable(address) !== null;
  parser.core.ruler.at("inline", ({ tokens, env }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type === "inline") parseInline(parser, token, tokens[index - 2], env ?? {});
      // Below the comment's own heading.
      if (token.type.startsWith("heading_")) {
        token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 3)}`;
      }
      const [, align] = /^text-align:(\w+)$/.exec(attributeOf(token, "style")) ?? [];
      if (align !== undefined) token.attrs = [["align", align]];
    }
  });
  // Texts that come to stand side by side are one by now: nothing that leaves no trace divides a reference.
  parser.core.ruler.push("inert", ({ tokens }) => {
    for (const { children } of tokens) escapeTexts(children ?? []);
  });
  const { rules } = parser.renderer;
  rules.softbreak = () => " ";
  rules.code_inline = (tokens, index) => `<code>${escaped(tokens[index]?.content ?? "")}</code>`;
  rules.code_block = (tokens, index) => codeBlock(tokens[index]?.content ?? "", "");
  rules.fence = (tokens, index) =>
    codeBlock(tokens[index]?.content ?? "", tokens[index]?.info ?? "");
  rules.link_open = (tokens, index) =>
    `<a href="${followable(attributeOf(tokens[index], "href"))}">`;
  rules.image = (tokens, index) =>
    inertLink(tokens[index]?.content || "image", attributeOf(tokens[index], "src"));
  return parser;
}

/** @param before the block that the paragraph is in */
function parseInline(
  parser: MarkdownIt,
  token: Token,
  before: Token | undefined,
  env: Record<string, unknown>,
): void {
  const box = /^\[([ xX])\](?=\s)/;
  // The box of a task: it is shown, and nobody can tick it.
  if (before?.type === "list_item_open") {
    token.content = token.content.replace(box, (_, mark) => (mark === " " ? "☐" : "☑"));
  }
  const children: Token[] = [];
  for (let at = 0; at < token.content.length; at += MAX_INLINE) {
    parser.inline.parse(token.content.slice(at, at + MAX_INLINE), parser, env, children);
  }
  token.children = children;
  let links = 0;
  for (const child of children) {
    if (child.type.startsWith("link_")) links += child.nesting;
    // A link holds no other one: of an image in it, the description is shown.
    if (child.type === "image" && links > 0) child.type = "text";
  }
}

function escapeTexts(tokens: readonly Token[]): void {
  let links = 0;
  for (const token of tokens) {
    if (token.type.startsWith("link_")) links += token.nesting;
    if (token.type !== "text") continue;
    token.type = "html_inline";
    token.content = links > 0 ? inertText(token.content) : withLinks(token.content);
  }
}

/** Where an address without any mark begins and how far it reaches at most, as GitHub has it. */
const ADDRESS = /(?<![\w/])https?:\/\/[^\s<]+/gi;

/** Text in which addresses are links. */
function withLinks(text: string): string {
  let html = "";
  let shown = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutPunctuation(found);
    if (followable(address) === null) continue;
    const bare = address.replace(/^https?:\/\//i, "");
    html += inertText(text.slice(shown, index)) + inertLink(bare, address);
    shown = index + address.length;
  }
  return html + inertText(text.slice(shown));
}

/** What ends a sentence after an address is no part of it, nor is a parenthesis that began before it. */
function withoutPunctuation(address: string): string {
  const ends = `?!.,:;*_~'"${address.includes("(") ? "" : ")"}`;
  let end = address.length;
  while (end > 1 && ends.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}

/** An attribute of the element that a token stands for; empty when it has none of that name. */
function attributeOf(token: Token | undefined, name: string): string {
  return String(token?.attrs?.find(([it]) => it === name)?.[1] ?? "");
}

function codeBlock(text: string, info: string): string {
  const [name = ""] = /^[\w+#.-]{1,30}(?=\s|$)/.exec(info) ?? [];
  const language = name === "" || DRAWN.has(name.toLowerCase()) ? "text" : name;
  const code = escaped(text.trimEnd()).replaceAll("\n", "&#10;");
  return `<pre lang="${language}"><code>${code}</code></pre>\n`;
}

/** Text in which GitHub finds no HTML, no address, no mention, no formula and no reference. */
function inertText(text: string): string {
  return escaped(text.replace(/\s+/g, " ")).replace(
    /@(?=\w)|#(?=\d)|GH-(?=\d)|:(?=\/\/)|www(?=\.)|\$(?=\S)/gi,
    `$&${BREAK}`,
  );
}

function escaped(text: string): string {
  return visible(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** An address that may stand in a link; null for one that is not safe, or that GitHub takes for a reference. */
function followable(address: string): string | null {
  const link = safeLink(address);
  return link === null || isReference(new URL(link)) ? null : link.replaceAll("&", "&amp;");
}

/** GitHub notes on an issue, pull request, discussion or commit that somebody linked to it. */
function isReference({ pathname }: URL): boolean {
  return /^\/+[^/]+\/+[^/]+\/+(issues|pull|pulls|discussions|commit|commits)\/+[^/]/i.test(
    pathname.replace(/%[0-9a-f]{2}/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    ),
  );
}
