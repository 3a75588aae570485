import { quote, sentence } from "../text/sentence.ts";

/** The items of a list, each with the number of its first line, from 1, if that is known; and a sentence for each problem. */
export interface List {
  items: { value: unknown; line?: number }[];
  problems: string[];
}

/**
 * Maximum number and depth of tokens. For some texts with more, the parser needs longer than a second. A list of 20,000
 * tasks has 360,000 tokens.
 */
const MAX_TOKENS = 400_000;
const MAX_DEPTH = 20;

/**
 * Reads a YAML text: one list of texts and flat maps.
 *
 * @returns the list, or the end of a sentence that begins with the file's name and says why it is refused
 */
export function readYamlList(text: string, yaml: typeof import("yaml")): List | string {
  const refused = whyRefused(text, yaml);
  if (refused !== null) return refused;
  const counter = new yaml.LineCounter();
  // The parser's own check of keys takes the square of their number.
  const options = { lineCounter: counter, prettyErrors: false, uniqueKeys: false };
  const document = yaml.parseDocument(text, options);
  const lineAt = (offset = 0) => counter.linePos(offset).line;
  const errors = document.errors.map(({ pos, message }) =>
    sentence(`line ${lineAt(pos[0])}: ${message.replaceAll(/\s+/g, " ")}`),
  );
  if (errors.length > 0) return { items: [], problems: errors };
  const { contents } = document;
  if (!yaml.isSeq(contents)) return "is not a list: write one task after each `- `.";
  const problems: string[] = [];
  const items = contents.items.map((node) => {
    const line = lineAt(yaml.isNode(node) ? node.range?.[0] : 0);
    const keys = yaml.isMap(node) ? node.items.map(({ key }) => String(key)) : [];
    if (new Set(keys).size < keys.length) problems.push(`line ${line}: a field is there twice.`);
    return { value: yaml.isNode(node) ? node.toJS(document) : null, line };
  });
  return { items, problems };
}

/** Checks the tokens of the text before it is parsed. */
function whyRefused(text: string, { Lexer, CST }: typeof import("yaml")): string | null {
  let tokens = 0;
  let flow = 0;
  let inRow = 0;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    tokens += 1;
    if (type === "anchor" || type === "alias" || type === "tag") {
      return `has ${type === "tag" ? "a" : "an"} ${type} (${quote(token)}): write the text itself, in quotes if it begins with &, * or !.`;
    }
    if (type === "flow-seq-start" || type === "flow-map-start") flow += 1;
    if (type === "flow-seq-end" || type === "flow-map-end") flow -= 1;
    const isIndicator = ["seq-item-ind", "explicit-key-ind", "map-value-ind"].includes(type ?? "");
    if (isIndicator) inRow += 1;
    else if (type !== "space") inRow = 0;
    if (tokens > MAX_TOKENS || Math.max(flow, inRow) > MAX_DEPTH) {
      return "is too long or too deeply nested: it must be a list of tasks, at most 20,000.";
    }
  }
  return null;
}
