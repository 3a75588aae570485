import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** Markdown as a page shows it, by a renderer that knows what GitHub's does. HTML goes through. */
export function rendered(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

/** The text of HTML that has no elements in it. */
export function unescaped(html: string): string {
  return html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
