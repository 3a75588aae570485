import { visible } from "./markdown.ts";

/** Breaks what GitHub would read something into; nobody sees it. As an entity, an editor shows it. */
export const BREAK = "&#8203;";

/** Text in which GitHub finds no Markdown, no HTML, no address, no mention and no reference. */
export function escapeText(text: string): string {
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
export function startLines(paragraph: string): string {
  return paragraph
    .split("\n")
    .map((line) => line.trimStart().replace(/^(?=[-+=:#])|^\d+(?=[.)])/, "$&\\"))
    .join("\n")
    .trim();
}

/** HTML from outside without its comments. */
export function withoutComments(html: string): string {
  return html.replace(/<!--[\s\S]*?(?:-->|$)/g, " ");
}
