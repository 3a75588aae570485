import type { Token } from "markdown-it";
import { escapeText, startLines, withoutComments } from "./escape-markdown.ts";
import { safeLink } from "./link.ts";
import { inlineCode } from "./markdown.ts";

/** Emphasis in emphasis that is shown as such; deeper, its text is shown without. */
const MAX_DEPTH = 8;

/**
 * A link to an address from outside, or its text alone when that is not an address to follow.
 *
 * @param text plain, from outside
 */
export function inertLink(text: string, address: string): string {
  const link = followable(address);
  return link === null ? startLines(escapeText(text)) : `[${escapeText(text)}](${link})`;
}

/** What inline tokens stand in: a bar ends a cell. */
interface Surroundings {
  isInTable?: boolean;
}

/** Inline tokens as Markdown. */
export function inline(tokens: readonly Token[], surroundings: Surroundings = {}): string {
  const writer = new InlineWriter(surroundings);
  for (const token of tokens) writer.write(token);
  return writer.end();
}

const MARKS: Record<string, string> = { strong: "**", em: "*", s: "~~" };

/** An element that began and has not ended: a mark around its text, a link, or nothing to be seen. */
interface Open {
  type: "mark" | "link" | "nothing";
  /** The mark, or the link's address. */
  value: string;
  /** What was written before it. */
  before: string;
}

/**
 * Writes inline tokens anew. Texts that come to stand side by side are escaped together: what leaves no
 * trace, such as a comment, cannot divide a reference and so hide it.
 */
class InlineWriter {
  readonly #isInTable: boolean;
  readonly #open: Open[] = [];
  #markdown = "";
  #text = "";
  #isInLink = false;

  constructor({ isInTable = false }: Surroundings) {
    this.#isInTable = isInTable;
  }

  write(token: Token): void {
    if (token.nesting > 0) this.#begin(token);
    else if (token.nesting < 0) this.#close();
    else this.#writeLeaf(token);
  }

  end(): string {
    while (this.#open.length > 0) this.#close();
    this.#flush();
    return this.#markdown;
  }

  #writeLeaf(token: Token): void {
    const { type, content } = token;
    switch (type) {
      case "softbreak":
        this.#text += "\n";
        break;
      case "hardbreak":
        this.#add("\\\n");
        break;
      case "code_inline":
        this.#add(this.#code(content));
        break;
      case "html_inline":
        this.#text += /^<br\s*\/?>$/i.test(content) ? " " : withoutComments(content);
        break;
      case "image":
        this.#addImage(token);
        break;
      default:
        this.#text += content;
    }
  }

  #begin(token: Token): void {
    const name = token.type.replace(/_open$/, "");
    const mark = this.#open.length < MAX_DEPTH ? MARKS[name] : undefined;
    const link = name === "link" ? followable(attributeOf(token, "href")) : null;
    if (mark === undefined && link === null) {
      this.#open.push({ type: "nothing", value: "", before: "" });
      return;
    }
    this.#flush();
    const before = this.#markdown;
    this.#open.push(
      link === null
        ? { type: "mark", value: mark ?? "", before }
        : { type: "link", value: link, before },
    );
    this.#isInLink ||= link !== null;
    this.#markdown = "";
  }

  #close(): void {
    const open = this.#open.pop();
    if (open === undefined || open.type === "nothing") return;
    const { type, value, before } = open;
    if (type === "link") {
      // Without its scheme an address is not taken for a bare one, which GitHub may turn into something else.
      if (this.#markdown === "") this.#text = this.#text.replace(/^https?:\/\/(?=.)/i, "");
      this.#flush();
      this.#isInLink = false;
      this.#markdown = `${before}[${this.#markdown}](${value})`;
      return;
    }
    this.#flush();
    this.#markdown = before + around(value, this.#markdown);
  }

  /** Markdown of the action's own, or made harmless. */
  #add(markdown: string): void {
    if (markdown === "") return;
    this.#flush();
    this.#markdown += markdown;
  }

  #flush(): void {
    this.#markdown += this.#isInLink ? escapeText(this.#text) : withLinks(this.#text);
    this.#text = "";
  }

  #code(content: string): string {
    const code = inlineCode(content, Number.POSITIVE_INFINITY);
    return this.#isInTable ? code.replaceAll("|", "\\|") : code;
  }

  #addImage(token: Token): void {
    const text = plainText(token.children ?? []) || "image";
    if (this.#isInLink) this.#text += text;
    else this.#add(inertLink(text, attributeOf(token, "src")));
  }
}

/** An attribute of the element that a token stands for; empty when it has none of that name. */
export function attributeOf(token: Token, name: string): string {
  return String(token.attrs?.find(([it]) => it === name)?.[1] ?? "");
}

/** The text of an image's description, which may itself be Markdown. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content }) => (type === "softbreak" || type === "hardbreak" ? " " : content))
    .join("");
}

/** Where an address without any mark begins and how far it reaches at most, as GitHub has it. */
const ADDRESS = /(?<![\w/])https?:\/\/[^\s<]+/gi;

/** Text in which addresses are links. */
function withLinks(text: string): string {
  let markdown = "";
  let shown = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutPunctuation(found);
    const link = followable(address);
    if (link === null) continue;
    markdown += escapeText(text.slice(shown, index));
    markdown += `[${escapeText(address.replace(/^https?:\/\//i, ""))}](${link})`;
    shown = index + address.length;
  }
  return markdown + escapeText(text.slice(shown));
}

/** What ends a sentence after an address is no part of it, nor is a parenthesis that began before it. */
function withoutPunctuation(address: string): string {
  let closing = address.split(")").length - address.split("(").length;
  let end = address.length;
  for (; end > 0; end--) {
    const last = address.charAt(end - 1);
    if (last === ")" && closing > 0) closing -= 1;
    else if (!"?!.,:;*_~'\"".includes(last)) break;
  }
  return address.slice(0, end);
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

/** Emphasis begins and ends at a letter or sign, or it is none. */
function around(mark: string, inner: string): string {
  const trimmed = inner.trim();
  if (trimmed === "") return inner;
  const start = inner.startsWith(trimmed.charAt(0)) ? "" : " ";
  const end = inner.endsWith(trimmed.charAt(trimmed.length - 1)) ? "" : " ";
  return `${start}${mark}${trimmed}${mark}${end}`;
}
