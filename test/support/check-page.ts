import { micromark, parse, postprocess, preprocess } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { CANARY } from "./hostile-texts.ts";
import { withoutKept } from "./kept-characters.ts";

/** What a page may contain. */
export interface PageRules {
  /**
   * `code`: text from outside may appear only in code. `inert`: it may also be plain text in which GitHub
   * detects nothing.
   */
  outside: "code" | "inert";
  /** How many markers the page ends with. */
  markers: 0 | 1;
  /** References that the action itself writes, such as `#7`. */
  references?: readonly string[];
}

const ELEMENTS = {
  code: "h3 p strong a pre code ul li input del table thead tbody tr th td".split(" "),
  inert:
    "h3 h4 h5 h6 p strong em s del a pre code blockquote ul ol li hr br table thead tbody tr th td".split(
      " ",
    ),
};

/** Attributes of the elements that Markdown produces. The address of a link is checked separately. */
const ATTRIBUTE =
  /^(?:href=".*"|lang="[\w+#.-]+"|class="language-[\w+#.-]+"|type="checkbox"|disabled=""|checked=""|start="\d+"|align="(?:left|right|center)")$/s;

const MARKER = /^<!-- docs-agent:[\w-]+\.[\w-]{43} -->$/;

/** What GitHub detects in a page's text, outside code and links. */
const DETECTED: Record<string, RegExp> = {
  "a mention or an e-mail address": /@[a-z\d]/i,
  "a reference": /(?:#|\bGH-)\d+/gi,
  "an address": /:\/\/|\bwww\./i,
};

/** Invisible characters, and those that change the direction of text. */
const INVISIBLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]|\p{Default_Ignorable_Code_Point}/u;
/** The warning sign consists of two characters, of which the second is invisible. */
const OWN_SIGN = "\u26A0\uFE0F";
/** Splits what GitHub would detect, in plain text from outside. */
const BREAK = "\u200B";

/**
 * The problems of Markdown as a page shows it. A renderer of GitHub's Markdown makes it HTML, of which every
 * element, attribute, address and text is checked.
 */
