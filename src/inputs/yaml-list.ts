import type { Document, LineCounter, YAMLMap, YAMLSeq } from "yaml";
import { quote, sentence } from "../text/sentence.ts";

/** An item of a list, and the number of its first line, from 1. */
export interface ListItem {
  value: unknown;
  line: number;
}

/** The items of a YAML text. `problems` are the ends of sentences that begin with the file's name. */
type YamlList = { items: ListItem[] } | { problems: string[] };

/**
 * Maximum number and depth of tokens. For some texts with more, the parser needs longer than a second. A list of 20,000
 * tasks has 360,000 tokens.
 */
const MAX_TOKENS = 400_000;
const MAX_DEPTH = 20;
/** Maximum number of errors that are reported. */
const MAX_ERRORS = 10;

/** Reads a YAML text: one list of texts and flat maps. The parser is loaded only here. */
export async function readYamlList(text: string): Promise<YamlList> {
  const yaml = await import("yaml");
  const refused = whyRefused(text, yaml);
  if (refused !== null) return { problems: [refused] };
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // The parser's own check takes the square of the number of keys.
    uniqueKeys: false,
  });
  const problems = errorsOf(document, lines);
  if (problems.length > 0) return { problems };
  const { contents } = document;
  if (!yaml.isSeq(contents))
    return { problems: ["is not a list: write one task after each `- `."] };
  const items: ListItem[] = [];
  for (const node of (contents as YAMLSeq<Node>).items) {
    const line = lines.linePos(node?.range?.[0] ?? 0).line;
    const twice = yaml.isMap(node) ? keyGivenTwice(node) : null;
    if (twice !== null) problems.push(`has the field ${quote(twice)} twice in line ${line}.`);
    items.push({ value: node === null ? null : node.toJS(document), line });
  }
  return problems.length > 0 ? { problems } : { items };
}

type Node = { range?: [number, number, number]; toJS(document: Document): unknown } | null;

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

function errorsOf({ errors }: Document, lines: LineCounter): string[] {
  const told = errors.slice(0, MAX_ERRORS).map(({ pos, message }) => {
    const said = message.replaceAll(/\s+/g, " ");
    return sentence(`has an error in line ${lines.linePos(pos[0]).line}: ${said}`);
  });
  const more = errors.length - told.length;
  return more > 0 ? [...told, `has ${more} more ${more === 1 ? "error" : "errors"}.`] : told;
}

function keyGivenTwice({ items }: YAMLMap): string | null {
  const seen = new Set<string>();
  for (const { key } of items) {
    const name = String(key).slice(0, 80);
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}
