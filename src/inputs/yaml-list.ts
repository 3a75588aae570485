import type { Document, LineCounter, YAMLMap, YAMLSeq } from "yaml";
import { quote, sentence } from "../text/sentence.ts";

/** One item of a list, and the line where it begins, from 1. */
export interface ListItem {
  value: unknown;
  line: number;
}

/** What a YAML text holds, or what is wrong: rests of sentences that begin with its name. */
type YamlList = { items: ListItem[] } | { problems: string[] };

/**
 * What the parser is given at most: it needs longer than a second for some texts that are made of more
 * parts, or of parts within parts. A list of 20,000 tasks has 360,000 parts.
 */
const MAX_TOKENS = 400_000;
const MAX_DEPTH = 20;
/** How many errors of one text are told. */
const MAX_ERRORS = 10;

/**
 * Reads a YAML text that is one list of texts and flat maps. The parser is loaded only here.
 *
 * @param text at most some MiB
 */
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

/** Looks at the text's parts before anything is made of them. */
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
