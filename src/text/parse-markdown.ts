import createMarkdownIt, { type MarkdownIt, type Token } from "markdown-it";

/**
 * Quotations, lists and their items inside of each other that are parsed. Of what nests deeper only the
 * lines that it stands on are known.
 */
const MAX_NESTING = 20;
/**
 * Longest paragraph, heading or cell whose emphasis, links and code are looked for, in characters. A text
 * of nothing but opening brackets, and a few others, take time by the square of their length.
 */
const MAX_INLINE = 16 * 1024;

/** A block of Markdown, or a part of one, such as a list's item. */
export interface Block {
  /** The name of the parser's token that it begins with, without `_open`. */
  type: string;
  token: Token;
  children: Block[];
}

/** A Markdown text, parsed as GitHub does, except for addresses that stand in it without any mark. */
export interface Document {
  blocks: readonly Block[];
  /** The lines that a block stands on, with what marks the blocks around it. */
  source(block: Block): string;
}

/**
 * Parses Markdown. Whatever it holds, this takes little more time than its length accounts for.
 *
 * The text of a paragraph, heading or cell is a block `inline`, whose token has children; it has none
 * when it is too long to be looked into.
 */
export function parseMarkdown(markdown: string): Document {
  const parser = createParser();
  const env = {};
  const tokens = parser.parse(markdown, env);
  for (const token of tokens) {
    if (token.type !== "inline") continue;
    const children: Token[] = [];
    token.children = token.content.length > MAX_INLINE ? null : children;
    if (token.children !== null) parser.inline.parse(token.content, parser, env, children);
  }
  const lines = markdown.split("\n");
  return {
    blocks: treeOf(tokens),
    source: ({ token }) => lines.slice(...(token.map ?? [0, 0])).join("\n"),
  };
}

function createParser(): MarkdownIt {
  const parser = createMarkdownIt({ html: true, maxNesting: MAX_NESTING });
  parser.core.ruler.enableOnly(["normalize", "block"]);
  // Whether an address may be followed is judged by whoever writes it.
  parser.validateLink = () => true;
  return parser;
}

/** The parser's tokens are flat: each `…_open` has its `…_close`. */
function treeOf(tokens: readonly Token[]): Block[] {
  const root: Block[] = [];
  const open = [root];
  for (const token of tokens) {
    if (token.nesting < 0) {
      open.pop();
      continue;
    }
    const block: Block = { type: token.type.replace(/_open$/, ""), token, children: [] };
    open.at(-1)?.push(block);
    if (token.nesting > 0) open.push(block.children);
  }
  return root;
}
