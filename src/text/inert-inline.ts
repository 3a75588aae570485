import type { MarkedToken, Token, Tokens } from "marked";
import { decode, escapeText, startLines, withoutComments } from "./escape-markdown.ts";
import { safeLink } from "./link.ts";
import { inlineCode } from "./markdown.ts";

/**
 * A link to an address from outside, or its text alone when that is not an address to follow.
 *
 * @param text plain, from outside
 */
export function inertLink(text: string, address: string): string {
  const link = followable(address);
  return link === null ? startLines(escapeText(text)) : `[${escapeText(text)}](${link})`;
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
export function inline(tokens: readonly Token[], surroundings: Surroundings = {}): string {
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

/** Emphasis begins and ends at a letter or sign, or it is none. */
function around(mark: string, inner: string): string {
  const trimmed = inner.trim();
  if (trimmed === "") return inner;
  const start = inner.startsWith(trimmed.charAt(0)) ? "" : " ";
  const end = inner.endsWith(trimmed.charAt(trimmed.length - 1)) ? "" : " ";
  return `${start}${mark}${trimmed}${mark}${end}`;
}
