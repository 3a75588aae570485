import type { Nodes } from "hast";
import { fromHtml } from "hast-util-from-html";
import { sanitize } from "hast-util-sanitize";
import { toHtml } from "hast-util-to-html";

/** What a reader sees of a comment on GitHub. */
export interface Seen {
  /** Lines that can be a request: not those in quotations, code, footnotes or collapsed sections. */
  asking: string[];
  /** All text that is not collapsed or hidden. */
  text: string;
}

/** Elements whose text is set apart. */
const APART = new Set(["blockquote", "q", "pre", "code", "samp", "tt", "section"]);
/** Elements that end a line. */
const LINES = new Set([
  "p",
  "div",
  "ul",
  "ol",
  "li",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
  "hr",
  "br",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "section",
  "details",
  "summary",
  "blockquote",
  "pre",
]);

/** Reads HTML as GitHub does: parsed, sanitized, and parsed again by the browser. */
export function readPage(html: string): Seen {
  const page = fromHtml(toHtml(sanitize(fromHtml(html, { fragment: true }))), { fragment: true });
  return { asking: textOf(page, APART).split("\n"), text: textOf(page, new Set()) };
}

function textOf(node: Nodes, apart: ReadonlySet<string>): string {
  if (node.type === "text") return node.value;
  if (!("children" in node)) return "";
  const name = node.type === "element" ? node.tagName : "";
  if (apart.has(name) || name === "rp" || name === "template") return "…";
  const isSummary = (child: Nodes) => "tagName" in child && child.tagName === "summary";
  // A collapsed section shows its first summary, which cannot be a request.
  const summary = apart.size === 0 ? node.children.findIndex(isSummary) : -1;
  const children =
    name === "details" ? node.children.filter((_, index) => index === summary) : node.children;
  const text = children.map((child) => textOf(child, apart)).join("");
  return LINES.has(name) ? `\n${text}\n` : text;
}
