import { InputProblem } from "../inputs/checks.ts";
import { quote } from "../text/sentence.ts";

const INDICATORS = ["seq-item-ind", "explicit-key-ind", "map-value-ind"];

/** An item of a list, with the number of its first line, from 1, if that is known. */
export interface YamlItem {
  /** A {@link InputProblem} if it cannot be read. */
  value: unknown;
  line?: number;
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
export function readYamlList(text: string, yaml: typeof import("yaml")): YamlItem[] | string {
  const refused = whyRefused(text, yaml);
  if (refused !== null) return refused;
  const lineCounter = new yaml.LineCounter();
  // The parser's own check of keys takes the square of their number.
  const options = { lineCounter, prettyErrors: false, uniqueKeys: false };
  const document = yaml.parseDocument(text, options);
  const lineAt = (offset = 0) => lineCounter.linePos(offset).line;
  const [error] = document.errors;
  if (error !== undefined) {
    return `is not YAML (line ${lineAt(error.pos[0])}: ${error.message.replaceAll(/\s+/g, " ")}).`;
  }
  const { contents } = document;
  if (!yaml.isSeq(contents)) return "is not a list: write one task after each `- `.";
  return contents.items.map((node) => {
    const line = lineAt(yaml.isNode(node) ? node.range?.[0] : 0);
    const keys = yaml.isMap(node) ? node.items.map(({ key }) => String(key)) : [];
    const isTwice = new Set(keys).size < keys.length;
    const value = yaml.isNode(node) ? node.toJS(document) : null;
    return { value: isTwice ? new InputProblem("a field is there twice.") : value, line };
  });
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
      const named = `${type === "tag" ? "a" : "an"} ${type} (${quote(token)})`;
      return `has ${named}: write the text itself, in quotes if it begins with &, * or !.`;
    }
    if (type === "flow-seq-start" || type === "flow-map-start") flow += 1;
    if (type === "flow-seq-end" || type === "flow-map-end") flow -= 1;
    const isIndicator = INDICATORS.some((indicator) => indicator === type);
    if (isIndicator) inRow += 1;
    else if (type !== "space") inRow = 0;
    if (tokens > MAX_TOKENS || Math.max(flow, inRow) > MAX_DEPTH) {
      return "is too long or too deeply nested: it must be a list of tasks, at most 20,000.";
    }
  }
  return null;
}