export function checkPage(markdown: string, rules: PageRules): string[] {
  const { html, body, problems } = withoutMarker(unfolded(markdown), rules);
  const isInert = rules.outside === "inert";
  if (html.length > 0 && !isInert) problems.push(`raw HTML: ${html.join(" ")}`);
  // The renderer drops some of these elements, so they are checked separately.
  if (isInert) problems.push(...html.flatMap((piece) => checkHtml(piece, rules)));
  const page = micromark(body, {
    // Where raw HTML is not allowed, the tokens have shown that there is none.
    allowDangerousHtml: isInert,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  problems.push(...checkHtml(page, rules));
  return problems.map((problem) => problem.slice(0, 500));
}

/** The action's own last line, which it folds if names of the service are in it, and the marker after it. */
const FOLDED =
  /\n\n<details><summary>Details<\/summary>\n\n([^\n]+)\n\n<\/details>(\n\n<!-- docs-agent:\S+ -->)?\n?$/;

/** Markdown with the last line as if it was not folded. What is in it is checked like all the rest. */
function unfolded(markdown: string): string {
  return markdown.replace(FOLDED, "\n\n$1$2");
}

/** The raw HTML in Markdown's tokens except for the marker at the end, and the Markdown without the marker. */
function withoutMarker(
  markdown: string,
  { markers }: PageRules,
): { html: string[]; body: string; problems: string[] } {
  const problems: string[] = [];
  const pieces = slices(markdown, /^html(Flow|Text)$|definition$/i);
  const html = pieces.filter(({ type }) => type.startsWith("html")).map(({ text }) => text);
  // A definition is not shown, but can change what other text means.
  for (const { type, text } of pieces)
    if (!type.startsWith("html")) problems.push(`a definition: ${text}`);
  const comments = markdown.match(/<!--/g)?.length ?? 0;
  if (comments !== markers) problems.push(`${comments} hidden comments instead of ${markers}`);
  if (markers === 0) return { html, body: markdown, problems };
  const marker = html.pop() ?? "";
  if (!MARKER.test(marker)) problems.push(`no marker, but ${JSON.stringify(marker)}`);
  if (!markdown.endsWith(`\n\n${marker}`)) problems.push("the marker is not at the end");
  return { html, body: markdown.slice(0, markdown.length - marker.length), problems };
}

/** The pieces of Markdown behind the tokens of a type. */
function slices(markdown: string, type: RegExp): { type: string; text: string }[] {
  const events = postprocess(
    parse({ extensions: [gfm()] })
      .document()
      .write(preprocess()(markdown, undefined, true)),
  );
  return events.flatMap(([kind, token, context]) =>
    kind === "enter" && type.test(token.type)
      ? [{ type: token.type, text: context.sliceSerialize(token) }]
      : [],
  );
}

/** A start tag or a text, with the elements around it. */
type Node = { inside: readonly string[] } & (
  | { element: string; attributes: readonly string[] }
  | { text: string }
);

/** The renderer escapes every text and attribute, so there is only one way to read its HTML. */
function nodesOf(html: string): Node[] {
  const nodes: Node[] = [];
  const inside: string[] = [];
  const pattern = /<(\/?)([a-z]\w*)((?: [a-z-]+="[^"]*")*)( \/)?>|([^<]+)|([\s\S])/gy;
  for (const [, close, element, attributes = "", isVoid, text, stray] of html.matchAll(pattern)) {
    if (stray !== undefined) throw new Error(`The renderer's HTML cannot be read at ${stray}`);
    if (text !== undefined) nodes.push({ inside: [...inside], text: unescaped(text) });
    else if (close === "/") inside.pop();
    else if (element !== undefined) {
      const list = [...attributes.matchAll(/ ([a-z-]+="[^"]*")/g)].map(
        ([, attribute = ""]) => attribute,
      );
      nodes.push({ inside: [...inside], element, attributes: list });
      if (isVoid === undefined && !["input", "br", "hr", "img"].includes(element))
        inside.push(element);
    }
  }
  return nodes;
}

function checkHtml(html: string, rules: PageRules): string[] {
  try {
    return nodesOf(html).flatMap((node) => checkNode(node, rules));
  } catch (error) {
    return [String(error)];
  }
}

function checkNode(node: Node, rules: PageRules): string[] {
  if ("element" in node) {
    const problems = ELEMENTS[rules.outside].includes(node.element)
      ? []
      : [`the element ${node.element} ${node.attributes.join(" ")}`];
    for (const attribute of node.attributes) {
      if (!ATTRIBUTE.test(attribute)) problems.push(`the attribute ${attribute}`);
      const [, address] = /^href="(.*)"$/s.exec(attribute) ?? [];
      if (address !== undefined) problems.push(...checkAddress(unescaped(address)));
    }
    return problems;
  }
  return checkText(node.text, node.inside, rules);
}

function checkText(text: string, inside: readonly string[], rules: PageRules): string[] {
  const problems: string[] = [];
  const shown = text.replace(OWN_SIGN, "").replaceAll(rules.outside === "inert" ? BREAK : "", "");
  if (INVISIBLE.test(withoutKept(shown)))
    problems.push(`something invisible in ${JSON.stringify(text)}`);
  if (inside.includes("code")) return problems;
  if (rules.outside === "code" && text.includes(CANARY)) {
    problems.push(`text from outside, not in code: ${JSON.stringify(text)}`);
  }
  // GitHub detects nothing in the text of a link.
  if (inside.includes("a") && rules.outside === "code") return problems;
  for (const [name, pattern] of Object.entries(DETECTED)) {
    const all = new RegExp(pattern, `${pattern.flags.replace("g", "")}g`);
    for (const [match] of text.matchAll(all)) {
      if (!rules.references?.includes(match)) problems.push(`${name} in ${JSON.stringify(text)}`);
    }
  }
  return problems;
}

/** The problems of a link's address. */
export function checkAddress(shown: string): string[] {
  // The renderer encodes the brackets of an IPv6 address, and a page does not.
  const address = shown.replace(/^(https?:\/\/)%5B([\da-f:]+)%5D/i, "$1[$2]");
  if (!URL.canParse(address)) return [`a link to ${address}, which is not an address`];
  const url = new URL(address);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  const problems: string[] = [];
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback))
    problems.push(`a link to ${address}, which is not https:`);
  if (url.username !== "" || url.password !== "")
    problems.push(`a link to ${address}, which carries a user or password`);
  if (!/^[\x21-\x7E]+$/.test(address)) problems.push(`a link to ${JSON.stringify(address)}`);
  return problems;
}

function unescaped(html: string): string {
  return html
    .replaceAll("&#8203;", "\u200B")
    .replaceAll("&#10;", "\n")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
