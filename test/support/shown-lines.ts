import { HtmlRenderer, Parser } from "commonmark";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";

type Node = DefaultTreeAdapterTypes.ChildNode;

/** Elements whose content is no text of the author's own, or is not shown. */
const APART = new Set([
  ...["code", "kbd", "pre", "samp", "tt", "blockquote", "q", "details", "template"],
]);
const LINES = new Set([
  ...["p", "div", "ul", "ol", "li", "table", "tr", "th", "td", "hr", "br"],
  ...["h1", "h2", "h3", "h4", "h5", "h6", "section"],
]);

/** What GFM does with tags that it disallows. */
const DISALLOWED =
  /<(?=\/?(iframe|noembed|noframes|plaintext|script|style|textarea|title|xmp)[\s/>])/gi;

/**
 * The lines of a Markdown page that a reader sees as text, found by rendering the page and reading its
 * HTML as a browser does: not those in quotations, code, HTML blocks and comments. It knows CommonMark, and not
 * what GitHub adds.
 */
export function shownLines(markdown: string): string[] {
  const page = new Parser().parse(markdown);
  const walker = page.walker();
  for (let event = walker.next(); event !== null; event = walker.next()) {
    // The tags of an HTML block count, its text does not.
    const { node } = event;
    if (node.type === "html_block") node.literal = node.literal?.replaceAll("/docs", "/none") ?? "";
  }
  const html = new HtmlRenderer().render(page).replace(DISALLOWED, "&lt;");
  return parseFragment(html).childNodes.map(textOf).join("").split("\n");
}

function textOf(node: Node): string {
  if (node.nodeName === "#text") return (node as DefaultTreeAdapterTypes.TextNode).value;
  if (!("childNodes" in node)) return "";
  if (APART.has(node.nodeName)) return "…";
  const text = node.childNodes.map(textOf).join("");
  return LINES.has(node.nodeName) ? `\n${text}\n` : text;
}
